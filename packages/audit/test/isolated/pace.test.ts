import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { auditOf } from '../support/audit.js'
import { endpointOf } from '../support/recipe.js'
import { serve } from '../support/serve.js'

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(() => Promise.resolve()) }))

it.each([
  ['nothing on this machine', '127.0.0.1', {}, 0],
  ['20 ms elsewhere', '0.0.0.0', { allowRemote: true }, 20],
  ['what the option says on this machine', '127.0.0.1', { paceMs: 7 }, 7],
  ['what the option says elsewhere', '0.0.0.0', { allowRemote: true, paceMs: 0 }, 0],
] as const)('the pause before a case is %s', async (_what, host, options, milliseconds) => {
  const url = (await serve(endpointOf({}))).replace('127.0.0.1', host)
  vi.mocked(pause).mockClear()
  const { total } = await auditOf(url, { ...options, only: 'stale' })
  expect(total).toBe(2)
  expect(vi.mocked(pause).mock.calls.map(([duration]) => duration)).toEqual([milliseconds, milliseconds])
})
