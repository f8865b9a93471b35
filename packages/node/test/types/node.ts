// Compiled and linted with the workspace (npm run types, npm run lint:code), never run: how the adapter fits the types of its
// hosts. The rule no-misused-promises lets createServer have no function that returns a promise.
import { createDispatcher, createVerifier, type VerifiedWebhook } from '@service-signature/core'
import { serviceSignature, type WebhookListener } from '@service-signature/node'
import connect from 'connect'
import { defineEventHandler, fromNodeMiddleware } from 'h3'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttp2Server, type Http2ServerRequest } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import polka from 'polka'

const secret = 'test_signature_key'
const dispatcher = createDispatcher()

const handle = serviceSignature({ secret }, async (webhook, req, res) => {
  const given: readonly [VerifiedWebhook, IncomingMessage, ServerResponse] = [webhook, req, res]
  await Promise.resolve(given)
})
createServer(handle)
createHttpsServer(handle)
createServer(
  serviceSignature({ secret }, (webhook, req, res) => {
    res.end(webhook.event.type + String(req.url))
  }),
)
createServer((req, res) => {
  if (req.url === '/webhooks') handle(req, res)
})
createServer(serviceSignature({ verifier: createVerifier({ secret }), dispatcher }))

createHttp2Server(
  serviceSignature({ secret }, (_webhook, req, res) => {
    res.end(req.authority)
  }),
)
createHttp2Server(serviceSignature({ secret, dispatcher }))

connect().use('/webhooks', handle)
polka().post('/webhooks', handle)
export const inH3 = [fromNodeMiddleware(handle), defineEventHandler(({ node }) => handle(node.req, node.res))]

/** The types of Next, as far as they matter here. */
interface NextApiRequest extends IncomingMessage {
  readonly query: Partial<Record<string, string | string[]>>
}
type NextApiResponse<Data = unknown> = ServerResponse & {
  readonly status: (statusCode: number) => NextApiResponse<Data>
  readonly json: (body: Data) => void
}
type NextApiHandler<Data = unknown> = (req: NextApiRequest, res: NextApiResponse<Data>) => unknown

export const route: NextApiHandler = serviceSignature({ secret }, (webhook, req, res) => {
  res.status(200).json([webhook.event.type, req.query['tenant']])
})
export const plainRoute: NextApiHandler = handle
export async function wrappedRoute(req: NextApiRequest, res: NextApiResponse): Promise<void> {
  if (req.method === 'POST') await handle(req, res)
}
export const typedRoute = serviceSignature<NextApiRequest, NextApiResponse>(
  { secret },
  (webhook, { query }) => {
    console.log(webhook.event.type, query)
  },
)

const observed: WebhookListener = serviceSignature(
  {
    secret: ({ request }) => (request.url === '/berlin' ? [secret] : null),
    onVerified: ({ event }, { request }) => [event.shape, request.socket.remoteAddress],
    onRejected: ({ code }, { request, header }) => [code, request.headers, header],
  },
  () => undefined,
)
createServer(observed)
createHttp2Server(
  serviceSignature(
    {
      secret,
      onRejected: ({ code }, { request }: { request: Http2ServerRequest }) => [code, request.scheme],
    },
    () => undefined,
  ),
)

// @ts-expect-error: nothing handles the delivery
serviceSignature({ secret })
// @ts-expect-error: two handle it
serviceSignature({ secret, dispatcher }, () => undefined)
// @ts-expect-error: misspelled
serviceSignature({ secret, bodylimit: 5 }, () => undefined)
// @ts-expect-error: the handler expects more than the host has
createServer(typedRoute)
