/** A delivery that was read from a file or from pasted text. */
export interface SavedDelivery {
  /** What tells it from others of the same file. */
  readonly label: string
  /** The value of `Service-Signature`; null without it. */
  readonly header: string | null
  readonly body: Uint8Array
  /** When it was received, in milliseconds, if that was saved. */
  readonly receivedAt?: number
  /** The code with which it was refused, if its body was never read. */
  readonly refusedUnread?: string
  /** What may have been lost when it was saved. */
  readonly notes: readonly string[]
  /** What a replay needs, too. Only a HAR and a fixture have it. */
  readonly exchange?: SavedExchange
}

/** The rest of a request, and its answer, as they were saved. What is unknown is checked where it is used. */
export interface SavedExchange {
  readonly method: unknown
  readonly headers: Headers
  readonly type: unknown
  /** What was broken on purpose. */
  readonly faults: unknown
  /** The status of the answer; null without an answer. */
  readonly status: unknown
}

/** The names and values of headers in their order. */
export type Headers = readonly (readonly [name: string, value: string])[]

/** One attempt of a delivery, with its answer: what is printed, recorded and exported. It holds no key. */
export interface AttemptReport {
  /** The id of the delivery. */
  readonly delivery: string
  /** Counted from 1. */
  readonly attempt: number
  readonly type: string
  readonly url: string
  /** When the delivery was made, in milliseconds since 1970. */
  readonly created: number
  /** When the attempt was made, in milliseconds since 1970. */
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What was broken on purpose, such as `tamper`. */
  readonly faults: readonly string[]
  readonly answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string | readonly string[]>>
    /** The first 4,096 bytes. */
    readonly body: string
  } | null
  /** Why there is no answer. */
  readonly error: string | null
  readonly durationMs: number
}

/** Returns a field of a value, if it is an object that has it. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** The value that a text is the JSON of, or undefined. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The time in milliseconds that a date names, as a field to spread. */
export function receivedAtIn(date: unknown): { readonly receivedAt?: number } {
  const time = typeof date === 'string' ? Date.parse(date) : NaN
  return Number.isNaN(time) ? {} : { receivedAt: time }
}

/** The value of `Service-Signature`. Values of a header that was sent twice are joined, as Node and proxies do. */
export function signatureIn(headers: Headers): string | null {
  const values = headers.filter(([name]) => name.toLowerCase() === 'service-signature')
  return values.length === 0 ? null : values.map(([, value]) => value).join(', ')
}

/** @throws {Error} if it is not base64; both alphabets are read, with or without padding and white space */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const digits = text
    .replace(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '')
  const wrong = /[^A-Za-z0-9+/]/.exec(digits)
  if (wrong !== null) throw new Error(`This is not base64: it contains ${JSON.stringify(wrong[0])}.`)
  if (digits.length % 4 === 1) throw new Error('This is not base64: its length is wrong.')
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0))
}
