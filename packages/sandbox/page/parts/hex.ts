const PER_LINE = 16

/** Bytes as people read them: the position, the bytes, and the letters that they are in ASCII. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let start = 0; start < bytes.length; start += PER_LINE) {
    const line = [...bytes.subarray(start, start + PER_LINE)]
    const digits = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const letters = line
      .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'))
      .join('')
    const position = start.toString(16).padStart(6, '0')
    lines.push(`${position}  ${digits.padEnd(PER_LINE * 3 - 1)}  ${letters}`)
  }
  return lines.join('\n')
}
