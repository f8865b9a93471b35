import { serviceSignature } from '@service-signature/node'
import { createServer } from 'node:http'

export const server = createServer(
  serviceSignature({ secret: 'test_signature_key' }, ({ event }, req, res) => {
    console.log(event.type, req.url)
    res.writeHead(204).end()
  }),
)
