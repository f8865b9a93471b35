import { expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { SandboxProcess } from '../support/sandbox-process.js'

const PAYMENTS = 40
const FIELDS = { text: 'x'.repeat(900_000) }

it('a sandbox in a small heap survives payments with large custom_fields', async () => {
  const endpoint = await Endpoint.start()
  const sandbox = await SandboxProcess.start(['sandbox'], { node: ['--max-old-space-size=200'] })
  for (let count = 1; count <= PAYMENTS; count++) {
    const payment = { amount: 10, amount_currency: 'EUR', webhook_url: endpoint.url, custom_fields: FIELDS }
    const { id } = await sandbox.call<{ id: string }>('POST', '/api/v1.4/payments/intent/', payment)
    await sandbox.call('POST', `/_sandbox/intents/${id}/pay/`, { card: '4242424242424242' })
    await endpoint.until(2 * count)
    // The endpoint of this test need not keep them.
    for (const received of endpoint.received) Object.assign(received, { bytes: Buffer.alloc(0) })
  }
  expect(sandbox.child.exitCode).toBeNull()
})
