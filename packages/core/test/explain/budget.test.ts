import { expect, it, vi } from 'vitest'
import { cpuTime } from '../../src/explain/budget.js'

it('is measured by the time that passed where the runtime does not report CPU time', () => {
  vi.stubGlobal('process', undefined)
  vi.spyOn(performance, 'now').mockReturnValueOnce(1234.5)
  try {
    expect(cpuTime()).toBe(1234.5)
  } finally {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  }
})
