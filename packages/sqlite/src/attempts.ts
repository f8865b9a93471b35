import { locked } from './failures.js'

/** The longest pause between two attempts, in milliseconds. An attempt takes about 0.01 ms. */
const LONGEST_PAUSE = 25

/** The attempts to use the file while another connection has locked it. */
export class Attempts {
  readonly seconds: number
  readonly #until: number
  #pause = 0.5

  constructor(seconds: number) {
    this.seconds = seconds
    this.#until = performance.now() + seconds * 1000
  }

  /** Waits for the next one. @throws {WebhookError} `ERR_REPLAY_STORE_UNAVAILABLE`, if the time is up */
  async next(): Promise<void> {
    const left = this.#until - performance.now()
    if (left <= 0) throw locked('another connection locked the file', this.seconds)
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE)
    // By a timer: busy_timeout would stop the whole process.
    await new Promise((resolve) => setTimeout(resolve, Math.min(this.#pause, left)))
  }
}
