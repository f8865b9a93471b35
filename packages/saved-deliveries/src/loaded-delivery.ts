/** A delivery that was read from a file or from pasted text. */
export interface LoadedDelivery {
  /** What tells it from others of the same file. */
  readonly label: string
  readonly header: string | null
  readonly body: Uint8Array
  /** When it was received, in milliseconds, if that was saved. */
  readonly receivedAt?: number
  /** What may have been lost when it was saved. */
  readonly notes: readonly string[]
}

/** Returns a field of a value, if it is an object that has it. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** The time in milliseconds that a date names, as a field to spread. */
export function receivedAtIn(date: unknown): { readonly receivedAt?: number } {
  const time = typeof date === 'string' ? Date.parse(date) : NaN
  return Number.isNaN(time) ? {} : { receivedAt: time }
}

/** The value of `Service-Signature`. Values of a header that was sent twice are joined, as Node and proxies do. */
export function signatureIn(headers: readonly (readonly [name: string, value: string])[]): string | null {
  const values = headers.filter(([name]) => name.toLowerCase() === 'service-signature')
  return values.length === 0 ? null : values.map(([, value]) => value).join(', ')
}
