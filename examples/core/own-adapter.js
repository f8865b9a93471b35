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
    reception.checkHeader()
    const webhook = await reception.verify(await reception.readBody())
    const status = await reception.start()
    // A duplicate, or an event that a dispatcher handled.
    if (status !== undefined) return res.writeHead(status).end()
    console.log('verified:', webhook.event.type)
    res.writeHead(204).end()
  } catch (error) {
    const refusal = await reception.refuse(error)
    if (!WebhookError.is(refusal)) return res.writeHead(500).end()
    const { status, headers, body } = problemOf(refusal)
    res.writeHead(status, headers).end(body)
  }
})

server.listen(process.env.PORT ?? 3000)
