import { WebhookError } from '@service-signature/core'

/** What was made for a key before, or is made now. */
export function once<Key, Made>(
  known: { has(key: Key): boolean; get(key: Key): Made | undefined; set(key: Key, made: Made): unknown },
  key: Key,
  make: () => Made,
): Made {
  if (!known.has(key)) known.set(key, make())
  return known.get(key) as Made
}

/** The result of the call, or the error with which it refuses its input. Any other error is a bug and is rethrown. */
export function resultOf<Result>(call: () => Result): Result | Error {
  try {
    return call()
  } catch (error) {
    if (WebhookError.is(error) || error instanceof SyntaxError || error instanceof URIError) return error
    throw error
  }
}

/** The result of the call, or undefined if it refuses its input. */
export function ifValid<Result>(call: () => Result): Result | undefined {
  const result = resultOf(call)
  return result instanceof Error ? undefined : result
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export function halfOf(text: string): string | undefined {
  const one = text.slice(0, text.length / 2)
  return one !== '' && one + one === text ? one : undefined
}

export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** Decodes both alphabets, with or without padding and line breaks. */
export function fromBase64(text: string): Uint8Array | undefined {
  const plain = text.replace(/[ \t\r\n]/g, '')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(plain)) return undefined
  const digits = plain.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  if (digits.length % 4 === 1) return undefined
  return latin1Bytes(atob(digits))
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function fromHex(text: string): Uint8Array | undefined {
  if (!/^(?:[0-9a-fA-F]{2})+$/.test(text)) return undefined
  return Uint8Array.from(text.match(/../g)!, (digits) => Number.parseInt(digits, 16))
}

export function percentDecoded(text: string): string | undefined {
  return ifValid(() => decodeURIComponent(text))
}

/** Takes one byte of each character. */
export function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** The characters of Windows-1252 at 0x80 to 0x9f, which the TextDecoder of Node 20 takes for Latin-1. */
const WINDOWS_1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'
const LATIN_1 = String.fromCharCode(...Array.from({ length: 0x80 }, (_, index) => index + 0x80))

/** Charsets whose lower half is ASCII, with their characters from 0x80 on. */
export const CHARSETS = [
  { name: 'Latin-1', high: LATIN_1 },
  { name: 'Windows-1252', high: WINDOWS_1252 + LATIN_1.slice(WINDOWS_1252.length) },
] as const

export type Charset = (typeof CHARSETS)[number]

export function decodeCharset(bytes: Uint8Array, { high }: Charset): string {
  // Not by Uint16Array.from, which takes ten times as long.
  const units = new Uint16Array(bytes)
  units.forEach((byte, at) => {
    if (byte >= 0x80) units[at] = high.charCodeAt(byte - 0x80)
  })
  return new TextDecoder('utf-16le').decode(units)
}

export function encodeCharset(text: string, { high }: Charset): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const place = code < 0x80 ? code - 0x80 : high.indexOf(text[i]!)
    if (code >= 0x80 && place === -1) return undefined
    bytes[i] = place + 0x80
  }
  return bytes
}

/** Undefined unless one byte of the first character is zero, as in JSON. A byte order mark is skipped. */
export function fromUtf16(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined
  const hasMark = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const start = hasMark ? 2 : 0
  const isBigEndian = bytes[start] === 0
  if (!isBigEndian && bytes[start + 1] !== 0) return undefined
  const littleEndian = isBigEndian ? bytes.map((_, at) => bytes[at ^ 1]!) : bytes
  return new TextDecoder('utf-16le').decode(littleEndian)
}

