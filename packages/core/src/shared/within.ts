/**
 * The result of `pending`, unless the time is up first. The timer is cleared at the end, which that of
 * `AbortSignal.timeout` cannot be: thousands of them would add up.
 */
export function within<T>(seconds: number, pending: Promise<T>, timeUp: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(timeUp())
    }, seconds * 1000)
    // On edge runtimes it is a number.
    ;(timer as { unref?: () => void }).unref?.()
    const clear = () => {
      clearTimeout(timer)
    }
    pending.then(clear, clear)
    pending.then(resolve, reject)
  })
}
