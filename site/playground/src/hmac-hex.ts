import { toHex } from './byte-text.js'

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }

/** HMAC-SHA256 of the bytes and the text of `t`, in lowercase hex. */
export async function hmacHex(key: string, bytes: Uint8Array, timestamp: string): Promise<string> {
  const encoder = new TextEncoder()
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), ALGORITHM, false, ['sign'])
  const end = encoder.encode(timestamp)
  const message = new Uint8Array(bytes.length + end.length)
  message.set(bytes)
  message.set(end, bytes.length)
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', imported, message)))
}
