import { manualClock, startSandbox } from '@service-signature/sandbox'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'

// An endpoint that refuses the first attempt.
let attempts = 0
const server = createServer((request, response) => {
  attempts += 1
  response.writeHead(attempts === 1 ? 500 : 204).end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const webhook_url = `http://127.0.0.1:${server.address().port}/`

async function pay({ url, apiKeys }) {
  const post = async (path, body) => {
    const headers = { 'Content-Type': 'application/json', 'X-Api-Key': apiKeys.account }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()).data
  }
  const intent = { amount: 10.5, amount_currency: 'EUR', webhook_url }
  const { id } = await post('/api/v1.4/payments/intent/', intent)
  await post(`/_sandbox/intents/${id}/pay/`, { card: '4242424242424242' })
}

// #region clock
const clock = manualClock()
const sandbox = await startSandbox({ clock })
await pay(sandbox) // the endpoint answers 500 to the first attempt
await sandbox.idle()
clock.advance(1000) // the first retry goes out
await sandbox.idle()
// #endregion

// One attempt for each of the two events, and one retry.
assert.equal(attempts, 3)
await sandbox.close()
server.closeAllConnections()
server.close()
