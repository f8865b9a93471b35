import { EventEmitter, once } from 'node:events'

/** Counts the jobs that are running, so that others can wait for their end. */
export class PendingJobs {
  readonly #news = new EventEmitter().setMaxListeners(0)
  #count = 0

  async run<Result>(job: () => Promise<Result>): Promise<Result> {
    this.#count++
    try {
      return await job()
    } finally {
      this.#count--
      this.changed()
    }
  }

  /** Must be called when something has changed that the condition of `until` depends on. */
  changed(): void {
    this.#news.emit('change')
  }

  /** Resolves as soon as no job is running and the condition is met. */
  async until(condition: () => boolean): Promise<void> {
    while (this.#count > 0 || !condition()) await once(this.#news, 'change')
  }
}
