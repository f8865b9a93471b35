import { afterAll, beforeAll, beforeEach, vi } from 'vitest'

/** The clock and the timers of a file of tests. Schedules advance them, instead of waiting. */
export function useSimulatedTime(): void {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  })
  beforeEach(() => {
    // A warning that the replay store failed, for each request.
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  })
  afterAll(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
}
