/**
 * Runs one at a time and not more often than every `spacingMs`. Calls that come in between are answered by one more run, so
 * that a flood of changes does not become a flood of requests.
 */
export function coalesced(run: () => Promise<void>, spacingMs = 250): () => void {
  let isBusy = false
  let isWanted = false

  async function start(): Promise<void> {
    isBusy = true
    isWanted = false
    try {
      await run()
    } finally {
      setTimeout(() => {
        isBusy = false
        if (isWanted) void start()
      }, spacingMs)
    }
  }

  return () => {
    isWanted = true
    if (!isBusy) void start()
  }
}
