import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/** Any character of Unicode. */
const character = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  // With the way back, fast-check also puts strings like "__proto__" among the texts.
  (value) => {
    const [one = '', ...others] = value as string
    const code = others.length > 0 ? NaN : one.codePointAt(0)!
    return code < SURROGATES.first ? code : code - SURROGATES.count
  },
)

/**
 * Text of any characters, control characters included. `unit: 'binary'` of fast-check gives the same, but makes a table
 * of all of Unicode first, which takes a second in each test file.
 */
export function text(lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) {
  return fc.string({ ...lengths, unit: character })
}
