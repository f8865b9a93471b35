// A payment, and an endpoint that refuses the first attempt to tell it.
import { strictEqual } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:http'

let attempts = 0
const server = createServer((_request, response) => {
  attempts += 1
  response.writeHead(attempts === 1 ? 500 : 204).end()
})

export async function pay(sandbox) {
  server.listen(0)
  await once(server, 'listening')
  const post = async (path, body) => {
    const headers = { 'Content-Type': 'application/json', 'X-Api-Key': sandbox.apiKeys.account }
    const response = await fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()).data
  }
  const webhook_url = `http://127.0.0.1:${server.address().port}/`
  const { id } = await post('/api/v1.4/payments/intent/', {
    amount: 10.5,
    amount_currency: 'EUR',
    webhook_url,
  })
  await post(`/_sandbox/intents/${id}/pay/`, { card: '4242424242424242' })
}

/** One attempt for each of the two events, and one retry. */
export async function expectRetry(sandbox) {
  strictEqual(attempts, 3)
  await sandbox.close()
  server.closeAllConnections()
  server.close()
}
