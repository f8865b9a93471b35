import { fetchSecret } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { startSandbox } from '@service-signature/sandbox'
import express from 'express'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'

test('both events of a payment are verified and handled', async (t) => {
  const sandbox = await startSandbox({ seed: 1, timeScale: 1000 })
  t.after(() => sandbox.close())

  // The endpoint under test.
  const handled = []
  const secret = fetchSecret({ baseUrl: sandbox.url, apiKey: sandbox.apiKeys.account })
  t.after(() => secret.close())
  const app = express()
  app.post('/webhooks', serviceSignature({ secret }), (req, res) => {
    handled.push(req.webhook.event.type)
    res.sendStatus(204)
  })
  const server = app.listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const webhook_url = `http://127.0.0.1:${server.address().port}/webhooks`

  // A merchant makes an intent, and a customer pays it.
  const post = async (path, body) => {
    const response = await fetch(sandbox.url + path, {
      method: 'POST',
      headers: { 'X-Api-Key': sandbox.apiKeys.account, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { status, data } = await response.json()
    assert.equal(status.code, 200, JSON.stringify(status))
    return data
  }
  const intent = await post('/api/v1.4/payments/intent/', {
    amount: 10.5,
    amount_currency: 'EUR',
    webhook_url,
  })
  await post(`/_sandbox/intents/${intent.id}/pay/`, { card: '4242424242424242' })

  await sandbox.drained() // both events were delivered, or refused for good
  assert.deepEqual(handled, ['transaction.purchase.successful', 'intent.processed'])
})
