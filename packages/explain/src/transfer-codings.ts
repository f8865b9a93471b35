import { joined } from './encodings.js'

/** Functions of `node:zlib`, which Deno, Bun and Workers have, but browsers do not. */
type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array

interface Zlib {
  readonly gunzipSync: Decompress
  readonly inflateSync: Decompress
  readonly inflateRawSync: Decompress
  readonly brotliDecompressSync: Decompress
}

interface Platform {
  readonly process?: { readonly getBuiltinModule?: (name: 'node:zlib') => Zlib | undefined }
}

/** The default limit of a body to explain. It also limits the cost of a forged body. */
const MAX_LENGTH = 64 * 1024

/** The bytes decompressed in each way that works; nothing without `node:zlib`. */
export function decompressed(bytes: Uint8Array): readonly (readonly [name: string, bytes: Uint8Array])[] {
  const zlib = (globalThis as Platform).process?.getBuiltinModule?.('node:zlib')
  if (zlib === undefined || bytes.length < 10 || !isBinary(bytes)) return []
  const ways: readonly (readonly [name: string, decompress: Decompress])[] =
    compressionOf(bytes) === 'gzip'
      ? [['gzip', zlib.gunzipSync]]
      : [
          ['deflate', zlib.inflateSync],
          ['deflate without a header', zlib.inflateRawSync],
          ['brotli', zlib.brotliDecompressSync],
        ]
  for (const [name, decompress] of ways) {
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
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 256).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20))
}

const SIZE_LINE = /^([0-9a-fA-F]{1,6})(?:;[^\r\n]{0,64})?\r\n/

/** The content of the chunks; undefined if it is not chunked. The last chunk, or a part of one, may be missing. */
export function fromChunks(bytes: Uint8Array): Uint8Array | undefined {
  const parts: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const line = SIZE_LINE.exec(String.fromCharCode(...bytes.subarray(at, at + 80)))
    if (line === null) return undefined
    const size = Number.parseInt(line[1]!, 16)
    const start = at + line[0].length
    if (size === 0) break
    parts.push(bytes.subarray(start, start + size))
    at = start + size + 2
  }
  return parts.length === 0 ? undefined : joined(...parts)
}
