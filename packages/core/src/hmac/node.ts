import { Buffer } from 'node:buffer'
import { createHash, createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { Message } from '../versions.js'
import { remembered, toFingerprint, type SyncHmac } from './hmac.js'

// Base64 is made and hashed in pieces, so that a large body needs no second copy of itself: at most two of 96 KiB are
// alive at a time. A multiple of three, because otherwise there would be padding between the pieces.
const PIECE = 72 * 1024

/** HMAC over `node:crypto`. */
export const nodeHmac: SyncHmac<KeyObject> = { isAsync: false, importKey, matches, fingerprintOf, sha256 }

function matches(key: KeyObject, message: Message, timestamp: string, digest: string): boolean {
  // By way of a string, because a digest as a Buffer is allocated outside of the pool, at a fifth of the whole cost.
  const computed = Buffer.from(hmac(key, message, timestamp).digest('binary'), 'binary')
  return timingSafeEqual(computed, Buffer.from(digest, 'hex'))
}

/** The HMAC of the message and the text of `t`, not yet finished. */
export function hmac(key: KeyObject, message: Message, timestamp: string): ReturnType<typeof createHmac> {
  const hash = createHmac('sha256', key)
  if (message.base64 === undefined) return hash.update(message.bytes).update(timestamp)

  const body = asBuffer(message.bytes)
  for (let start = 0; start < body.length; start += PIECE) {
    hash.update(body.toString('base64', start, start + PIECE), 'latin1')
  }
  return hash.update(timestamp, 'latin1')
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

// A call for a single delivery passes its keys as text each time, and to import and name them costs as much as the HMAC
// of a small body.
const importedKeys = new Map<string, KeyObject>()

function importKey(key: string | Uint8Array): KeyObject {
  return typeof key === 'string' ? remembered(importedKeys, key, importText) : createSecretKey(key)
}

function importText(key: string): KeyObject {
  return createSecretKey(key, 'utf8')
}

// Made when a signature first matches under the key.
const fingerprints = new WeakMap<KeyObject, string>()

function fingerprintOf(key: KeyObject): string {
  let fingerprint = fingerprints.get(key)
  if (fingerprint === undefined) {
    fingerprint = toFingerprint(sha256(key.export()))
    fingerprints.set(key, fingerprint)
  }
  return fingerprint
}

function sha256(bytes: Uint8Array, prefix = ''): string {
  return createHash('sha256').update(prefix).update(bytes).digest('hex')
}
