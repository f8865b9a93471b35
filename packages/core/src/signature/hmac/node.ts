import { Buffer } from 'node:buffer'
import crypto from 'node:crypto'
import { remembered, type Message, type SyncHmac } from './hmac.js'

export const nodeHmac: SyncHmac<NodeKey> = { isAsync: false, importKey, matches, sha256 }

// A call for a single delivery passes its keys as text each time, and to import and name them costs as much as the HMAC
// of a small body.
const importedKeys = new Map<string, NodeKey>()

function importKey(key: string | Uint8Array): NodeKey {
  if (typeof key !== 'string') return new NodeKey(key)
  return remembered(importedKeys, key, (text) => new NodeKey(Buffer.from(text)))
}

function matches(key: NodeKey, message: Message, timestamp: string, digest: string): boolean {
  computed.write(key.digest(message, timestamp), 'latin1')
  expected.write(digest, 'hex')
  return crypto.timingSafeEqual(computed, expected)
}

/** The digest as the header spells it. */
export function hexDigest(key: NodeKey, message: Message, timestamp: string): string {
  return Buffer.from(key.digest(message, timestamp), 'latin1').toString('hex')
}

function sha256(bytes: Uint8Array, prefix = ''): string {
  return crypto.createHash('sha256').update(prefix).update(bytes).digest('hex')
}

const BLOCK = 64
const DIGEST = 32

// Written and read within one call. Node's own Buffers for digests are allocated one by one, at a fifth of the whole cost.
const computed = Buffer.alloc(DIGEST)
const expected = Buffer.alloc(DIGEST)

// The largest message to hash in one call without a native object: an object costs as much as hashing a small body, and
// in a server the collector has to release it. A larger body gains nothing.
const inner = Buffer.alloc(32 * 1024)
const outer = Buffer.alloc(BLOCK + DIGEST)
// To clear the block of a key: fill() takes three times as long.
const ZEROS = new Uint8Array(BLOCK)

// The text of a larger body is made and hashed in pieces, so that it is never in memory as a whole. A multiple of
// three, because otherwise there would be padding between the pieces; more than 72 KiB would be a large object to the
// collector.
const PIECE = 48 * 1024

/** A key of HMAC-SHA256 (RFC 2104), ready for any number of messages. `createHmac` takes twice the time for a small one. */
export class NodeKey {
  // Private, so that nothing prints them.
  readonly #sha256: string
  readonly #innerBlock: Uint8Array
  readonly #outerBlock: Uint8Array

  constructor(key: Uint8Array) {
    const block = new Uint8Array(BLOCK)
    block.set(key.length > BLOCK ? crypto.createHash('sha256').update(key).digest() : key)
    this.#innerBlock = block.map((byte) => byte ^ 0x36)
    this.#outerBlock = block.map((byte) => byte ^ 0x5c)
    block.fill(0)
    this.#sha256 = sha256(key)
  }

  get sha256(): string {
    return this.#sha256
  }

  /** The HMAC of the message and the text of `t`, one character for each byte. */
  digest(message: Message, timestamp: string): string {
    const innerDigest = this.#innerDigest(message, timestamp)
    outer.set(this.#outerBlock)
    outer.write(innerDigest, BLOCK, 'latin1')
    const digest = hashOf(outer)
    outer.set(ZEROS)
    return digest
  }

  #innerDigest({ bytes, base64 }: Message, timestamp: string): string {
    const body = asBuffer(bytes)
    const length = base64 ? Math.ceil(body.length / 3) * 4 : body.length
    // Stryker disable next-line EqualityOperator: a message that just fits has the same digest in pieces.
    if (BLOCK + length + timestamp.length > inner.length) return this.#inPieces(body, base64, timestamp)

    inner.set(this.#innerBlock)
    // Stryker disable StringLiteral: ASCII is the same in UTF-8, the default, which takes longer.
    if (base64) inner.write(body.toString('base64'), BLOCK, 'latin1')
    else inner.set(body, BLOCK)
    const end = BLOCK + length + inner.write(timestamp, BLOCK + length, 'latin1')
    // Stryker restore StringLiteral
    const digest = hashOf(inner.subarray(0, end))
    inner.set(ZEROS)
    return digest
  }

  #inPieces(body: Buffer, base64: true | undefined, timestamp: string): string {
    const hash = crypto.createHash('sha256').update(this.#innerBlock)
    if (base64) {
      // Stryker disable EqualityOperator,StringLiteral: an empty piece, and ASCII as UTF-8, change nothing.
      for (let start = 0; start < body.length; start += PIECE) {
        hash.update(body.toString('base64', start, start + PIECE), 'latin1')
      }
      // Stryker restore EqualityOperator,StringLiteral
    } else {
      hash.update(body)
    }
    return hash.update(timestamp).digest('binary')
  }
}

/** SHA-256, one character for each byte. Not all runtimes that are like Node have `hash`. */
function hashOf(bytes: Uint8Array): string {
  return typeof crypto.hash === 'function'
    ? crypto.hash('sha256', bytes, 'binary')
    : crypto.createHash('sha256').update(bytes).digest('binary')
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
