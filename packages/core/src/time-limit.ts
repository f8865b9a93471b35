/**
 * The result of `pending`, unless the time is up first: a store that hangs delays no delivery for longer.
 *
 * The timer is cleared at the end, which that of `AbortSignal.timeout` cannot be: a store is asked twice for each
 * delivery, and thousands of timers would add up. It does not keep the process alive.
 *
 * @throws {unknown} the error of `pending`, or that of `timeUp`
 */
export async function within<Result>(
  seconds: number,
  pending: Promise<Result>,
  timeUp: () => Error,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(timeUp())
    }, seconds * 1000)
  })
  // On edge runtimes it is a number.
  ;(timer as { unref?: () => void } | undefined)?.unref?.()
  try {
    return await Promise.race([late, pending])
  } finally {
    clearTimeout(timer)
  }
}