/** The bytes that a text lists, as `JSON.stringify` or `String` print a Buffer, or Python prints its `bytes`. */
export function fromPrintedBytes(text: string): Uint8Array | undefined {
  if (/^7[bB]22|^5[bB]7[bB]/.test(text)) return fromHex(text.trim())
  if (/^b['"]/.test(text)) return fromPythonBytes(text.trimEnd().slice(2, -1))
  const isByte = (value: unknown): value is number => Number.isInteger(value) && (value as number) >>> 8 === 0
  const list = listedNumbers(text)
  return list.length > 0 && list.every(isByte) ? Uint8Array.from(list) : undefined
}

/** `{"type":"Buffer","data":[123]}`, `{"0":123}`, `[123]`, `[123 34]` or `123,34`. */
function listedNumbers(text: string): readonly unknown[] {
  if (/^\[\d+(?: \d+)+\]\s*$/.test(text)) return text.trim().slice(1, -1).split(' ').map(Number)
  if (/^\d[\d,]*$/.test(text)) return text.split(',').map(Number)
  const value = /^[{[]/.test(text)
    ? ifValid(() => JSON.parse(text) as { readonly data?: unknown })
    : undefined
  return Array.isArray(value?.data) ? (value.data as readonly unknown[]) : Object.values(value ?? {})
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** The text between the quotes of `b'...'`, which is ASCII with escapes. */
function fromPythonBytes(text: string): Uint8Array | undefined {
  const plain = text.replace(/\\(?:x([0-9a-f]{2})|(.))/gis, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (SHORT_ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return /[^\0-\xff]/.test(plain) || plain === '' ? undefined : latin1Bytes(plain)
}

/** Bytes that a log has as `\x22`; the others are as they were. */
export function fromLog(text: string): Uint8Array | undefined {
  return /^[{[]\s*\\x22/.test(text) ? fromPythonBytes(text.replace(/\\(?!x)/g, '\\\\')) : undefined
}

/** Undefined unless it is ASCII with at least one escape or soft line break. */
export function fromQuotedPrintable(text: string): string | undefined {
  if (!/=(?:[0-9A-F]{2}|\r?\n)/.test(text) || /[^\0-\x7f]/.test(text)) return undefined
  const joined = text.replace(/=\r?\n/g, '').replaceAll('%', '%25')
  return percentDecoded(joined.replace(/=(?=[0-9A-F]{2})/g, '%'))
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  euro: '\u20ac',
}
/** The names of the characters from 0xa0 to 0xff. */
const NAMES_OF_LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 ' +
  'sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc ' +
  'Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve ' +
  'Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc ' +
  'atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve ' +
  'oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

/** Text without the entities of HTML; of those with a name, the ones that all escape, and those of Latin-1. */
export function withoutEntities(text: string): string {
  const names = NAMES_OF_LATIN_1.split(' ')
  return text.replace(
    /&(?:#x([0-9a-f]{1,5})|#(\d{1,6})|([a-z]\w{1,7}));/gi,
    (entity: string, hex?: string, digits?: string, given?: string) => {
      const name = given ?? ''
      const code = hex === undefined ? Number(digits ?? 0) : Number.parseInt(hex, 16)
      if (code > 0) return String.fromCodePoint(code)
      const at = names.indexOf(name)
      return at === -1 ? (ENTITIES[name.toLowerCase()] ?? entity) : String.fromCharCode(0xa0 + at)
    },
  )
}

/** The default limit of a body to explain. It also limits the cost of a forged body. */
const MAX_LENGTH = 64 * 1024

/** The bytes decompressed in each way that works; nothing without `node:zlib`. */
export function decompressed(bytes: Uint8Array): readonly (readonly [name: string, bytes: Uint8Array])[] {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> }
  const zlib = process?.getBuiltinModule?.('node:zlib')
  if (zlib === undefined || bytes.length < 10 || !isBinary(bytes)) return []
  const ways = [
    ['gzip', zlib.gunzipSync],
    ['deflate', zlib.inflateSync],
    ['deflate without a header', zlib.inflateRawSync],
    ['brotli', zlib.brotliDecompressSync],
  ] as const
  const isGzip = compressionOf(bytes) === 'gzip'
  for (const [name, decompress] of ways.filter((way) => isGzip === (way[0] === 'gzip'))) {
    try {
      return [[name, decompress(bytes, { maxOutputLength: MAX_LENGTH })]]
    } catch {
      // The body is compressed in another way, cut off, or too large.
    }
  }
  return []
}

/** The compression that the first bytes show. Brotli and raw deflate cannot be recognized. */
export function compressionOf(bytes: Uint8Array): 'gzip' | 'deflate' | 'zstd' | undefined {
  const [a, b, c, d] = bytes
  if (a === 0x1f && b === 0x8b) return 'gzip'
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return 'zstd'
  return a === 0x78 && b !== undefined && ((a << 8) | b) % 31 === 0 ? 'deflate' : undefined
}

/** JSON contains no such characters, and compressed bytes contain many. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 256).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20))
}
