/** Calls of which one is in flight at a time; whoever comes meanwhile waits for it too. */
export interface OneCall<Result> {
  /** The result of the call in flight, if there is one. */
  readonly inFlight: () => Promise<Result> | undefined
  readonly start: (run: (number: number, signal: AbortSignal) => Promise<Result>) => Promise<Result>
  /** Whether no call was started after this one. */
  readonly isLatest: (number: number) => boolean
  /** Ends every call that still runs. */
  readonly abort: (reason: Error) => void
}

/**
 * Calls are numbered, since one may be overtaken: if it takes longer than its time-outs add up to, these no longer
 * work (an edge runtime has ended the request that it belonged to), and nobody joins it any more.
 */
export function oneCallAtATime<Result>(longestSeconds: number, now: () => number): OneCall<Result> {
  const running = new Set<AbortController>()
  let latest = 0
  let current:
    { readonly number: number; readonly startedAt: number; readonly result: Promise<Result> } | undefined

  return {
    inFlight: () =>
      current !== undefined && now() - current.startedAt <= longestSeconds * 1000
        ? current.result
        : undefined,
    start(run) {
      const number = ++latest
      const controller = new AbortController()
      running.add(controller)
      const result = run(number, controller.signal).finally(() => {
        running.delete(controller)
        if (current?.number === number) current = undefined
      })
      current = { number, startedAt: now(), result }
      return result
    },
    isLatest: (number) => number === latest,
    abort(reason) {
      for (const controller of running) controller.abort(reason)
    },
  }
}
