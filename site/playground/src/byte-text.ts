import { fromBase64 } from '@service-signature/deliveries'

/** How a person reads and writes bytes. */
export type ByteFormat = 'text' | 'hex' | 'base64'

/** The bytes in a format; as text, what is not UTF-8 is shown as U+FFFD. */
export function printBytes(bytes: Uint8Array, format: ByteFormat): string {
  if (format === 'hex') return inLines(toHex(bytes), 64)
  if (format === 'base64') return inLines(toBase64(bytes), 76)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** @throws {Error} if the text is not of the format */
export function readBytes(text: string, format: ByteFormat): Uint8Array {
  if (format === 'text') return new TextEncoder().encode(text)
  return format === 'hex' ? fromHex(text) : fromBase64(text)
}

/**
 * The format in which a text field shows the bytes without loss. A text field turns a carriage return into a line feed, but as
 * long as the text is not edited the bytes remain, so it does not need another format.
 */
export function formatFor(bytes: Uint8Array): ByteFormat {
  return isUtf8(bytes) ? 'text' : 'hex'
}

/** Whether a text field that is edited loses something of these bytes. */
export function hasCarriageReturn(bytes: Uint8Array): boolean {
  return bytes.includes(0x0d)
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** @throws {Error} if it is not hex; white space between the digits is skipped */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replace(/\s+/g, '')
  const wrong = /[^0-9a-f]/i.exec(digits)
  if (wrong !== null) throw new Error(`This is not hex: ${JSON.stringify(wrong[0])} is not a hex digit.`)
  if (digits.length % 2 === 1) throw new Error('This is not hex: the number of digits is odd.')
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
    Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16),
  )
}

// As many bytes as may be the arguments of one call; a multiple of three, so that there is no padding in between.
const PIECE = 6 * 1024

export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += PIECE) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE)))
  }
  return text
}

/** The same with lines of that many characters. */
function inLines(text: string, width: number): string {
  return text.replace(new RegExp(`.{${width}}(?=.)`, 'g'), '$&\n')
}
