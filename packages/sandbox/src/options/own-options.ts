/**
 * A copy of the caller's options, whose names are all known.
 *
 * @throws {TypeError} on a name that is not allowed, with the one that was probably meant
 */
export function ownOptions<Options extends object>(
  options: Options,
  allowed: readonly string[],
  owner: string,
): Partial<Options> {
  const given: unknown = options
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(
      `${owner} needs an object of options, and got ${given === null ? 'null' : typeof given}`,
    )
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

function closest(given: string, names: readonly string[]): string | undefined {
  const plain = given.toLowerCase().replace(/[^a-z]/g, '')
  return names.find((name) => {
    const other = name.toLowerCase()
    return plain.length > 2 && (other.startsWith(plain) || plain.startsWith(other) || isOneSlip(plain, other))
  })
}

/** One letter too many, missing or wrong, or two letters in each other's place. */
function isOneSlip(given: string, meant: string): boolean {
  let same = 0
  while (same < given.length && given[same] === meant[same]) same++
  const [rest, other] = [given.slice(same), meant.slice(same)]
  return [
    rest.slice(1) === other,
    rest === other.slice(1),
    rest.slice(1) === other.slice(1),
    rest.slice(2) === other.slice(2) && rest.slice(0, 2) === `${other.charAt(1)}${other.charAt(0)}`,
  ].includes(true)
}
