import express from 'express'
import { STATUS_CODES } from 'node:http'
import { serviceSignature } from '@service-signature/express'

const app = express()

app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), (req, res) => {
  console.log('verified:', req.webhook.event.type)
  res.sendStatus(204)
})

app.post('/orders', express.json(), (_req, res) => {
  res.sendStatus(200)
})

app.get('/orders', () => {
  throw new Error('the database is down')
})

// #region handler
// Express recognizes an error handler by its four parameters.
app.use((err, _req, res, next) => {
  if (res.headersSent) return next(err)
  const status = err.status ?? 500
  // A refused delivery is not an incident. An error without a status, or with 5xx, is one.
  if (status >= 500) console.error(err)
  res
    .status(status)
    // WWW-Authenticate and Retry-After.
    .set(err.headers ?? {})
    .json({ error: err.expose ? err.message : STATUS_CODES[status] })
})
// #endregion

app.listen(process.env.PORT ?? 3000)
