import { readJson } from '../oracle/json.js'
import { mutateBytes } from './bytes.js'

/** @import { Node, Text } from '../oracle/json.js' */
/** @import { Random } from '../random.js' */
/** @import { Mutate } from './bytes.js' */

const NUMBERS = [
  ...[
    '0',
    '-0',
    '-0.0',
    '0e5',
    '1',
    '10.0',
    '1e5',
    '1E+5',
    '1e-7',
    '0.1',
    '1e15',
    '1e16',
    '1e21',
    '123456789012345680.0',
  ],
  ...[
    '9007199254740993',
    '12345678901234567890',
    '1e400',
    '-1e400',
    '5e-324',
    '1e-400',
    '1.7976931348623157e308',
  ],
  ...['0.0001', '0.00001', '100000000000000000000000', '4.35', '7.10', '50.50', '1.0000000000000002'],
]
const STRINGS = [
  ...[
    '',
    'a',
    'a b',
    ' ',
    '\\u0061',
    '\\u0020',
    '\\n',
    '\\r',
    '\\/',
    '\\"',
    '\\\\',
    '\u007f',
    '\u00e9',
    '\\u00E9',
  ],
  ...[
    '\u{1f600}',
    '\\ud83d\\ude00',
    '\\uD83D',
    '\\ude00',
    '\ufffd',
    '\ufeff',
    '\u2028',
    'e\u0301',
    '\\u0000',
  ],
  ...[
    '__proto__',
    'constructor',
    'toJSON',
    'length',
    '10',
    '2',
    '01',
    'type',
    'transaction.',
    'intent.processed',
  ],
].map((text) => `"${text}"`)
const LITERALS = ['true', 'false', 'null']
const OTHERS = ['{}', '[]', '[[]]', '{"a":{}}', '[1,{"b":2}]', '{"b":1,"a":2,"b":3}', '{"a":1,"\\u0061":2}']
const GAPS = ['', ' ', '\n', '\r\n', '\t', '  ']

/**
 * Changes of values and keys where the bytes are JSON, and of bytes where they are not, or now and then.
 *
 * @type {Mutate}
 */
export function mutateJson(bytes, other, random) {
  const root = random.oneIn(4) ? undefined : readJson(bytes)
  if (root === undefined) return mutateBytes(bytes, other, random)
  const donor = readJson(other)
  let changed = root
  for (let steps = 1 + random.below(3); steps > 0; steps--) changed = changeNode(changed, donor, random)
  if (random.oneIn(100)) changed = nested(changed, random)
  return Uint8Array.from(Buffer.from(print(changed, random.oneIn(2) ? '' : random.pick(GAPS))))
}

/**
 * Walks to a place that it picks, and changes what is there.
 *
 * @param {Node} node
 * @param {Node | undefined} donor
 * @param {Random} random
 * @returns {Node}
 */
function changeNode(node, donor, random) {
  const size = node.kind === 'array' ? node.items.length : node.kind === 'object' ? node.members.length : 0
  if (size === 0 || random.oneIn(8)) return newNode(node, donor, random)
  const at = random.below(size)
  const action = random.below(8)
  if (node.kind === 'array') {
    const items = [...node.items]
    const item = /** @type {Node} */ (items[at])
    if (action === 0) items.splice(at, 1)
    else if (action === 1) items.splice(random.below(size + 1), 0, item)
    else items[at] = changeNode(item, donor, random)
    return { kind: 'array', items }
  }
  if (node.kind !== 'object') return node
  const members = [...node.members]
  const [key, value] = /** @type {[Text, Node]} */ (members[at])
  if (action === 0) members.splice(at, 1)
  else if (action === 1) members.splice(random.below(size + 1), 0, [key, newNode(value, donor, random)])
  else if (action === 2) members.splice(random.below(size + 1), 0, ...members.splice(at, 1))
  else if (action === 3) members[at] = [string(random.pick(STRINGS)), value]
  else if (action === 4) members[at] = [respelled(key, random), value]
  else members[at] = [key, changeNode(value, donor, random)]
  return { kind: 'object', members }
}

/**
 * @param {Node} node
 * @param {Node | undefined} donor
 * @param {Random} random
 * @returns {Node}
 */
function newNode(node, donor, random) {
  switch (random.below(7)) {
    case 0:
      return { kind: 'token', token: random.pick(NUMBERS) }
    case 1:
      return { kind: 'token', token: String(random.below(2 ** 32) * 10 ** (random.below(40) - 20)) }
    case 2:
      return string(random.pick(STRINGS))
    case 3:
      return { kind: 'token', token: random.pick(LITERALS) }
    case 4:
      return random.oneIn(2)
        ? { kind: 'array', items: [node] }
        : { kind: 'object', members: [[string('"a"'), node]] }
    case 5:
      return readJson(Buffer.from(random.pick(OTHERS))) ?? node
    default:
      return node.kind === 'string' ? respelled(node, random) : (donor ?? node)
  }
}

/**
 * The same string in other escapes.
 *
 * @param {Text} text
 * @param {Random} random
 */
function respelled({ value }, random) {
  const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at))
  const spelled = units.map((unit) => {
    if (random.oneIn(2)) return JSON.stringify(String.fromCharCode(unit)).slice(1, -1)
    const hex = unit.toString(16).padStart(4, '0')
    return `\\u${random.oneIn(2) ? hex : hex.toUpperCase()}`
  })
  return string(`"${spelled.join('')}"`)
}

/**
 * Around the limit of 512 levels.
 *
 * @param {Node} node
 * @param {Random} random
 */
function nested(node, random) {
  let around = node
  const isArray = random.oneIn(2)
  for (let levels = 505 + random.below(12); levels > 0; levels--) {
    around = isArray
      ? { kind: 'array', items: [around] }
      : { kind: 'object', members: [[string('"a"'), around]] }
  }
  return around
}

/**
 * @param {string} token
 * @returns {Text}
 */
function string(token) {
  return { kind: 'string', token, value: String(JSON.parse(token)) }
}

/**
 * The text of a node, every token as it stands.
 *
 * @param {Node} node
 * @param {string} gap between all tokens
 * @returns {string}
 */
export function print(node, gap) {
  switch (node.kind) {
    case 'token':
    case 'string':
      return node.token
    case 'array':
      return `[${gap}${node.items.map((item) => print(item, gap)).join(`${gap},${gap}`)}${gap}]`
    case 'object': {
      const members = node.members.map(([key, value]) => `${key.token}${gap}:${gap}${print(value, gap)}`)
      return `{${gap}${members.join(`${gap},${gap}`)}${gap}}`
    }
  }
}
