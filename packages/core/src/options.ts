/**
 * A copy of the caller's options, whose names are all known.
 *
 * Options are checked when they are passed, so that a mistake shows when the server starts and not with the first
 * delivery. No message repeats a value that might be a key.
 *
 * @throws {TypeError} on a name that is not allowed, with the name that was probably meant
 */
export function ownOptions<Options extends object>(
  options: Options,
  allowed: readonly string[],
  owner: string,
): Partial<Options> {
  const given: unknown = options
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${owner}: expected an options object, got ${given === null ? 'null' : typeof given}`)
  }
  for (const name of Object.keys(given)) {
    if (allowed.includes(name)) continue
    const meant = closest(name, allowed)
    throw new TypeError(
      `${owner} has no option ${JSON.stringify(name)}. ` +
        (meant === undefined ? `There are: ${allowed.join(', ')}.` : `Did you mean "${meant}"?`),
    )
  }
  // Nothing comes from a prototype, so that a polluted Object.prototype sets no option.
  return Object.assign(Object.create(null) as Partial<Options>, given)
}

/** A number within bounds, or the default. */
export function numberOption(
  value: unknown,
  name: string,
  rule: {
    readonly default: number
    readonly isAllowed: (value: number) => boolean
    readonly allowed: string
  },
): number {
  if (value === undefined) return rule.default
  if (typeof value !== 'number') {
    throw new TypeError(`"${name}" must be ${rule.allowed}, got ${typeof value}`)
  }
  if (!rule.isAllowed(value)) throw new RangeError(`"${name}" must be ${rule.allowed}, got ${value}`)
  return value
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
function editDistance(a: string, b: string): number {
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
