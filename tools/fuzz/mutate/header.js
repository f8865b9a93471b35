import { mutateBytes } from './bytes.js'

/** @import { Random } from '../random.js' */
/** @import { Mutate } from './bytes.js' */

const ELEMENTS = [
  ...['{v3}', '{v2}', '{v1}'].flatMap((digest) => [`v3=${digest}`, `v2=${digest}`, `v1=${digest}`]),
  ...['t=1743090080', 't=1743090081', 't=01743090080', 't=0', 't=', 't=999999999999', 't=1743090080000'],
  ...['t=+1743090080', 't=1743090080.0', 't=1e9', 't= 1743090080', 'T=1743090080', 't=\u0661'],
  ...['v4={v3}', 'v30={v3}', 'v3', 'v3==', '=', '', ' ', '__proto__=1', 'constructor=1', 'v3={v3}0'],
  ...[`v3=${'0'.repeat(64)}`, `v3=${'A'.repeat(64)}`, `v3=${'0'.repeat(63)}\u0661`, 'v\u0131=1', 'a\nb=1'],
  ...['x='.padEnd(900, 'x'), 'x=1,'.repeat(15).slice(0, -1)],
]
const SEPARATORS = [',', ', ', ' ,', '\t,\t', ';', ',,', '\u00a0,', '\n', ',\n']

/**
 * Changes of elements, or of characters.
 *
 * @type {Mutate}
 */
export function mutateHeader(bytes, other, random) {
  if (random.oneIn(3)) return mutateBytes(bytes, other, random)
  const elements = elementsOf(bytes)
  for (let steps = 1 + random.below(3); steps > 0; steps--) change(elements, elementsOf(other), random)
  const separator = random.oneIn(2) ? ',' : random.pick(SEPARATORS)
  return Uint8Array.from(Buffer.from(elements.join(separator)))
}

/**
 * @param {string[]} elements
 * @param {readonly string[]} others
 * @param {Random} random
 */
function change(elements, others, random) {
  const at = random.below(elements.length + 1)
  const removed = random.below(2)
  switch (random.below(4)) {
    case 0:
      elements.splice(at, removed, random.pick(ELEMENTS))
      break
    case 1:
      elements.splice(at, removed, random.pick([...others, ',']))
      break
    case 2:
      elements.splice(at, 1)
      break
    default:
      elements.splice(at, 0, ...elements.splice(random.below(elements.length), 1))
  }
}

/** @param {Uint8Array} bytes */
function elementsOf(bytes) {
  return Buffer.from(bytes).toString().split(',')
}
