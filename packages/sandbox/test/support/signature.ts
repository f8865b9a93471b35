import { createHmac } from 'node:crypto'
import type { Received } from './endpoint.js'

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

/** What S6.3 to S6.5 make of a body, step by step, with nothing of ours. For bodies whose numbers JavaScript prints. */
export function digestsOf(bytes: Buffer, t: string, secret: string, apiKey: string): Omit<Parts, 't'> {
  const text = bytes.toString('utf8')
  const hmac = (key: string, message: string) =>
    createHmac('sha256', key).update(message, 'utf8').digest('hex')
  const squeeze = (long: string) => long.replace(/[ \n\r]/g, '')
  return {
    v1: hmac(apiKey, squeeze(text) + t),
    v2: hmac(secret, squeeze(JSON.stringify(sorted(JSON.parse(text)))) + t),
    v3: hmac(secret, bytes.toString('base64') + t),
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]))
}
