import { expect, it, vi } from 'vitest'
import { cpuTime } from '../../src/search/hmac-tester.js'

it.each([
  ['has no process', undefined],
  [
    'throws in cpuUsage',
    {
      cpuUsage() {
        throw new Error('not implemented')
      },
    },
  ],
])('is replaced by elapsed time if the runtime %s', (_, process) => {
  vi.stubGlobal('process', process)
  vi.spyOn(performance, 'now').mockReturnValueOnce(1234.5)
  try {
    expect(cpuTime()).toBe(1234.5)
  } finally {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  }
})
