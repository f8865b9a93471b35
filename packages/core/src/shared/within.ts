/** The result of `pending`, unless the time is up first. */
export function within<T>(seconds: number, pending: Promise<T>, timeUp: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    // Not AbortSignal.timeout, whose timer cannot be cleared: thousands of them would add up.
    const timer = setTimeout(() => reject(timeUp()), seconds * 1000)
    // On edge runtimes it is a number.
    ;(timer as { unref?: () => void }).unref?.()
    const clear = () => clearTimeout(timer)
    pending.then(clear, clear)
    pending.then(resolve, reject)
  })
}
