import { readdirSync, readFileSync } from 'node:fs'
import type { CanonicalForm, Version, WebhookErrorCode } from '../../src/entries/index.js'

/** See test-vectors/README.md. */
export interface VectorFile {
  readonly suite: string
  readonly testGroups: readonly VectorGroup[]
}

export interface VectorGroup {
  readonly comment: string
  readonly operation: 'signature' | 'webhook'
  readonly secrets: readonly string[]
  readonly apiKeys: readonly string[]
  readonly versions: readonly Version[]
  readonly toleranceSeconds: number | 'Infinity'
  readonly futureToleranceSeconds: number
  readonly tests: readonly Vector[]
}

export interface Vector {
  readonly tcId: number
  readonly comment: string
  readonly body: string
  readonly header: string | readonly string[] | null
  readonly now: number
  readonly result: 'valid' | 'invalid'
  readonly code?: WebhookErrorCode
  readonly secretIndex?: number
  readonly canonicalForm?: CanonicalForm
}

export const nameOf = ({ tcId, comment }: Pick<Vector, 'tcId' | 'comment'>): string => `${tcId}: ${comment}`

const folder = new URL('../../../../test-vectors/', import.meta.url)

export const vectorFiles: readonly VectorFile[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json') && name !== 'schema.json')
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as VectorFile)
