/** The bytes of which a text is a list: as `JSON.stringify` or `String` print a Buffer, or Python its `bytes`. */
export function printedBytes(text: string): Uint8Array | undefined {
  const list = /^b(?=['"])/.test(text) ? python(text.trimEnd().slice(2, -1)) : numbers(text)
  if (list === undefined || list.length === 0 || !list.every(isByte)) return undefined
  return Uint8Array.from(list)
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xff
}

/** `{"type":"Buffer","data":[123]}`, `{"0":123}`, `[123]` or `123,34`. */
function numbers(text: string): readonly unknown[] | undefined {
  if (/^\d[\d,]*$/.test(text)) return text.split(',').map(Number)
  if (!/^[{[]/.test(text)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (Array.isArray(value)) return value as readonly unknown[]
  const { data } = value as { readonly data?: unknown }
  return Array.isArray(data) ? (data as readonly unknown[]) : Object.values(value as object)
}

const ESCAPE = /\\(?:x([0-9a-f]{2})|(.))/gs
const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** What stands between the quotes of `b'...'`. */
function python(text: string): readonly number[] {
  const plain = text.replace(ESCAPE, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (SHORT[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Array.from(plain, (character) => character.charCodeAt(0))
}
