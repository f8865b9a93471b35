import { within } from '@service-signature/core/node'
import { locked, refusalOf } from './failures.js'

/** The longest pause between two attempts, in milliseconds. An attempt takes about 0.01 ms. */
const LONGEST_PAUSE = 25

/** The writers of one process, one after the other: SQLite has one for the whole file. */
export class Writers {
  readonly #waitSeconds: number
  /** Settles when all turns have ended. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(waitSeconds: number) {
    this.#waitSeconds = waitSeconds
  }

  /**
   * Waits for a turn, and then until no other connection has locked the file.
   *
   * @param attempt gives undefined while the file is locked
   * @returns what it gave, and the function that ends the turn
   * @throws {WebhookError} `ERR_REPLAY_STORE_UNAVAILABLE`
   */
  async begin<Begun>(
    attempt: () => Begun | Promise<Begun>,
    seconds = this.#waitSeconds,
  ): Promise<[NonNullable<Begun>, () => void]> {
    const until = performance.now() + seconds * 1000
    const before = this.#last
    let end!: () => void
    const ended = new Promise<void>((resolve) => (end = resolve))
    this.#last = before.then(() => ended)
    try {
      await within(seconds, before, () => refusalOf(locked('other deliveries used it', seconds)))
      return [await whenUnlocked(attempt, seconds, until), end]
    } catch (error) {
      end()
      throw error
    }
  }
}

/**
 * Tries until no other connection has locked the file. The pauses are timers, because busy_timeout would stop the whole process.
 *
 * @param attempt gives undefined while the file is locked
 * @throws {WebhookError} `ERR_REPLAY_STORE_UNAVAILABLE`
 */
export async function whenUnlocked<Begun>(
  attempt: () => Begun | Promise<Begun>,
  seconds: number,
  until = performance.now() + seconds * 1000,
): Promise<NonNullable<Begun>> {
  for (let pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const begun = await attempt()
    if (begun != null) return begun
    const left = until - performance.now()
    if (left <= 0) throw refusalOf(locked('another connection locked the file', seconds))
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)))
  }
}
