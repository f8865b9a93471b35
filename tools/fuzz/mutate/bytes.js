/** @import { Random } from '../random.js' */

/**
 * @typedef {(bytes: Uint8Array, other: Uint8Array, random: Random) => Uint8Array} Mutate makes other bytes of some;
 *   `other` are those of another input, to take from
 */

/** What breaks programs that read bytes. */
const TOKENS = [
  ...[' ', '\n', '\r', '\r\n', '\t', '\0', '\u007f', '\u00a0', '\u2028', '\ufeff', '\ufffd', '\u{1f600}'],
  ...['{', '}', '[', ']', ':', ',', '"', '\\', '0', '-', '.', 'e', '\\u0000', '\\ud83d', '\\ude00', '\\/'],
  ...[
    'null',
    'true',
    '1e400',
    '-0',
    '10.0',
    '9007199254740993',
    '"__proto__":',
    '"a":1,',
    'gzip',
    'identity',
  ],
].map((text) => Buffer.from(text))
const BAD_UTF8 = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf4, 0x90, 0x80, 0x80], [0x80]]
const INSERTS = [...TOKENS, ...BAD_UTF8].map((bytes) => Uint8Array.from(bytes))

/** @type {readonly Mutate[]} */
const STEPS = [
  (bytes, _, random) => withByte(bytes, random, (byte) => byte ^ (1 << random.below(8))),
  (bytes, _, random) => withByte(bytes, random, () => random.below(256)),
  (bytes, _, random) => withByte(bytes, random, (byte) => byte + (random.oneIn(2) ? 1 : -1)),
  (bytes, _, random) => splice(bytes, random.below(bytes.length + 1), 0, random.pick(INSERTS)),
  (bytes, _, random) => splice(bytes, random.below(bytes.length + 1), 0, random.pick(INSERTS)),
  (bytes, _, random) => splice(bytes, random.below(bytes.length + 1), 1 + random.below(4)),
  (bytes, _, random) => bytes.slice(0, random.below(bytes.length + 1)),
  (bytes, _, random) => {
    const [from, to] = stretch(bytes, random)
    return splice(bytes, from, to - from)
  },
  (bytes, _, random) => {
    const [from, to] = stretch(bytes, random)
    return splice(bytes, random.below(bytes.length + 1), 0, bytes.slice(from, to))
  },
  (bytes, other, random) => {
    const [from, to] = stretch(other, random)
    return splice(bytes, random.below(bytes.length + 1), random.below(4), other.slice(from, to))
  },
]

/**
 * One to four small changes, and now and then a large one.
 *
 * @type {Mutate}
 */
export function mutateBytes(bytes, other, random) {
  let changed = bytes
  for (let steps = 1 + random.below(4); steps > 0; steps--)
    changed = random.pick(STEPS)(changed, other, random)
  return random.oneIn(200) ? repeated(changed, random) : changed
}

/**
 * For bytes that choose options.
 *
 * @type {Mutate}
 */
export function mutateSetup(bytes, _, random) {
  const setup = new Uint8Array(8)
  setup.set(bytes.subarray(0, 8))
  setup[random.below(8)] = random.oneIn(2) ? 0 : random.below(16)
  return setup
}

/**
 * A stretch of the bytes up to 32 KB long, by saying it again and again: what is slow shows here.
 *
 * @param {Uint8Array} bytes
 * @param {Random} random
 */
function repeated(bytes, random) {
  const [from, to] = stretch(bytes, random)
  const count = Math.floor((1 + random.below(32_768)) / (to - from || 1))
  const copies = new Uint8Array((to - from) * count)
  for (let i = 0; i < count; i++) copies.set(bytes.subarray(from, to), i * (to - from))
  return splice(bytes, to, 0, copies)
}

/**
 * The bytes without `count` of them from `at` on, and others in their place.
 *
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} count
 * @param {Uint8Array} [inserted]
 */
export function splice(bytes, at, count, inserted = new Uint8Array()) {
  return Uint8Array.from(Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + count)]))
}

/**
 * @param {Uint8Array} bytes
 * @param {Random} random
 * @param {(byte: number) => number} change
 */
function withByte(bytes, random, change) {
  const at = random.below(bytes.length)
  return splice(bytes, at, 1, Uint8Array.of(change(bytes[at] ?? 0)))
}

/**
 * @param {Uint8Array} bytes
 * @param {Random} random
 * @returns {[from: number, to: number]}
 */
function stretch({ length }, random) {
  const from = random.below(length)
  return [from, Math.min(length, from + 1 + random.below(random.oneIn(4) ? length : 16))]
}
