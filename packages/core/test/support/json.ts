import fc from 'fast-check'
import { text } from './text.js'

/** A JSON value with the details that its text can vary: how a number is written, which characters are escaped. */
export type Tree =
  | { readonly token: string }
  | { readonly items: readonly Tree[] }
  | { readonly members: readonly (readonly [key: string, value: Tree])[] }

const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: 1, maxLength: 25 })

/** Numbers at which JavaScript or Python begins to print in another way, or rounds. */
const boundaries = fc.constantFrom(
  ...[
    '-0',
    '-0.0',
    '10.0',
    '1e15',
    '1e16',
    '1e21',
    '0.0001',
    '0.00001',
    '1e-7',
    '1e400',
    '-1e400',
    '5e-324',
    '1e-400',
  ],
  ...['9007199254740993', '123456789012345680.0', '1.7976931348623157e308', '1.0000000000000002', '50.50'],
)

const anyNumber = fc
  .record({
    sign: fc.constantFrom('', '-'),
    integer: fc.oneof(
      fc.constant('0'),
      digits.map((text) => text.replace(/^0+(?=\d)/, '1')),
    ),
    fraction: fc.option(digits, { nil: undefined }),
    exponent: fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-', 'e-'), fc.nat(330)), {
      nil: undefined,
    }),
  })
  .map(
    ({ sign, integer, fraction, exponent }) =>
      sign + integer + (fraction === undefined ? '' : `.${fraction}`) + (exponent ? exponent.join('') : ''),
  )

const number = fc.oneof({ weight: 3, arbitrary: anyNumber }, { weight: 1, arbitrary: boundaries })

/** Single characters as a string token may spell them: raw, as a short escape, as \u in either case, lone surrogates. */
const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...Array.from('abcXYZ019 _-/.')) },
  { weight: 2, arbitrary: text({ minLength: 1, maxLength: 1 }).map(raw) },
  { weight: 1, arbitrary: fc.constantFrom('\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t') },
  { weight: 2, arbitrary: fc.nat(0xffff).map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\\u00E9', '\\u0020', '\\u000a', '\\uD83D\\uDE00', '\\ud83d', '\\uDE00'),
  },
  { weight: 1, arbitrary: fc.constantFrom('\u007f', '\u00e9', '\u2028', '\u{1f600}', '\ufffd', '\ufeff') },
)

/** JSON.stringify escapes characters that a string must not contain. */
function raw(characters: string): string {
  return JSON.stringify(characters).slice(1, -1)
}

const string = fc.array(character, { maxLength: 8 }).map((characters) => `"${characters.join('')}"`)

/** Keys from a small set, so that some repeat, also in another spelling, and some break naive code. */
const key = fc.oneof(
  string,
  fc.constantFrom('"a"', '"\\u0061"', '"b"', '"a b"', '"__proto__"', '"constructor"', '"10"', '"2"', '""'),
  fc.constantFrom('"\u{1f600}"', '"\ufffd"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\ud83dx"', '"toJSON"'),
)

export const trees: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(number, string, fc.constantFrom('true', 'false', 'null')).map((token) => ({ token })),
    fc.array(tie('tree'), { maxLength: 4 }).map((items) => ({ items })),
    fc.array(fc.tuple(key, tie('tree')), { maxLength: 5 }).map((members) => ({ members })),
  ),
})).tree

/** White space between tokens, as a sender's pretty printer may put it there. */
export const gaps = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 2 })

/** The text of a tree, with `gap` wherever white space is allowed. */
export function print(tree: Tree, gap = ''): string {
  if ('token' in tree) return gap + tree.token + gap
  if ('items' in tree) return `${gap}[${tree.items.map((item) => print(item, gap)).join() || gap}]${gap}`
  const members = tree.members.map(([name, value]) => `${gap}${name}${gap}:${print(value, gap)}`)
  return `${gap}{${members.join() || gap}}${gap}`
}

/** The same value with the members of each object in another order; those with a repeated key stay as they are. */
export function reversed(tree: Tree): Tree {
  if ('token' in tree) return tree
  if ('items' in tree) return { items: tree.items.map(reversed) }
  const members = tree.members.map(([name, value]) => [name, reversed(value)] as const)
  const isDistinct = new Set(members.map(([name]) => JSON.parse(name) as string)).size === members.length
  return { members: isDistinct ? members.reverse() : members }
}
