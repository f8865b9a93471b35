// Runs one example in a process of its own, as its host would: node run.js <file>.
// The parent process gets the port that it listens on.
import { createServer } from 'node:http'
import { Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { createVerifier } from '@service-signature/core'

const { emit } = Server.prototype
Server.prototype.emit = function (event, ...rest) {
  if (event === 'listening') process.send?.(this.address().port)
  return Reflect.apply(emit, this, [event, ...rest])
}

const example = await import(pathToFileURL(process.argv[2]).href)

/** How a host calls an export of that name. */
const hosts = {
  POST: (request) => example.POST(toRequest(request)),
  default: (request) => {
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined }
    return example.default.fetch(toRequest(request), process.env, context)
  },
  handler: ({ url, headers, body }) => {
    const requestContext = { http: { method: 'POST', path: url } }
    const event = { version: '2.0', rawPath: url, headers, requestContext, isBase64Encoded: true }
    return example.handler({ ...event, body: body.toString('base64') }, { awsRequestId: '1' })
  },
  receive: ({ headers, body }) => example.receive(body, headers['service-signature']),
  verifier: async ({ url, headers, body }) => {
    await example.verifier.verify(body, headers['service-signature'], { request: { url } })
  },
  dispatcher: async ({ headers, body }) => {
    const verifier = createVerifier({ secret: process.env.WEBHOOK_SECRET })
    await example.dispatcher.dispatch(await verifier.verify(body, headers['service-signature']))
  },
}

const toRequest = ({ url, headers, body }) =>
  new Request(`http://localhost${url}`, { method: 'POST', headers, body })

const [call] = Object.keys(example).flatMap((name) => hosts[name] ?? [])
if (example.config?.api?.bodyParser === false) {
  // An API route of Next gets the request itself.
  createServer(example.default).listen(0, '127.0.0.1')
} else if (call !== undefined) {
  createServer(async (request, response) => {
    const { url, headers } = request
    try {
      const answer = await call({ url, headers, body: await buffer(request) })
      response.writeHead(answer?.status ?? answer?.statusCode ?? 204).end()
    } catch (error) {
      response.writeHead(error.status ?? 500).end()
    }
  }).listen(0, '127.0.0.1')
}
