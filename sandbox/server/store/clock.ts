/** Calls off what was to happen later. */
export type Cancel = () => void

/** Where all time comes from. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls back once this many milliseconds have passed. */
  readonly after: (milliseconds: number, callback: () => void) => Cancel
}

/** A clock that stands still until "advance" is called. */
export interface ManualClock extends Clock {
  /** Lets time pass, and calls back on the way whatever falls due. */
  readonly advance: (milliseconds: number) => void
}

/** The time of this machine. */
export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}

/**
 * A clock for tests, which then need not wait for a retry.
 *
 * @example
 * const clock = manualClock()
 * const sandbox = await startSandbox({ clock })
 * clock.advance(1000) // now the first retry goes out
 * await sandbox.idle()
 */
export function manualClock(start: number = Date.now()): ManualClock {
  let time = start
  const alarms = new Set<{ readonly at: number; readonly callback: () => void }>()

  return {
    now: () => time,
    after(milliseconds, callback) {
      const alarm = { at: time + milliseconds, callback }
      alarms.add(alarm)
      return () => alarms.delete(alarm)
    },
    advance(milliseconds) {
      const end = time + milliseconds
      for (;;) {
        const [next] = [...alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (next === undefined) break
        alarms.delete(next)
        time = next.at
        next.callback()
      }
      time = end
    },
  }
}

/** `2025-03-27 15:41:20.371000+00:00`, as transaction events have it. */
export function spacedTimestamp(milliseconds: number): string {
  return isoTimestamp(milliseconds).replace('T', ' ').replace('Z', '+00:00')
}

/** `2025-03-27T15:41:20.371000Z`, as intent events and answers have it. */
export function isoTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z')
}
