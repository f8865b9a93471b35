import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { Received } from './endpoint.js'
import type { Service } from './service.js'

export interface Parts {
  readonly t: string
  readonly v1: string
  readonly v2: string
  readonly v3: string
}

/** The header, taken apart by hand. */
export function partsOf(received: Pick<Received, 'headers'>): Parts {
  const text = received.headers['service-signature'] as string
  const [, t, v1, v2, v3] = /^t=(\d+),v1=([0-9a-f]{64}),v2=([0-9a-f]{64}),v3=([0-9a-f]{64})$/.exec(text)!
  return { t: t!, v1: v1!, v2: v2!, v3: v3! }
}

/** The digests of a body, step by step as the specification computes them, with nothing of ours. */
export function digestsOf(bytes: Buffer, t: string, secret: string, apiKey: string): Omit<Parts, 't'> {
  const text = bytes.toString('utf8')
  const hmac = (key: string, message: string) =>
    createHmac('sha256', key).update(message, 'utf8').digest('hex')
  const squeeze = (long: string) => long.replace(/[ \n\r]/g, '')
  return {
    v1: hmac(apiKey, squeeze(text) + t),
    v2: hmac(secret, squeeze(sorted(quoted(text))) + t),
    v3: hmac(secret, bytes.toString('base64') + t),
  }
}

/** Expects all digests under the secret and the key of a sandbox, and returns their time. */
export function expectSigned(
  { sandbox: { secret, apiKeys } }: Service,
  received: Received,
  { bytes = received.bytes, apiKey = apiKeys.account } = {},
): number {
  const { t, ...digests } = partsOf(received)
  expect(digests).toEqual(digestsOf(bytes, t, secret, apiKey))
  return Number(t)
}

/** Parses JSON, but keeps each string, number and literal as the text that it is in the source. */
function quoted(text: string): unknown {
  const tokens = /"(?:[^"\\]|\\.)*"|[^\s"{}[\]:,]+/g
  return JSON.parse(text.replace(tokens, (token) => JSON.stringify(token)))
}

/** Prints it with sorted keys and without spaces. */
function sorted(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`
  const entries = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, item]) => `${name}:${sorted(item)}`).join(',')}}`
}
