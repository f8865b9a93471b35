import { part } from './input.js'
import { splice } from './mutate/bytes.js'

/** @import { Input } from './input.js' */

/**
 * A small input that shows the same fault: all bytes of a kind are left out, then stretches, long
 * ones first, and bytes are made zeros.
 *
 * @param {Input} input
 * @param {(input: Input) => Promise<boolean>} showsFault
 * @param {number} [tries] at most so many
 */
export async function shrink(input, showsFault, tries = 4000) {
  let smallest = input
  let left = tries

  /** @param {Input} candidate */
  const isTaken = async (candidate) => {
    if (left-- <= 0 || !(await showsFault(candidate))) return false
    smallest = candidate
    return true
  }

  const names = Object.keys(input)
  // White space between all tokens, say, goes at once.
  for (const name of names) {
    for (const byte of new Set(part(input, name))) {
      await isTaken({ ...smallest, [name]: part(smallest, name).filter((other) => other !== byte) })
    }
  }
  // Twins must get shorter together.
  for (const group of [names, ...names.map((name) => [name]), names, ...names.map((name) => [name])]) {
    for (let size = longest(smallest, group); size >= 1; size = Math.floor(size / 2)) {
      let at = 0
      while (at < longest(smallest, group) && left > 0) {
        if (!(await isTaken(without(smallest, group, at, size)))) at += size
      }
    }
  }
  for (const name of names) {
    for (let at = 0; at < part(smallest, name).length && left > 0; at++) {
      const bytes = part(smallest, name)
      if (bytes[at] !== 0x30)
        await isTaken({ ...smallest, [name]: splice(bytes, at, 1, Uint8Array.of(0x30)) })
    }
  }
  return smallest
}

/**
 * @param {Input} input
 * @param {readonly string[]} names
 */
function longest(input, names) {
  return Math.max(0, ...names.map((name) => part(input, name).length))
}

/**
 * @param {Input} input
 * @param {readonly string[]} names
 * @param {number} at
 * @param {number} size
 */
function without(input, names, at, size) {
  return { ...input, ...Object.fromEntries(names.map((name) => [name, splice(part(input, name), at, size)])) }
}
