import { createServer } from 'node:http'
import { serviceSignature } from '@service-signature/node'

const options = {
  secret: process.env.WEBHOOK_SECRET,
  onRejected: (error) => console.warn(error.code, error.message),
}
const handle = serviceSignature(options, async (webhook) => {
  console.log('verified:', webhook.event.type)
})

const server = createServer((req, res) => {
  if (req.method === 'POST' && req.url === '/webhooks') handle(req, res)
  else res.writeHead(404).end()
})
server.listen(process.env.PORT ?? 3000)
