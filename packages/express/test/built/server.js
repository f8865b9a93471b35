// A merchant's server in a process of its own, so that the test can measure its memory.
import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { setImmediate } from 'node:timers/promises'

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env.SECRET }), (req, res) => {
  res.json({ bytes: req.webhook.rawBody.length })
})
app.use((error, _req, res, _next) => res.status(error.status).end())

const server = app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
  process.send({ port: server.address().port }),
)

process.on('message', async () => {
  while ((await connections()) > 0) await setImmediate()
  // The second collection frees what the finalizers of the first released.
  for (let i = 0; i < 2; i++) {
    globalThis.gc()
    await setImmediate()
  }
  process.send({ rss: process.memoryUsage().rss })
})

function connections() {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))
}
