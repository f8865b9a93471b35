import { WebhookError } from '@service-signature/core'
import { createNodeReceiver } from '@service-signature/core/node'
import { problemOf } from '@service-signature/core/receiver'
import { createServer } from 'node:http'

const receiver = createNodeReceiver(
  { secret: process.env.WEBHOOK_SECRET },
  'in this server, let nothing read the request before the receiver',
)

const server = createServer(async (req, res) => {
  const reception = receiver.open({ request: req, req, res })
  const taken = await reception.take((read) => read())
  if ('refused' in taken) {
    if (!WebhookError.is(taken.refused)) return res.writeHead(500).end()
    const { status, headers, body } = problemOf(taken.refused)
    return res.writeHead(status, headers).end(body)
  }
  // A duplicate, or an event that a dispatcher handled.
  if ('status' in taken) return res.writeHead(taken.status).end()
  console.log('verified:', taken.delivery.webhook.event.type)
  res.writeHead(204).end()
})

server.listen(process.env.PORT ?? 3000)
