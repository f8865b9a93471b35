import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { auditAsJson } from './support/audit.js'
import { endpointOf } from './support/recipe.js'
import { serve } from './support/serve.js'

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(() => Promise.resolve()) }))

it.each([
  ['no time on this machine', '127.0.0.1', {}, 0],
  ['20 ms elsewhere', '0.0.0.0', { iOwnThisEndpoint: true }, 20],
  ['what is asked for on this machine', '127.0.0.1', { pace: '7' }, 7],
  ['what is asked for elsewhere', '0.0.0.0', { iOwnThisEndpoint: true, pace: '0' }, 0],
] as const)('between two cases goes %s', async (_what, host, options, milliseconds) => {
  const url = (await serve(endpointOf({}))).replace('127.0.0.1', host)
  vi.mocked(pause).mockClear()
  const { total } = await auditAsJson(url, { ...options, only: 'stale' })
  expect(total).toBe(2)
  // Before each case but the first, which here is a genuine delivery beside the two.
  expect(vi.mocked(pause).mock.calls).toEqual([[milliseconds], [milliseconds]])
})
