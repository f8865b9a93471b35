import { within } from '@service-signature/core/shared/within'
import { locked } from './failures.js'

/** The savepoint is missing if the handler has ended the transaction. */
export const END = 'RELEASE service_signature_inbox;COMMIT'

/** The longest pause between two attempts, in milliseconds. An attempt takes about 0.01 ms. */
const LONGEST_PAUSE = 25

/** The transactions of one inbox, one after the other: SQLite has one writer for the whole file. */
export class Writers {
  /** Settles when all have ended. */
  #last = Promise.resolve()

  /**
   * Waits for those that were asked for before, and then for other connections, by a timer: busy_timeout would stop the
   * whole process.
   *
   * @param attempt returns undefined if the file is locked
   * @returns the result of the attempt, and what ends the turn
   */
  async next<Result>(
    seconds: number,
    attempt: () => Result | undefined | Promise<Result | undefined>,
  ): Promise<readonly [result: Result, end: () => void]> {
    const since = performance.now()
    const before = this.#last
    let end!: () => void
    const ended = new Promise<void>((resolve) => (end = resolve))
    this.#last = before.then(() => ended)
    try {
      await within(seconds, before, () => locked('other deliveries used it', seconds))
      for (let pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
        const result = await attempt()
        if (result !== undefined) return [result, end]
        const left = since + seconds * 1000 - performance.now()
        if (left <= 0) throw locked('another connection locked the file', seconds)
        await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)))
      }
    } catch (error) {
      end()
      throw error
    }
  }
}
