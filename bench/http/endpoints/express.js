import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { once } from 'node:events'
import { SECRET } from '../../contestants/signing.js'
import { constructEvent } from '../stripe-recipe.js'

const raw = () => express.raw({ type: () => true, limit: '1mb' })

/** What stands before the handler, and leaves it an event. */
const GUARDS = {
  ours: [
    serviceSignature({ secret: SECRET }),
    (req, _res, next) => {
      req.event = req.webhook.event
      next()
    },
  ],
  unverified: [
    raw(),
    (req, _res, next) => {
      req.event = JSON.parse(req.body.toString())
      next()
    },
  ],
  stripe: [
    raw(),
    (req, res, next) => {
      req.event = constructEvent(req.body, req.headers)
      if (req.event === undefined) res.sendStatus(400)
      else next()
    },
  ],
}

/** @param {keyof typeof GUARDS} guard */
export async function listen(guard) {
  const app = express()
  app.post('/webhooks', ...GUARDS[guard], (req, res) => {
    res.sendStatus(typeof req.event.type === 'string' ? 204 : 422)
  })
  app.use((error, _req, res, _next) => res.sendStatus(error.status ?? 500))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server.address().port
}
