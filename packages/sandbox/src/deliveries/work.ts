import { EventEmitter, once } from 'node:events'

/** Counts what is under way, so that others can wait for its end. */
export interface Work {
  /** Runs it, and knows of it. */
  readonly run: <Result>(job: () => Promise<Result>) => Promise<Result>
  /** To be called when something has changed that `until` may wait for. */
  readonly changed: () => void
  /** Resolves as soon as the condition is met while nothing is under way. */
  readonly until: (condition: () => boolean) => Promise<void>
}

export function createWork(): Work {
  const news = new EventEmitter().setMaxListeners(0)
  let underWay = 0
  const changed = () => {
    news.emit('change')
  }
  return {
    changed,
    async run(job) {
      underWay++
      try {
        return await job()
      } finally {
        underWay--
        changed()
      }
    },
    async until(condition) {
      while (underWay > 0 || !condition()) await once(news, 'change')
    },
  }
}
