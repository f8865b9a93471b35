import type { Message } from '../versions.js'
import { toFingerprint, type Digest, type Search } from './digest.js'

interface Key {
  readonly hmac: ReturnType<typeof crypto.subtle.importKey>
  /** Known when `hmac` is there. */
  fingerprint: string
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

// As many bytes as may be the arguments of one call; a multiple of three, or else padding would stand in between.
const PIECE = 6 * 1024

export const webDigest: Digest<Key> = {
  importKey(key) {
    const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : new Uint8Array(key)
    const imported = { hmac: hmacKey(), fingerprint: '' }
    async function hmacKey() {
      const hash = await sha256(bytes)
      imported.fingerprint = toFingerprint(hash)
      return crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify'])
    }
    return imported
  },

  isAsync: true,

  async run<Found, Result>(search: Search<Key, Found>, then: (found: Found) => Result): Promise<Result> {
    let step = search.next()
    while (step.done !== true) {
      const { key, message, timestamp, digest } = step.value
      // Compares in constant time.
      step = search.next(
        await crypto.subtle.verify('HMAC', await key.hmac, fromHex(digest), signed(message, timestamp)),
      )
    }
    return then(step.value)
  },

  fingerprintOf: ({ fingerprint }) => fingerprint,

  sha256,
}

async function sha256(bytes: Uint8Array, prefix = ''): Promise<string> {
  const start = new TextEncoder().encode(prefix)
  const message = new Uint8Array(start.length + bytes.length)
  message.set(start)
  message.set(bytes, start.length)
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', message)))
}

/** Web Crypto takes a message only whole. */
function signed({ bytes, base64 }: Message, timestamp: string): Uint8Array<ArrayBuffer> {
  const tail = new TextEncoder().encode(timestamp)
  const message = new Uint8Array((base64 ? Math.ceil(bytes.length / 3) * 4 : bytes.length) + tail.length)
  if (base64) writeBase64(bytes, message)
  else message.set(bytes)
  message.set(tail, message.length - tail.length)
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
