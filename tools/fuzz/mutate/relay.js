import { Random } from '../random.js'
import { print } from './json.js'

/** @import { Node } from '../oracle/json.js' */

/**
 * The same values in another layout: keys in another order, and white space between the tokens.
 *
 * @param {Node} root
 * @param {number} seed
 */
export function relaid(root, seed) {
  const random = new Random(seed)
  return Uint8Array.from(Buffer.from(print(reordered(root, random), random.pick(['', ' ', '\n', '\r\n\t']))))
}

/**
 * @param {Node} node
 * @param {Random} random
 * @returns {Node}
 */
function reordered(node, random) {
  if (node.kind === 'array')
    return { kind: 'array', items: node.items.map((item) => reordered(item, random)) }
  if (node.kind !== 'object') return node
  const names = new Set(node.members.map(([key]) => key.value))
  const places = node.members.map((member) => ({ member, place: random.next() }))
  // Of a repeated key the last wins, so there the order says something.
  if (names.size === node.members.length) places.sort((a, b) => a.place - b.place)
  return {
    kind: 'object',
    members: places.map(({ member: [key, value] }) => [key, reordered(value, random)]),
  }
}
