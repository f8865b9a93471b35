import cliProgress from 'cli-progress'
import type { Io } from '../io.js'

export interface Progress {
  readonly advance: () => void
  readonly stop: () => void
}

/** A bar on standard error, where a person sees it. */
export function showProgress(io: Io, total: number): Progress {
  if (!io.isTerminal) return { advance: () => undefined, stop: () => undefined }
  const bar = new cliProgress.SingleBar({
    stream: io.stderr,
    format: 'Auditing [{bar}] {value}/{total}',
    barsize: 30,
    clearOnComplete: true,
    // The terminal stays as it is, so that nothing has to be put right again after Ctrl-C.
    hideCursor: null,
    linewrap: null,
    gracefulExit: false,
  })
  bar.start(total, 0)
  return {
    advance() {
      bar.increment()
    },
    stop() {
      bar.stop()
    },
  }
}
