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
  try {
    const checked = reception.checkHeader()
    const delivery = await checked.verify(await checked.readBody())
    const status = await delivery.start()
    // A duplicate, or an event that a dispatcher handled.
    if (status !== undefined) return res.writeHead(status).end()
    console.log('verified:', delivery.webhook.event.type)
    res.writeHead(204).end()
  } catch (error) {
    const refusal = await reception.refuse(error)
    if (!WebhookError.is(refusal)) return res.writeHead(500).end()
    const { status, headers, body } = problemOf(refusal)
    res.writeHead(status, headers).end(body)
  }
})

server.listen(process.env.PORT ?? 3000)
