// A delivery of the payment service, signed by node:crypto alone. It is copied into every project.
const { strictEqual } = require('node:assert')
const { createHmac } = require('node:crypto')

const SECRET = 'test_signature_key'
const BODY = '{"type": "intent.processed", "amount": 10.0}'

/** The header of a delivery that is signed now. */
function signatureOf(body, secret = SECRET) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const message = Buffer.from(body).toString('base64') + timestamp
  return `t=${timestamp},v3=${createHmac('sha256', secret).update(message).digest('hex')}`
}

/** Sends a delivery, and resolves to the status of the answer. */
async function send(url, body, signature) {
  const headers = { 'Content-Type': 'application/json', 'Service-Signature': signature }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

/** Sends a valid delivery, one that was changed and one that is signed with another key. */
async function sendAll(url, body = BODY) {
  strictEqual(await send(url, body, signatureOf(body)), 204, `${url}, a valid delivery`)
  strictEqual(await send(url, `${body} `, signatureOf(body)), 401, `${url}, a changed delivery`)
  strictEqual(await send(url, body, signatureOf(body, 'another_key')), 401, `${url}, a forged delivery`)
}

module.exports = { BODY, SECRET, send, sendAll, signatureOf }
