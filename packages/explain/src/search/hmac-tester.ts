import type { Hmac } from '@service-signature/core/signature/hmac/hmac'
import type { Message } from '../read/body-view.js'
import { encode, once } from '../read/encodings.js'
import type { CandidateKey } from '../read/explain-options.js'

export type Clock = () => number

/** CPU time if the runtime reports it, so that a busy machine does not shorten a report; otherwise the time that passed. */
export function cpuTime(): number {
  try {
    const { user, system } = (globalThis as { readonly process?: NodeJS.Process }).process!.cpuUsage()
    return (user + system) / 1000
  } catch {
    // There is no `process`, or its `cpuUsage` throws, as on workerd.
    return performance.now()
  }
}

/** Limits the search where the clock does not advance. */
const MAX_HMACS = 200

export class HmacTester<Key> {
  readonly #hmac: Hmac<Key>
  readonly #clock: Clock
  readonly #end: number
  readonly #keys = new Map<string, Key>()
  /** Views of equal bodies have the same messages. */
  readonly #answers = new WeakMap<Message, Map<string, boolean>>()
  count = 0
  /** The part of the budget whose end left something out. */
  endedBy: 'time' | 'HMACs' | undefined

  constructor(hmac: Hmac<Key>, milliseconds: number, clock: Clock) {
    this.#hmac = hmac
    this.#clock = clock
    this.#end = clock() + milliseconds
  }

  /** Whether the budget has ended. Asked only if something is left to do. */
  isSpent(): boolean {
    // Measured, because the cost of a body depends on its shape.
    if (this.count >= MAX_HMACS) this.endedBy ??= 'HMACs'
    else if (this.#clock() >= this.#end) this.endedBy ??= 'time'
    return this.endedBy !== undefined
  }

  /**
   * Which of the keys makes the digest of one of the messages, each with `t` after it. Nothing is computed after the end of the
   * budget, unless it is required, as the comparisons of the verifier itself are.
   */
  async matchingKey(
    keys: readonly CandidateKey[],
    messages: readonly Message[],
    timestamp: string,
    digest: string,
    isRequired = false,
  ): Promise<number | undefined> {
    for (const message of messages) {
      for (const [index, { material }] of keys.entries()) {
        // Equal bytes are one key.
        const bytes = typeof material === 'string' ? encode(material) : material
        if (await this.#isMatch(bytes, message, timestamp, digest, isRequired)) return index
      }
    }
    return undefined
  }

  async #isMatch(
    bytes: Uint8Array,
    message: Message,
    timestamp: string,
    digest: string,
    isRequired: boolean,
  ) {
    const name = bytes.join()
    const answers = once(this.#answers, message, () => new Map<string, boolean>())
    const question = `${timestamp} ${digest} ${name}`
    const known = answers.get(question)
    if (known !== undefined) return known
    if (!isRequired && this.isSpent()) return false

    this.count++
    const imported = once(this.#keys, name, () => this.#hmac.importKey(bytes))
    const isMatch = await this.#hmac.matches(imported, message, timestamp, digest)
    answers.set(question, isMatch)
    return isMatch
  }
}
