import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib'
import { fieldOf, parsedJson } from './delivery.js'
import { printable } from './printable.js'

// The end of an answer may be missing.
const ZLIB = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1024 * 1024 }
const BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength: 1024 * 1024 }

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, ZLIB),
  deflate: (bytes) => inflateSync(bytes, ZLIB),
  br: (bytes) => brotliDecompressSync(bytes, BROTLI),
}

/** The body of an answer as text: without its Content-Encoding, in its charset. What cannot be decoded is read as it is. */
export function answerText(headers: IncomingHttpHeaders, body: Uint8Array): string {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '') ?? []
  const bytes = attempted(() => DECODERS[headers['content-encoding'] ?? '']?.(body)) ?? body
  return attempted(() => new TextDecoder(charset).decode(bytes)) ?? Buffer.from(bytes).toString()
}

function attempted<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The fields in which an API says what is wrong, the most exact first. A message may be a list. */
const FIELDS = [
  'detail',
  'message',
  'error_description',
  'reason',
  'error',
  'errors',
  'title',
  'msg',
] as const

/** What an endpoint says in its answer, on one line without control characters; undefined if it says nothing. */
export function answerLine(text: string): string | undefined {
  const said = inJson(parsedJson(text), 3) ?? (/^\s*</.test(text) ? inHtml(text) : text)
  const line = said.split('\n').find((each) => each.trim() !== '') ?? ''
  return printable(line.replace(/\s+/g, ' '), 197) || undefined
}

function inJson(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (Array.isArray(value)) return inJson(value[0], depth)
  if (depth === 0) return undefined
  for (const name of FIELDS) {
    const found = inJson(fieldOf(value, name), depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** The first line of preformatted text, as Express and Django print an error; else all that is shown. */
function inHtml(html: string): string {
  const [, lines] = /<pre[^>]*>(.*?)(?:<\/pre>|$)/is.exec(html) ?? []
  if (lines !== undefined) return plain(lines.replace(/<br\b[^>]*>/gi, '\n'))
  const [, title = ''] = /<title[^>]*>([^<]*)/i.exec(html) ?? []
  const shown = html.replace(/<(head|script|style|svg)\b.*?(?:<\/\1>|$)/gis, ' ')
  return plain(shown).replace(/\s+/g, ' ').trim() || plain(title)
}

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  nbsp: ' ',
}

function plain(html: string): string {
  return html
    .replace(/<[^>]*(?:>|$)/g, ' ')
    .replace(/&(#?)(x?)([\da-z]{1,8});/gi, (entity, number: string, hex: string, name: string) => {
      if (number === '') return ENTITIES[hex + name] ?? entity
      const code = parseInt(name, hex === '' ? 10 : 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity
    })
}
