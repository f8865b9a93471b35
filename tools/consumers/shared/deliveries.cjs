// What the payment service would send (S6.3), signed by node:crypto alone.
const { createHmac } = require('node:crypto')

const SECRET = 'test_signature_key'
const BODY = '{"type": "intent.processed", "amount": 10.0}'

/** The header of a delivery that was signed now. */
function signatureOf(body, secret = SECRET) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const digest = createHmac('sha256', secret)
    .update(Buffer.from(body).toString('base64') + timestamp)
    .digest('hex')
  return `t=${timestamp},v3=${digest}`
}

/** Sends a body with a signature over a real socket, and gives the status of the answer. */
async function send(url, body, signature) {
  const headers = { 'Content-Type': 'application/json', 'Service-Signature': signature }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

module.exports = { BODY, SECRET, send, signatureOf }
