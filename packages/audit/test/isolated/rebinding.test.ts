import { lookup } from 'node:dns/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { auditOf } from '../support/audit.js'
import { endpointOf } from '../support/recipe.js'
import { serve } from '../support/serve.js'

vi.mock('node:dns/promises', () => ({ lookup: vi.fn() }))

const here = { address: '127.0.0.1', family: 4 }
const elsewhere = { address: '192.0.2.1', family: 4 }
const answers = vi.mocked(lookup as () => Promise<unknown>)

beforeEach(() => {
  answers.mockReset()
})

it('a name that resolves to this machine and to another one does not count as this machine', async () => {
  answers.mockResolvedValue([here, elsewhere])
  await expect(auditOf('http://webhooks.example/')).rejects.toMatchObject({ code: 'ERR_AUDIT_REMOTE' })
})

it('a name keeps the address that it had when it was resolved', async () => {
  answers.mockResolvedValueOnce([here]).mockResolvedValue([elsewhere])
  const { port } = new URL(await serve(endpointOf({})))
  const report = await auditOf(`http://webhooks.example:${port}/`, { only: 'genuine', timeoutSeconds: 5 })
  expect(report).toMatchObject({ passed: 2, total: 2 })
  expect(answers).toHaveBeenCalledOnce()
})
