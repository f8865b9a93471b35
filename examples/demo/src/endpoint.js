import { fetchSecret, memoryReplayStore, WebhookError } from '@service-signature/core'
import { explain } from '@service-signature/explain'
import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { once } from 'node:events'

/**
 * @typedef {object} Endpoint a merchant's server
 * @property {string} url the address for deliveries
 * @property {import('@service-signature/core').WebhookEvent[]} handled events that reached the handler
 * @property {Promise<Refusal>[]} refused deliveries that did not reach it
 * @property {() => Promise<void>} close
 */

/** @typedef {{ code: string, finding: string }} Refusal for the operator: the sender does not see it */

/**
 * The endpoint of a merchant.
 *
 * @param {{ baseUrl: string, apiKey: string }} service
 * @returns {Promise<Endpoint>}
 */
export async function startEndpoint({ baseUrl, apiKey }) {
  /** @type {Endpoint['handled']} */
  const handled = []
  /** @type {Endpoint['refused']} */
  const refused = []
  const secret = fetchSecret({ baseUrl, apiKey })

  const app = express()
  const genuine = serviceSignature({
    secret,
    replay: memoryReplayStore(),
    onRejected({ code, message }, { header, body }) {
      const reason = body === undefined ? Promise.resolve(message) : findingOn(body, header)
      refused.push(reason.then((finding) => ({ code, finding })))
    },
  })
  app.post('/webhooks', genuine, (req, res) => {
    handled.push(/** @type {NonNullable<typeof req.webhook>} */ (req.webhook).event)
    res.sendStatus(204)
  })
  app.use(answerError)

  /**
   * @param {Uint8Array} body
   * @param {import('@service-signature/core').SignatureHeaderValue} header
   */
  async function findingOn(body, header) {
    return (await explain(body, header, { secret: await secret.get() })).finding
  }

  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    handled,
    refused,
    async close() {
      secret.close()
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * Without it, Express would print each refusal with its stack.
 *
 * @param {unknown} error
 * @param {import('express').Request} _req
 * @param {import('express').Response} res
 * @param {import('express').NextFunction} next
 */
function answerError(error, _req, res, next) {
  if (WebhookError.is(error) && !res.headersSent) res.set(error.headers).sendStatus(error.status)
  else next(error)
}
