import { remembered, type AsyncHmac, type Message } from './hmac.js'

interface Key {
  readonly imported: ReturnType<typeof crypto.subtle.importKey>
  /** Set when `imported` is there. */
  sha256: string
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }

// Not by a TextEncoder, because it is missing in the jsdom of Jest, and a test there may load a module that it never calls.
const BASE64 = Uint8Array.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  (character) => character.charCodeAt(0),
)

export const webHmac: AsyncHmac<Key> = { isAsync: true, importKey, matches, sha256 }

// As on Node: a call for a single delivery passes its keys as text each time, and to import and name one takes longer than
// the HMAC of a small body.
const importedKeys = new Map<string, Key>()

function importKey(key: string | Uint8Array): Key {
  if (typeof key !== 'string') return importBytes(new Uint8Array(key))
  return remembered(importedKeys, key, (text) => importBytes(new TextEncoder().encode(text)))
}

function importBytes(bytes: Uint8Array<ArrayBuffer>): Key {
  const key: Key = {
    // Not an async function: the minifier of Next makes one expression of its lines, which needs "key" before it is there.
    imported: sha256(bytes).then((digest) => {
      key.sha256 = digest
      return crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['verify'])
    }),
    sha256: '',
  }
  return key
}

async function matches(key: Key, message: Message, timestamp: string, digest: string): Promise<boolean> {
  const signed = signedBytes(message, timestamp)
  // Compares in constant time.
  return crypto.subtle.verify('HMAC', await key.imported, fromHex(digest), signed)
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

/** Not by `btoa`: it takes 15 times as long, and a forged delivery costs as much as a valid one. */
function writeBase64(bytes: Uint8Array, target: Uint8Array): void {
  const { toBase64 } = bytes as { readonly toBase64?: () => string }
  // ES2026: workerd has it, edge runtimes that are made of Node 20 do not. It halves the time of a verification.
  if (toBase64 === undefined) writeGroups(bytes, target)
  else new TextEncoder().encodeInto(toBase64.call(bytes), target)
}

function writeGroups(bytes: Uint8Array, target: Uint8Array): void {
  const end = bytes.length - (bytes.length % 3)
  let written = 0
  // Not in a function of its own: a call for each group doubles the time.
  for (let read = 0; read < end; read += 3) {
    const group = (bytes[read]! << 16) | (bytes[read + 1]! << 8) | bytes[read + 2]!
    target[written++] = BASE64[group >> 18]!
    target[written++] = BASE64[(group >> 12) & 63]!
    target[written++] = BASE64[(group >> 6) & 63]!
    target[written++] = BASE64[group & 63]!
  }
  const padded = btoa(String.fromCharCode(...bytes.subarray(end)))
  new TextEncoder().encodeInto(padded, target.subarray(written))
}

function fromHex(digest: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(digest.length / 2)
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (hexDigit(digest.charCodeAt(i * 2)) << 4) | hexDigit(digest.charCodeAt(i * 2 + 1))
  }
  return bytes
}

/** The value of a lowercase digit: the header's grammar allows no other. */
function hexDigit(code: number): number {
  return code < 0x61 ? code - 0x30 : code - 0x61 + 10
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
