import { createServer } from 'node:http'
import { serviceSignature } from '@service-signature/node'

const handle = serviceSignature({ secret: process.env['WEBHOOK_SECRET'] ?? '' }, ({ event }, _req, res) => {
  if (event.shape === 'transaction') console.log('verified:', event.payload.intent.id)
  res.writeHead(202).end()
})

createServer(handle).listen(process.env['PORT'] ?? 3000)
