import { MAX_BYTES, part, sizeOf } from '../input.js'
import { mutateBytes } from './bytes.js'

/** @import { Input } from '../input.js' */
/** @import { Target } from '../targets/target.js' */
/** @import { Mutate } from './bytes.js' */

/**
 * Changes one part of an input, each in its own way.
 *
 * @param {Readonly<Record<string, Mutate>>} mutators by the name of the part
 * @param {readonly string[]} favorites parts that are to be changed more often
 * @returns {Target['mutate']}
 */
export function mutateParts(mutators, favorites) {
  const names = [...Object.keys(mutators), ...favorites]
  return (input, other, random) => {
    const name = random.pick(names)
    const mutate = mutators[name] ?? mutateBytes
    return bounded({ ...input, [name]: mutate(part(input, name), part(other, name), random) }, input)
  }
}

/**
 * Beside a part there is a twin, which is the same or nearly so: what arrives instead of what was signed.
 *
 * @param {string} name
 * @param {string} twin
 * @param {Target['mutate']} mutate
 * @returns {Target['mutate']}
 */
export function withTwin(name, twin, mutate) {
  return (input, other, random) => {
    const changed = mutate(input, other, random)
    const bytes = part(changed, name)
    if (random.oneIn(4)) return changed
    const like = random.oneIn(3) ? bytes : mutateBytes(bytes, part(other, name), random)
    return bounded({ ...changed, [twin]: like }, input)
  }
}

/**
 * @param {Input} input
 * @param {Input} otherwise
 */
function bounded(input, otherwise) {
  return sizeOf(input) <= MAX_BYTES ? input : otherwise
}
