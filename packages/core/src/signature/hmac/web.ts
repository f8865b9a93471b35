import { toFingerprint, type AsyncHmac, type Message } from './hmac.js'

interface Key {
  readonly imported: ReturnType<typeof crypto.subtle.importKey>
  /** Set when `imported` is there. */
  fingerprint: string
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }

// As many bytes as may be the arguments of one call; a multiple of three, so that there is no padding in between.
const PIECE = 6 * 1024

/** HMAC over Web Crypto. */
export const webHmac: AsyncHmac<Key> = { isAsync: true, importKey, matches, fingerprintOf, sha256 }

function importKey(key: string | Uint8Array): Key {
  const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : new Uint8Array(key)
  const result = { imported: importBytes(), fingerprint: '' }
  async function importBytes() {
    const hash = await sha256(bytes)
    result.fingerprint = toFingerprint(hash)
    return crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['verify'])
  }
  return result
}

async function matches(key: Key, message: Message, timestamp: string, digest: string): Promise<boolean> {
  const signed = signedBytes(message, timestamp)
  // Compares in constant time.
  return crypto.subtle.verify('HMAC', await key.imported, fromHex(digest), signed)
}

function fingerprintOf({ fingerprint }: Key): string {
  return fingerprint
}

async function sha256(bytes: Uint8Array, prefix = ''): Promise<string> {
  const start = new TextEncoder().encode(prefix)
  const message = new Uint8Array(start.length + bytes.length)
  message.set(start)
  message.set(bytes, start.length)
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', message)))
}

/** Web Crypto takes a message only whole. */
function signedBytes({ bytes, base64 }: Message, timestamp: string): Uint8Array<ArrayBuffer> {
  const end = new TextEncoder().encode(timestamp)
  const message = new Uint8Array((base64 ? Math.ceil(bytes.length / 3) * 4 : bytes.length) + end.length)
  if (base64) writeBase64(bytes, message)
  else message.set(bytes)
  message.set(end, message.length - end.length)
  return message
}

function writeBase64(bytes: Uint8Array, target: Uint8Array): void {
  const encoder = new TextEncoder()
  for (let start = 0, written = 0; start < bytes.length; start += PIECE) {
    const text = btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE)))
    written += encoder.encodeInto(text, target.subarray(written)).written
  }
}

function fromHex(digest: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(digest.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(digest.slice(i * 2, i * 2 + 2), 16)
  return bytes
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
