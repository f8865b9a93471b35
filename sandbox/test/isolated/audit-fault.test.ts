import { expect, it, vi } from 'vitest'
import { Service } from '../support/service.js'

vi.mock('@service-signature/audit', async (original) => ({
  ...(await original<object>()),
  audit: () => Promise.reject(new Error('a fault')),
}))

it('an audit that fails itself ends with a line that says so, and the log says why', async () => {
  const service = await Service.start()
  const answer = await fetch(`${service.sandbox.url}/_sandbox/audits/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'http://127.0.0.1:1/' }),
  })
  const [cases, fault] = (await answer.text()).split('\n').map((line) => JSON.parse(line || '{}') as object)
  expect(cases).toHaveProperty('cases')
  expect(fault).toEqual({ fault: 'The audit itself has failed. The log of the sandbox says why.' })
  expect(service.lines).toContain('audit Error: a fault')
})
