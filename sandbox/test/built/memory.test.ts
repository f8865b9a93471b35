import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { Endpoint } from '../support/endpoint.js'

const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/service-signature.js', import.meta.url))

const PAYMENTS = 40
const FIELDS = { text: 'x'.repeat(900_000) }

it('a sandbox in a small heap survives payments with large custom_fields', async () => {
  const endpoint = await Endpoint.start()
  const child = spawn(process.execPath, ['--max-old-space-size=200', COMMAND, 'sandbox', '--json'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { url, apiKeys } = JSON.parse(line.toString()) as { url: string; apiKeys: { account: string } }
  const post = async (path: string, body: object) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'X-Api-Key': apiKeys.account, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    return ((await response.json()) as { data: { id: string } }).data
  }
  for (let count = 1; count <= PAYMENTS; count++) {
    const payment = { amount: 10, amount_currency: 'EUR', webhook_url: endpoint.url, custom_fields: FIELDS }
    const { id } = await post('/api/v1.4/payments/intent/', payment)
    await post(`/_sandbox/intents/${id}/pay/`, { card: '4242424242424242' })
    await endpoint.until(2 * count)
    // The endpoint of this test need not keep them.
    for (const received of endpoint.received) Object.assign(received, { bytes: Buffer.alloc(0) })
  }
  expect(child.exitCode).toBeNull()
})
