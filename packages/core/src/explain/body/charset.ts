import type { SignedBodies } from './row.js'
import { BodyView } from './view.js'

/** What Windows-1252 has at 0x80 to 0x9f, where Latin-1 has control characters. */
const WINDOWS_1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

/** The characters from 0x80 on. */
const LATIN_1 = String.fromCharCode(...Array.from({ length: 0x80 }, (_, index) => index + 0x80))

/** A charset whose lower half is ASCII. */
interface Charset {
  readonly charset: string
  readonly high: string
  /** The same characters in UTF-8. */
  readonly utf8: readonly Uint8Array[]
}

const CHARSETS: readonly Charset[] = [
  charsetOf('Latin-1', LATIN_1),
  charsetOf('Windows-1252', WINDOWS_1252 + LATIN_1.slice(WINDOWS_1252.length)),
]

function charsetOf(charset: string, high: string): Charset {
  const encoder = new TextEncoder()
  return { charset, high, utf8: Array.from(high, (character) => encoder.encode(character)) }
}

/** What may have been signed, if somebody took the body for text of another charset. */
export function* misread({ bytes, text }: BodyView): SignedBodies {
  const wide = utf16(bytes)
  if (wide !== undefined) {
    yield { body: BodyView.ofText(wide), happened: 'the body was signed as UTF-8, and arrived as UTF-16' }
  }
  if (bytes.every((byte) => byte < 0x80)) return
  for (const { charset, high, utf8 } of CHARSETS) {
    const signed = text === undefined ? undefined : encode(text, high)
    if (signed !== undefined) {
      const body = new BodyView(signed)
      const happened =
        body.text === undefined
          ? `the body was signed in ${charset}, and arrived as UTF-8`
          : `the body was signed as UTF-8, and was read as ${charset} and written as UTF-8 before it arrived`
      yield { body, happened }
    }
    yield {
      body: new BodyView(decode(bytes, utf8)),
      happened: `the body was signed as UTF-8, and arrived in ${charset}`,
    }
  }
}

/** The UTF-8 of bytes in a charset. */
function decode(bytes: Uint8Array, utf8: Charset['utf8']): Uint8Array {
  const text = new Uint8Array(3 * bytes.length)
  let length = 0
  for (const byte of bytes) {
    if (byte < 0x80) text[length++] = byte
    else for (const part of utf8[byte - 0x80]!) text[length++] = part
  }
  return text.subarray(0, length)
}

/** The bytes of a text in a charset; nothing, where a character is none of it. */
function encode(text: string, high: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const place = code < 0x80 ? 0 : high.indexOf(text[i]!)
    if (place === -1) return undefined
    bytes[i] = code < 0x80 ? code : place + 0x80
  }
  return bytes
}

/** Text in which every other byte of the first character is zero, as in JSON; a byte order mark is passed over. */
function utf16(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined
  const hasMark = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const start = hasMark ? 2 : 0
  const low = bytes[start] === 0 ? 1 : 0
  if (bytes[start + 1 - low] !== 0) return undefined
  const units = Array.from({ length: (bytes.length - start) / 2 }, (_, i) => {
    const at = start + 2 * i
    return String.fromCharCode(bytes[at + low]! | (bytes[at + 1 - low]! << 8))
  })
  return units.join('')
}
