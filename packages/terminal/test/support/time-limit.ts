import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { onTestFinished, vi } from 'vitest'

/** That Node's client has read the head of an answer. */
const HEAD = 'http.client.response.finish'

export interface TimeLimit {
  /** The time of the request that began last is over. */
  readonly end: () => void
  /** It is over as soon as the head of an answer has arrived. */
  readonly endAfterHead: () => void
}

/** Replaces the time that requests of this process may take, in the current test: it ends when the test says so. */
export function replaceTimeLimit(): TimeLimit {
  let last = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    last = new AbortController()
    return last.signal
  })
  onTestFinished(() => {
    timeout.mockRestore()
  })
  const end = () => {
    last.abort()
  }
  return {
    end,
    endAfterHead() {
      // The client passes the answer on after this event.
      const onHead = () => setImmediate(end)
      subscribe(HEAD, onHead)
      onTestFinished(() => void unsubscribe(HEAD, onHead))
    },
  }
}
