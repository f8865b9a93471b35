/** The bytes without what S6.4 and S6.5 call spaces and line breaks: U+0020, U+000A, U+000D. A tab is none. */
export function withoutSpaces(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length)
  let length = 0
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d) kept[length++] = byte
  }
  return kept.subarray(0, length)
}
