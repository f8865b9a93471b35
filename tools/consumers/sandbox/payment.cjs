// A test of an endpoint against the sandbox, whose address and keys are in the environment.
const { once } = require('node:events')
const { createServer } = require('node:http')
const { serviceSignature } = require('@service-signature/node')

/** Pays an intent, and resolves to the types of the events that the endpoint handled, when it has handled two. */
exports.typesOfPayment = async () => {
  const { PAYMENT_SERVICE_URL, PAYMENT_API_KEY, WEBHOOK_SECRET } = process.env
  const types = []
  const server = createServer(
    serviceSignature({ secret: WEBHOOK_SECRET }, ({ event }) => {
      if (types.push(event.type) === 2) server.emit('handled')
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const handled = once(server, 'handled')

  const post = async (path, content) => {
    const headers = { 'X-Api-Key': PAYMENT_API_KEY, 'Content-Type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(content) }
    const response = await fetch(PAYMENT_SERVICE_URL + path, request)
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()).data
  }
  const webhook_url = `http://127.0.0.1:${server.address().port}/webhooks`
  const intent = { amount: 10.5, amount_currency: 'EUR', webhook_url }
  const { id } = await post('/api/v1.4/payments/intent/', intent)
  await post(`/_sandbox/intents/${id}/pay/`, { card: '4242424242424242' })
  await handled
  server.close()
  return types
}

exports.PAID = ['transaction.purchase.successful', 'intent.processed']
