/** The body that arrived in chunks (RFC 9112, 7.1), or nothing where these bytes are no chunks. */
export function decodeChunked(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\n', at)
    if (lineEnd === -1) return undefined
    const line = bytes.toString('latin1', at, lineEnd)
    const match = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?\r?$/i.exec(line)
    if (match === null) return undefined
    const length = parseInt(match[1]!, 16)
    if (length === 0) return Buffer.concat(chunks)
    const start = lineEnd + 1
    const end = start + length
    const breakLength = bytes[end] === CR ? 2 : 1
    if (bytes[end + breakLength - 1] !== LF) return undefined
    chunks.push(bytes.subarray(start, end))
    at = end + breakLength
  }
}

const CR = 0x0d
const LF = 0x0a
