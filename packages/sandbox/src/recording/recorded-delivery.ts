/** A delivery that was read from a file. */
export interface RecordedDelivery {
  /** In milliseconds since 1970. */
  readonly recordedAt: number
  readonly type: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** What was broken on purpose. It is broken again when the delivery is signed again. */
  readonly faults: readonly string[]
  /** The status of the answer; null if the endpoint did not answer. */
  readonly status: number | null
}

/** What can be broken on purpose. */
const FAULTS: readonly unknown[] = ['tamper', 'stale', 'wrong-secret', 'no-signature']

/** @throws {Error} if this is not a list of faults */
export function readFaults(value: unknown, place: string): readonly string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((fault) => FAULTS.includes(fault))) return value as string[]
  throw new Error(`${place}: the faults must be a list of ${FAULTS.join(', ')}.`)
}

/** @throws {Error} if this is not a time as `Date` reads it */
export function readTime(value: unknown, field: string, place: string): number {
  const time = typeof value === 'string' ? Date.parse(value) : NaN
  if (Number.isNaN(time)) throw new Error(`${place}: "${field}" must be a time such as 2025-03-27T15:41:20Z.`)
  return time
}

/** Returns a field of a value, if it is an object that has it. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
