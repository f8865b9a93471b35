/** A copy of the caller's options, whose names are all allowed. No message repeats a value, which might be a key. */
export function ownOptions<Options extends object>(
  options: Options,
  allowed: readonly string[],
  owner: string,
): Partial<Options> {
  const type = typeName(options)
  if (type !== 'object') {
    // Other libraries take the secret itself.
    const hint = type === 'string' && allowed.includes('secret') ? ': pass { secret }' : ''
    throw new TypeError(`${owner}: expected an options object, got ${type}${hint}`)
  }
  for (const name of Object.keys(options)) {
    if (allowed.includes(name)) continue
    const meant = closest(name, allowed)
    throw new TypeError(
      `${owner} has no option ${JSON.stringify(name)}. ` +
        (meant === undefined ? `There are: ${allowed.join(', ')}.` : `Did you mean "${meant}"?`),
    )
  }
  // Nothing comes from a prototype, so that a polluted Object.prototype sets no option.
  return Object.assign(Object.create(null) as Partial<Options>, options)
}

/** The allowed values of a number. */
interface Bounds {
  /** If it is missing, 0 is allowed too. */
  readonly above?: 0
  /** Default: `Infinity`, and that itself is allowed unless the number must be whole. */
  readonly max?: number
  readonly isWhole?: true
}

/** A number within bounds, or the default. @throws {TypeError | RangeError} */
export function numberOption<Name extends string>(
  options: Readonly<Partial<Record<Name, unknown>>>,
  name: Name,
  usual: number,
  bounds: Bounds,
): number {
  const value: unknown = options[name]
  if (value === undefined) return usual
  const { above, isWhole = false, max = isWhole ? Number.MAX_SAFE_INTEGER : Infinity } = bounds
  const end = max === Infinity ? ' (or Infinity)' : max < MAX_SECONDS ? `, at most ${max}` : ''
  const start = `"${name}" must be ${isWhole ? 'a whole number ' : ''}`
  const rule = `${start}${above === 0 ? 'greater than 0' : '0 or greater'}${end}`
  if (typeof value !== 'number') throw new TypeError(`${rule}, got ${typeof value}`)
  const isRight = (above === 0 ? value > 0 : value >= 0) && value <= max
  if (isRight && (!isWhole || Number.isInteger(value))) return value
  throw new RangeError(`${rule}, got ${value}`)
}

/** @throws {TypeError} unless it is a function or undefined */
export function functionOption<Value>(value: Value, name: string, what = ''): Value {
  if (value === undefined || typeof value === 'function') return value
  throw new TypeError(`"${name}" must be a function${what}, got ${typeName(value)}`)
}

/** The option `now`. @throws {TypeError} */
export function clockOption(now: (() => number) | undefined): () => number {
  return functionOption(now, 'now', ' that returns milliseconds') ?? Date.now
}

/** Any number but Infinity: every clock and every store can count a thousand years. */
export const MAX_SECONDS = 1000 * 365 * 86_400

/** The longest time-out of a timer. A longer one would be over at once. */
export const MAX_TIMER_SECONDS = 2 ** 31 / 1000 - 1

/** For the message of a `TypeError`. Not the value, which might be a key. */
export function typeName(value: unknown): string {
  if (value instanceof Promise) return 'a promise: await it'
  return value === null ? 'null' : typeof value
}

function closest(given: string, names: readonly string[]): string | undefined {
  const plain = given.toLowerCase().replace(/[^a-z]/g, '')
  const related = names.find((name) => {
    const other = name.toLowerCase()
    return plain.length > 2 && (other.startsWith(plain) || plain.startsWith(other))
  })
  if (related !== undefined) return related
  const [best] = names
    .map((name) => ({ name, distance: editDistance(plain, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= Math.min(3, plain.length / 2) ? best.name : undefined
}

/** The Levenshtein distance: how many letters to insert, delete or change. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(row[j]! + (a[i] === b[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
