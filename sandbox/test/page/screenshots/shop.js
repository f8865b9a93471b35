import { fetchSecret, WebhookError } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { once } from 'node:events'

const PORT = 3000

/**
 * The endpoints of a merchant: one verifies each delivery, one accepts everything, and one fails now and then.
 *
 * @param {{ baseUrl: string, apiKey: string }} service
 * @param {(milliseconds: number) => void} work lets the time pass that an answer takes
 */
export async function startShop(service, work) {
  const secret = fetchSecret(service)
  const strict = serviceSignature({ secret })
  // For the deliveries of the last days: they have the times of those days.
  const lenient = serviceSignature({ secret, toleranceSeconds: Infinity })
  let isStrict = false
  let failures = 0

  const app = express()
  app.use((req, _res, next) => {
    work(6 + ((Number(req.headers['content-length']) * 7) % 41))
    next()
  })
  app.post(
    '/webhooks',
    (req, res, next) => {
      const verify = isStrict ? strict : lenient
      verify(req, res, next)
    },
    (_req, res) => void res.sendStatus(204),
  )
  app.post('/legacy/hooks', (_req, res) => void res.status(200).json({ received: true }))
  app.post('/invoices', (_req, res) => {
    failures += 1
    if (failures % 4 === 2) res.status(500).json({ error: 'The database did not answer.' })
    else res.sendStatus(204)
  })
  app.use(answerError)
  const server = app.listen(PORT, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${PORT}`
  return {
    webhooks: `${url}/webhooks`,
    legacy: `${url}/legacy/hooks`,
    invoices: `${url}/invoices`,
    gone: `http://127.0.0.1:3999/webhooks`,
    beStrict() {
      isStrict = true
    },
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
  if (WebhookError.is(error)) res.set(error.headers).sendStatus(error.status)
  else next(error)
}
