import type { Hmac } from '@service-signature/core/internal'
import { encode } from './encodings.js'
import type { CandidateKey, SignedMessage } from './fault-rule.js'

/** Returns milliseconds since any fixed moment. */
export type Clock = () => number

/** Not imported, so that this runs where there is no Node. */
interface Platform {
  readonly process?: Partial<Pick<NodeJS.Process, 'cpuUsage'>>
}

/** CPU time if the runtime reports it, so that a busy machine does not shorten a report; otherwise the time that passed. */
export function cpuTime(): number {
  try {
    const { user, system } = (globalThis as Platform).process!.cpuUsage!()
    return (user + system) / 1000
  } catch {
    // There is no `process`, or its `cpuUsage` throws, as on workerd.
    return performance.now()
  }
}

/** "Does this key make this digest of this message?" */
export interface Comparison extends SignedMessage {
  readonly key: CandidateKey
  /** In lowercase hex. */
  readonly digest: string
}

export interface Answer {
  /** Equal for equal comparisons, whatever led to them. */
  readonly id: string
  readonly matched: boolean
}

interface ImportedKey<Key> {
  readonly id: number
  readonly key: Key
}

const MAX_HMACS = 200

/** Computes HMACs, none of them twice, within the limits of one explanation. */
export class HmacTester<Key> {
  readonly #hmac: Hmac<Key>
  readonly #clock: Clock
  readonly #end: number
  readonly #imported = new WeakMap<CandidateKey, ImportedKey<Key>>()
  readonly #keys = new Map<string, ImportedKey<Key>>()
  readonly #answers = new Map<string, Answer>()
  readonly #checksums = new WeakMap<Uint8Array, number>()
  /** Whether something was left out for lack of time. */
  isOutOfTime = false

  constructor(hmac: Hmac<Key>, milliseconds: number, clock: Clock) {
    this.#hmac = hmac
    this.#clock = clock
    this.#end = clock() + milliseconds
  }

  /** The number of HMACs that were computed. */
  get count(): number {
    return this.#answers.size
  }

  /** Whether the limit is reached, except for comparisons that the verifier itself would make. */
  isSpent(): boolean {
    if (this.count >= MAX_HMACS) return true
    // Measured, because the cost of a body depends on its shape.
    this.isOutOfTime ||= this.#clock() >= this.#end
    return this.isOutOfTime
  }

  /** Undefined if a limit is reached and the comparison is not required. */
  async compare(comparison: Comparison, isRequired = false): Promise<Answer | undefined> {
    const { bytes, timestamp, digest } = comparison
    const { id: keyId, key } = this.#import(comparison.key)
    const id = [keyId, digest, timestamp, bytes.length, this.#checksum(bytes)].join()
    const known = this.#answers.get(id)
    if (known !== undefined) return known
    if (!isRequired && this.isSpent()) return undefined

    const answer = { id, matched: await this.#hmac.matches(key, { bytes }, timestamp, digest) }
    this.#answers.set(id, answer)
    return answer
  }

  /** Equal bytes are one key. */
  #import(candidate: CandidateKey): ImportedKey<Key> {
    const known = this.#imported.get(candidate)
    if (known !== undefined) return known
    const bytes = typeof candidate.material === 'string' ? encode(candidate.material) : candidate.material
    const name = bytes.join()
    const imported = this.#keys.get(name) ?? { id: this.#keys.size, key: this.#hmac.importKey(bytes) }
    this.#keys.set(name, imported)
    this.#imported.set(candidate, imported)
    return imported
  }

  #checksum(bytes: Uint8Array): number {
    const sum = this.#checksums.get(bytes) ?? checksum(bytes)
    this.#checksums.set(bytes, sum)
    return sum
  }
}

/**
 * 53 bits that distinguish messages. If two messages have the same bits, by accident or on purpose, a fault is not
 * tried; no false proof can result.
 */
function checksum(bytes: Uint8Array): number {
  // Four bytes at a time and mostly without a copy, which makes it cheap.
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
  for (const byte of aligned.subarray(4 * count)) {
    high = Math.imul(high ^ byte, 0x9e3779b1)
    low = Math.imul(low ^ byte, 0x5f356495)
  }
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0)
}
