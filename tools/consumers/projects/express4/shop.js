// A shop as merchants have it: Express 4, CommonJS, body parsers for everything but the webhooks.
const express = require('express')
const helmet = require('helmet')
const { createDispatcher, memoryReplayStore } = require('@service-signature/core')
const { serviceSignature } = require('@service-signature/express')

function createShop({ secret, paid }) {
  const app = express()
  app.disable('etag')
  app.set('trust proxy', 1)
  app.use(helmet())

  const dispatcher = createDispatcher().on('intent.*', ({ payload }) => paid(payload))
  app.post('/webhooks', serviceSignature({ secret, replay: memoryReplayStore() }), (req, res) => {
    paid(req.webhook.event)
    res.sendStatus(204)
  })
  app.post('/webhooks/dispatched', serviceSignature({ secret, dispatcher }))

  app.use(express.json())
  app.use(express.urlencoded({ extended: true }))
  app.post('/orders', (req, res) => res.status(201).json({ order: req.body.order }))
  app.post('/late/webhooks', serviceSignature({ secret }), (req, res) => {
    paid(req.webhook.event)
    res.sendStatus(204)
  })

  // Express knows an error handler by its four arguments.
  app.use((error, _req, res, _next) => {
    res.status(error.status ?? 500).json({ error: error.expose ? error.message : 'refused' })
  })
  return app
}

module.exports = { createShop }
