import { Buffer } from 'node:buffer'
import { createHash, createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { Message } from '../versions.js'
import { toFingerprint, type Search, type SyncDigest } from './digest.js'

// Base64 is made and hashed in pieces, so that a large body needs no second copy of itself: at most two of 96 KiB are
// alive at a time. A multiple of three, or else padding would stand between the pieces.
const PIECE = 72 * 1024

export const nodeDigest: SyncDigest<KeyObject> = {
  importKey(key) {
    if (typeof key !== 'string') return createSecretKey(key)
    const known = imported.get(key)
    if (known !== undefined) return known
    if (imported.size === MAX_IMPORTED) imported.clear()
    const secret = createSecretKey(key, 'utf8')
    imported.set(key, secret)
    return secret
  },

  isAsync: false,

  run<Found, Result>(search: Search<KeyObject, Found>, then: (found: Found) => Result): Result {
    let step = search.next()
    while (step.done !== true) {
      const { key, message, timestamp, digest } = step.value
      // By way of a string, for a digest as a Buffer is allocated outside of the pool, at a fifth of the whole cost.
      const computed = Buffer.from(hmac(key, message, timestamp).digest('binary'), 'binary')
      step = search.next(timingSafeEqual(computed, Buffer.from(digest, 'hex')))
    }
    return then(step.value)
  },

  fingerprintOf(key) {
    let fingerprint = fingerprints.get(key)
    if (fingerprint === undefined) {
      fingerprint = toFingerprint(createHash('sha256').update(key.export()).digest('hex'))
      fingerprints.set(key, fingerprint)
    }
    return fingerprint
  },

  sha256(bytes, prefix = '') {
    return createHash('sha256').update(prefix).update(bytes).digest('hex')
  },
}

// A call for a single delivery brings its keys as text each time, and importing and naming them costs as much as the HMAC
// of a small body.
const imported = new Map<string, KeyObject>()
const MAX_IMPORTED = 100

// Made when a signature first matches under the key.
const fingerprints = new WeakMap<KeyObject, string>()

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
