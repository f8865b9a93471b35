/** @throws {Error} if it is not base64; both alphabets are read, with or without padding and white space */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const digits = text
    .replace(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '')
  const wrong = /[^A-Za-z0-9+/]/.exec(digits)
  if (wrong !== null) throw new Error(`This is not base64: it contains ${JSON.stringify(wrong[0])}.`)
  if (digits.length % 4 === 1) throw new Error('This is not base64: its length is wrong.')
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0))
}
