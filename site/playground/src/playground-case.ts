import type { SignatureHeader, Version } from '@service-signature/core'
import { numberOption, ownOptions } from '@service-signature/core/shared/check-options'
import { checkVersions } from '@service-signature/core/signature/versions'
import { toBytes } from '@service-signature/core/verify/body'

/** A delivery and the rules of its verifier, as a page passes them to the playground. */
export interface PlaygroundCase {
  /** The value of `Service-Signature`; a list if it was sent several times. */
  readonly header?: string | readonly string[] | null
  /** A string stands for its UTF-8 bytes. */
  readonly body?: string | Uint8Array
  /** The webhook signing secret, exactly as it is in use. */
  readonly secret?: string | readonly string[]
  /** The account API key, exactly as it is in use. */
  readonly apiKey?: string | readonly string[]
  /** The versions that the verifier requires. Default: v1 if only the API key is given, otherwise v3. */
  readonly versions?: readonly Version[]
  /** When the delivery arrived: a Unix time in milliseconds, the time of the header (default), or now. */
  readonly receivedAt?: ReceivedAt
  /** As for the verifier. Default: 300. */
  readonly toleranceSeconds?: number
  /** As for the verifier. Default: 60. */
  readonly futureToleranceSeconds?: number
}

export type ReceivedAt = number | 'header' | 'now'

/** A case that is checked and complete. */
export interface CompleteCase {
  readonly header: string | readonly string[] | null
  readonly body: Uint8Array
  readonly secrets: readonly string[]
  readonly apiKeys: readonly string[]
  readonly versions: readonly Version[]
  readonly receivedAt: ReceivedAt
  readonly toleranceSeconds: number
  readonly futureToleranceSeconds: number
}

const FIELDS = [
  'header',
  'body',
  'secret',
  'apiKey',
  'versions',
  'receivedAt',
  'toleranceSeconds',
  'futureToleranceSeconds',
] as const satisfies readonly (keyof PlaygroundCase)[]

/**
 * @throws {TypeError} on a field that is unknown or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function completeCase(given: PlaygroundCase): CompleteCase {
  const own = ownOptions(given, FIELDS, 'The playground')
  const secrets = keysOf(own.secret, 'secret')
  const apiKeys = keysOf(own.apiKey, 'apiKey')
  return {
    header: headerOf(own.header ?? null),
    body: Uint8Array.from(toBytes(own.body ?? '')),
    secrets,
    apiKeys,
    versions: checkVersions(own.versions ?? [secrets.length === 0 && apiKeys.length > 0 ? 'v1' : 'v3']),
    receivedAt: receivedAtOf(own.receivedAt ?? 'header'),
    toleranceSeconds: numberOption(own, 'toleranceSeconds', 300, { above: 0 }),
    futureToleranceSeconds: numberOption(own, 'futureToleranceSeconds', 60, {}),
  }
}

/** When a case was received, in milliseconds. */
export function receivedTime(
  { receivedAt }: Pick<CompleteCase, 'receivedAt'>,
  header: Pick<SignatureHeader, 'timestamp'> | undefined,
  now: number,
): number {
  if (typeof receivedAt === 'number') return receivedAt
  return receivedAt === 'header' && header !== undefined ? Number(header.timestamp) * 1000 : now
}

function headerOf(header: unknown): CompleteCase['header'] {
  if (header === null || typeof header === 'string') return header
  if (Array.isArray(header) && header.every((value) => typeof value === 'string')) return header
  throw new TypeError(`"header" must be a string, a list of strings or null, got ${typeof header}`)
}

/** As many as `explain` accepts. */
const MAX_KEYS = 20

/** The keys that are not empty, exactly as they are given: white space may be the fault. */
function keysOf(given: unknown, name: string): readonly string[] {
  const list: unknown[] = Array.isArray(given) ? given : given === undefined ? [] : [given]
  const wrong = list.find((key) => typeof key !== 'string')
  if (wrong !== undefined) throw new TypeError(`"${name}" must be a string or a list, got ${typeof wrong}`)
  if (list.length > MAX_KEYS) throw new RangeError(`"${name}" has more than ${MAX_KEYS} keys`)
  return (list as string[]).filter((key) => key !== '')
}

function receivedAtOf(given: unknown): ReceivedAt {
  if (given === 'header' || given === 'now') return given
  if (typeof given === 'number' && Number.isFinite(given)) return given
  throw new TypeError('"receivedAt" must be a Unix time in milliseconds, "header" or "now"')
}
