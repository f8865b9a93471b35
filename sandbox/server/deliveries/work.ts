import { EventEmitter, once } from 'node:events'
import type { Clock } from '../store/clock.js'

/** Counts the jobs that are running, so that others can wait for their end. */
export class Work {
  readonly #clock: Clock
  readonly #news = new EventEmitter().setMaxListeners(0)
  /** What ends each pause, by what pauses. */
  readonly #pauses = new Map<string | symbol, () => void>()
  #running = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async run<Result>(job: () => Promise<Result>): Promise<Result> {
    this.#running++
    try {
      return await job()
    } finally {
      this.#running--
      this.changed()
    }
  }

  /** Resolves after this time, or at the end of all. */
  pause(milliseconds: number, name: string | symbol = Symbol('pause'), onEnd?: () => void): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        this.#pauses.delete(name)
        onEnd?.()
        resolve()
      }
      const cancel = this.#clock.after(milliseconds, end)
      this.#pauses.set(name, end)
    })
  }

  /** A pause of a job, in which it does not count as running. */
  async rest(name: string, milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return
    this.#running--
    this.changed()
    // At its end it counts at once: who advances a clock then asks what is running.
    await this.pause(milliseconds, name, () => this.#running++)
  }

  /** Ends the pause of a job, if it pauses. */
  wake(name: string): void {
    this.#pauses.get(name)?.()
  }

  /** Must be called when something has changed that the condition of `until` depends on. */
  changed(): void {
    this.#news.emit('change')
  }

  /** Resolves as soon as no job is running and the condition is met. */
  async until(condition: () => boolean): Promise<void> {
    while (this.#running > 0 || !condition()) await once(this.#news, 'change')
  }

  end(): void {
    for (const end of this.#pauses.values()) end()
    this.changed()
  }
}
