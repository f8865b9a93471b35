// What a snippet is sent: genuine deliveries, signed by node:crypto alone (S6.3), and others.
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'

/** @typedef {{ body: string, signature: string | undefined }} Delivery */

/**
 * @param {Buffer | string} body
 * @param {string} secret
 * @param {string} timestamp
 */
function digestOf(body, secret, timestamp) {
  const message = Buffer.from(body).toString('base64') + timestamp
  return createHmac('sha256', secret).update(message).digest('hex')
}

/**
 * @param {object} event
 * @param {string} secret
 * @returns {Delivery & { signature: string }}
 */
function signed(event, secret) {
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(Date.now() / 1000))
  return { body, signature: `t=${timestamp},v3=${digestOf(body, secret, timestamp)}` }
}

/**
 * One of each shape of event, each time with another id, so that no store knows it.
 *
 * @param {string} secret
 */
export function genuine(secret) {
  const id = randomUUID()
  const events = [
    transactionEvent({ intent: { id } }),
    intentEvent({ data: { intent_id: id } }),
    { type: 'something.new', id },
  ]
  return events.map((event) => signed(event, secret))
}

/**
 * Changed after it was signed, signed with another key, and not signed at all. Whoever handles one of them prints "forged".
 *
 * @param {string} secret
 * @returns {Delivery[]}
 */
export function refused(secret) {
  const forged = transactionEvent({ intent: { id: 'forged' } })
  const { body, signature } = signed(forged, secret)
  return [
    { body: body.replace('forged', 'forged too'), signature },
    { body, signature: signed(forged, 'the_key_of_a_forger').signature },
    { body, signature: undefined },
  ]
}

/**
 * @param {string} url
 * @param {Delivery} delivery
 * @returns {Promise<number>} the status of the answer
 */
export async function send(url, { body, signature }) {
  const headers = {
    'Content-Type': 'application/json',
    ...(signature !== undefined && { 'Service-Signature': signature }),
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

/** An endpoint for snippets that send. It takes all, and keeps it. */
export async function startReceiver() {
  /** @type {{ body: Buffer, signature: string }[]} */
  const received = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      received.push({ body, signature: String(request.headers['service-signature']) })
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    host: `127.0.0.1:${port}`,
    received,
    /** @param {readonly string[]} secrets */
    areGenuine: (secrets) =>
      received.every(({ body, signature }) => {
        const [, timestamp = ''] = /\bt=(\d+)/.exec(signature) ?? []
        return secrets.some((secret) => signature.includes(`v3=${digestOf(body, secret, timestamp)}`))
      }),
    async close() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}
