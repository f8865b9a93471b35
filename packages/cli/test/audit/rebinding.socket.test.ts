import { lookup } from 'node:dns/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { UsageError } from '../../src/exit.js'
import { audit, auditAsJson } from './support/audit.js'
import { endpointOf } from './support/recipe.js'
import { serve } from './support/serve.js'

vi.mock('node:dns/promises', () => ({ lookup: vi.fn() }))

const here = { address: '127.0.0.1', family: 4 }
const elsewhere = { address: '192.0.2.1', family: 4 }
const answers = vi.mocked(lookup as () => Promise<unknown>)

beforeEach(() => {
  answers.mockReset()
})

it('a name that stands for this machine and another one is not this machine', async () => {
  answers.mockResolvedValue([here, elsewhere])
  await expect(audit('http://webhooks.example/')).rejects.toThrow(UsageError)
})

it('a name stands to the end for what it stood for when it was looked at', async () => {
  answers.mockResolvedValueOnce([here]).mockResolvedValue([elsewhere])
  const { port } = new URL(await serve(endpointOf({})))
  const report = await auditAsJson(`http://webhooks.example:${port}/`, { only: 'genuine', timeout: '5' })
  expect(report).toMatchObject({ score: 100, total: 2 })
  expect(answers).toHaveBeenCalledOnce()
})
