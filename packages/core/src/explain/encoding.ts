/** Encodings that people meet, on every runtime. What is no such encoding gives nothing, and nothing throws. */

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/

const ALPHABET = Uint8Array.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  (digit) => digit.charCodeAt(0),
)
const PADDING = 0x3d

/** The base64 text of bytes, as bytes: several times as fast as by way of `btoa`, and there are many to make. */
export function base64Bytes(bytes: Uint8Array): Uint8Array {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
  for (let from = 0, to = 0; from < bytes.length; from += 3) {
    // Beyond the end there is nothing, which counts as zero.
    const three = (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!
    text[to++] = ALPHABET[three >>> 18]!
    text[to++] = ALPHABET[(three >>> 12) & 63]!
    text[to++] = ALPHABET[(three >>> 6) & 63]!
    text[to++] = ALPHABET[three & 63]!
  }
  if (bytes.length % 3 > 0) text[text.length - 1] = PADDING
  if (bytes.length % 3 === 1) text[text.length - 2] = PADDING
  return text
}

export function toBase64(bytes: Uint8Array): string {
  return new TextDecoder().decode(base64Bytes(bytes))
}

/** Of either alphabet, with or without padding, also with line breaks. */
export function fromBase64(text: string): Uint8Array | undefined {
  const plain = text.replace(/[ \t\r\n]/g, '')
  if (!BASE64.test(plain)) return undefined
  const digits = plain.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  if (digits.length % 4 === 1) return undefined
  return latin1(atob(digits))
}

const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

export function toHex(bytes: Uint8Array): string {
  const text = new Uint8Array(2 * bytes.length)
  for (let i = 0; i < bytes.length; i++) {
    text[2 * i] = DIGITS[bytes[i]! >>> 4]!
    text[2 * i + 1] = DIGITS[bytes[i]! & 15]!
  }
  return new TextDecoder().decode(text)
}

export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]+$/.test(text)) return undefined
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  )
}

/** A byte for each character, none of which may be beyond 0xff. */
function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export function percentEncoded(text: string): string | undefined {
  try {
    return encodeURIComponent(text)
  } catch {
    return undefined
  }
}

export function joined(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
