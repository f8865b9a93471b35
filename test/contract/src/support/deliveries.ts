import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { createHmac } from 'node:crypto'
import { WEBHOOKS } from '../host.js'

/** The keys and the time of a known answer in public code, with which the suite checks its own signatures. */
export const secret = 'test_signature_key'
export const apiKey = 'test_api_key'
export const timestamp = 1743090080
export const now = () => timestamp * 1000

export const transaction = Buffer.from(JSON.stringify(transactionEvent()))
export const intent = Buffer.from(JSON.stringify(intentEvent()))

/** A request as a sender puts it on the wire. */
export interface Request {
  readonly path: string
  /** Values of the signature header, each sent as a line of its own. */
  readonly signature: readonly string[]
  /** Headers besides the signature and the framing. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly framing: 'length' | 'chunked'
}

/** A delivery as the service sends it, with the changes of the case. */
export function delivery({
  body = transaction,
  signature = [sign(body)],
  ...changes
}: Partial<Request> = {}): Request {
  const path = WEBHOOKS
  const headers = { 'Content-Type': 'application/json' }
  return { path, headers, framing: 'length', ...changes, body, signature }
}

/** The same delivery with other signature headers: none, one or more. */
export function deliverySigned(...signature: readonly string[]): Request {
  return delivery({ signature })
}

export function deliveryOf(body: string | Uint8Array, framing: Request['framing'] = 'length'): Request {
  return delivery({ body: Buffer.from(body as string), framing })
}

export interface Signing {
  readonly secret?: string
  readonly apiKey?: string
  readonly timestamp?: number
  readonly versions?: readonly Version[]
}

type Version = 'v1' | 'v2' | 'v3'

/** The header, by node:crypto alone and not by the code under test (see specification, Worked example). */
export function sign(body: Uint8Array, signing: Signing = {}): string {
  const t = String(signing.timestamp ?? timestamp)
  const digests = (signing.versions ?? ['v3']).map((version) => {
    const key = version === 'v1' ? (signing.apiKey ?? apiKey) : (signing.secret ?? secret)
    const message = MESSAGES[version](Buffer.from(body)) + t
    return `${version}=${createHmac('sha256', key).update(message).digest('hex')}`
  })
  return [`t=${t}`, ...digests].join()
}

const MESSAGES: Readonly<Record<Version, (body: Buffer) => string>> = {
  v1: (body) => withoutBlanks(body.toString()),
  v2: (body) => withoutBlanks(sorted(JSON.parse(body.toString()))),
  v3: (body) => body.toString('base64'),
}

function withoutBlanks(text: string): string {
  return text.replace(/[ \n\r]/g, '')
}

function sorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sorted(member)}`).join()}}`
}
