import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { within } from '../../src/shared/within.js'

const timeUp = () => new Error('too late')
const never = new Promise<never>(() => undefined)

describe('a time limit', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('passes on a result that is in time, and clears its timer', async () => {
    await expect(within(5, Promise.resolve('result'), timeUp)).resolves.toBe('result')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('passes on an error that is in time, and clears its timer', async () => {
    await expect(within(5, Promise.reject(new Error('broken')), timeUp)).rejects.toThrow('broken')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('rejects after exactly the given number of seconds', async () => {
    const late = vi.fn()
    const limited = within(5, never, timeUp).catch(late)
    await vi.advanceTimersByTimeAsync(4999)
    expect(late).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await limited
    expect(late).toHaveBeenCalledExactlyOnceWith(new Error('too late'))
  })

  it('does not keep the process alive', () => {
    vi.useRealTimers()
    const timers = vi.spyOn(globalThis, 'setTimeout')
    void within(5, Promise.resolve(), timeUp)
    expect((timers.mock.results[0]?.value as NodeJS.Timeout).hasRef()).toBe(false)
    timers.mockRestore()
  })

  it('works on edge runtimes, where a timer is a number', async () => {
    vi.spyOn(globalThis, 'setTimeout').mockReturnValueOnce(7 as unknown as NodeJS.Timeout)
    await expect(within(5, Promise.resolve('result'), timeUp)).resolves.toBe('result')
    vi.restoreAllMocks()
  })
})
