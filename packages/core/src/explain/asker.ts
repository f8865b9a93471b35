import type { Search } from '../digest/digest.js'
import type { Message } from '../versions.js'
import type { Budget } from './budget.js'
import type { TrialKey } from './case.js'
import { base64Bytes } from './encoding.js'
import { encode } from './message/specified.js'

/** "Is this the digest of this message under this key?", of a key that need not be imported yet. */
export interface Trial {
  readonly key: TrialKey
  readonly message: Message
  readonly timestamp: string
  readonly digest: string
}

/** The same trial has the same `id`, however it came about. */
export interface TrialAnswer {
  readonly id: string
  readonly matched: boolean
}

const MAX_HMACS = 200

interface ImportedKey<Key> {
  readonly id: number
  readonly key: Key
}

/** Asks the digest, nothing twice, and within the bounds of one call. */
export class Asker<Key> {
  readonly #importKey: (bytes: Uint8Array) => Key
  readonly #imported = new WeakMap<TrialKey, ImportedKey<Key>>()
  readonly #keys = new Map<string, ImportedKey<Key>>()
  readonly #answers = new Map<string, boolean>()
  readonly #encoded = new WeakMap<Uint8Array, Uint8Array>()
  readonly #checksums = new WeakMap<Uint8Array, number>()
  readonly #budget: Budget

  constructor(importKey: (bytes: Uint8Array) => Key, budget: Budget) {
    this.#importKey = importKey
    this.#budget = budget
  }

  get hmacs(): number {
    return this.#answers.size
  }

  /** Whether nothing more may be asked, except what the verifier itself would ask. */
  isSpent(): boolean {
    return this.hmacs >= MAX_HMACS || !this.#budget.hasTime()
  }

  /** Nothing, where the budget does not reach. */
  *ask({ key, message, timestamp, digest }: Trial, isRequired = false): Search<Key, TrialAnswer | undefined> {
    const imported = this.#import(key)
    const bytes = message.base64 ? this.#base64(message.bytes) : message.bytes
    const id = [imported.id, digest, timestamp, bytes.length, this.#checksum(bytes)].join()
    const known = this.#answers.get(id)
    if (known !== undefined) return { id, matched: known }
    if (!isRequired && this.isSpent()) return undefined

    const matched = yield { key: imported.key, message: { bytes }, timestamp, digest }
    this.#answers.set(id, matched)
    return { id, matched }
  }

  /** The same bytes are one key, however they came about. */
  #import(key: TrialKey): ImportedKey<Key> {
    const known = this.#imported.get(key)
    if (known !== undefined) return known
    const bytes = typeof key.material === 'string' ? encode(key.material) : key.material
    const name = bytes.join()
    const imported = this.#keys.get(name) ?? { id: this.#keys.size, key: this.#importKey(bytes) }
    this.#keys.set(name, imported)
    this.#imported.set(key, imported)
    return imported
  }

  /** Made once, for as many keys as there are. */
  #base64(bytes: Uint8Array): Uint8Array {
    const known = this.#encoded.get(bytes)
    if (known !== undefined) return known
    const encoded = base64Bytes(bytes)
    this.#encoded.set(bytes, encoded)
    return encoded
  }

  #checksum(bytes: Uint8Array): number {
    const known = this.#checksums.get(bytes)
    if (known !== undefined) return known
    const sum = checksum(bytes)
    this.#checksums.set(bytes, sum)
    return sum
  }
}

/**
 * 53 bits that tell messages apart. Two messages with the same ones, by accident or on purpose, only keep a hypothesis
 * from being tried: nothing is proven by it.
 */
function checksum(bytes: Uint8Array): number {
  // Four bytes at a time, which is what makes it cheap.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  const count = aligned.length >>> 2
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, count)
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < count; i++) {
    high = Math.imul(high ^ words[i]!, 0x9e3779b1)
    high ^= high >>> 15
    low = Math.imul(low ^ words[i]!, 0x5f356495)
    low ^= low >>> 13
  }
  for (let i = 4 * count; i < aligned.length; i++) {
    high = Math.imul(high ^ aligned[i]!, 0x9e3779b1)
    low = Math.imul(low ^ aligned[i]!, 0x5f356495)
  }
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0)
}
