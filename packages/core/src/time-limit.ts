/** Waits, and rejects with the reason of the signal when that aborts before. */
export type Sleep = (seconds: number, signal: AbortSignal) => Promise<void>

/**
 * What `work` comes to, unless the time is up or the outer signal aborts before. Then `work` is told by its own signal,
 * and not waited for: a `fetch` or a cache that takes no notice holds up nobody.
 *
 * @throws {unknown} what `work` throws, what `timeUp` makes, or the reason of the outer signal
 */
export async function within<Result>(
  seconds: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Result | Promise<Result>,
  timeUp: () => Error,
): Promise<Result> {
  const alarm = setAlarm(seconds, outer)
  // The socket that is waited for holds the process; the timer need not. On edge runtimes it is a number.
  ;(alarm.timer as { unref?: () => void }).unref?.()
  const inner = new AbortController()
  const rings = alarm.rings.then(() => {
    throw timeUp()
  })
  try {
    return await Promise.race([rings, work(inner.signal)])
  } finally {
    alarm.stop()
    // Also ends the connection of an answer that was not read to its end.
    inner.abort()
  }
}

/**
 * The pause before a retry. Its timer does hold the process, since nothing else does between two attempts: a server
 * that waits for `prime()` would end there without a word, and with exit code 0.
 */
export const sleep: Sleep = async (seconds, signal) => {
  const alarm = setAlarm(seconds, signal)
  try {
    await alarm.rings
  } finally {
    alarm.stop()
  }
}

interface Alarm {
  readonly rings: Promise<void>
  readonly timer: unknown
  readonly stop: () => void
}

function setAlarm(seconds: number, signal: AbortSignal | undefined): Alarm {
  signal?.throwIfAborted()
  let ring!: () => void
  let fail!: (reason: unknown) => void
  const rings = new Promise<void>((resolve, reject) => {
    ring = resolve
    fail = reject
  })
  const timer = setTimeout(ring, seconds * 1000)
  const onAbort = (): void => {
    fail(signal!.reason)
  }
  signal?.addEventListener('abort', onAbort)
  const stop = (): void => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
  return { rings, timer, stop }
}
