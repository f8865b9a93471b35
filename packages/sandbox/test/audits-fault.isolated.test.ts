import { expect, it, vi } from 'vitest'
import { Service } from './support/service.js'

vi.mock('@service-signature/audit', () => ({
  audit: () => Promise.reject(new Error('a fault')),
  listCases: () => [
    {
      group: 'time',
      name: 'a',
      title: 'b',
      outcome: 'not-run',
      weakness: null,
      expected: '4xx',
      got: '',
      cost: 'c',
      fix: 'd',
    },
  ],
}))

it('an audit that fails itself is stopped, and the log says why', async () => {
  const service = await Service.start()
  const { data } = await service.post('/_sandbox/audits/', { url: 'http://127.0.0.1:1/' })
  const audit = await service.post(`/_sandbox/audits/${data.id}/cancel/`)
  expect(audit.data).toMatchObject({ state: 'stopped', problem: 'The audit itself has failed.', total: 1 })
  expect(service.lines).toContain(`audit ${data.id} Error: a fault`)
})
