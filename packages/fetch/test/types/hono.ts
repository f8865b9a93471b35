// Compiled with the workspace (npm run types), never run: how the middleware fits the types of Hono.
import { createDispatcher, createVerifier, type VerifiedWebhook } from '@service-signature/core'
import { serviceSignature } from '@service-signature/fetch/hono'
import { Hono, type Context } from 'hono'
import { createFactory } from 'hono/factory'

const secret = 'test_signature_key'
const dispatcher = createDispatcher()

interface Env {
  Bindings: { readonly WEBHOOK_SECRET: string }
  Variables: { readonly requestId: string }
}

new Hono()
  .post('/webhooks', serviceSignature({ secret }), (c) => {
    const found: VerifiedWebhook = c.var.webhook
    const same: VerifiedWebhook = c.get('webhook')
    return c.json([found.event.type, same.timestamp])
  })
  .post('/dispatched', serviceSignature({ verifier: createVerifier({ secret }), dispatcher }))

// With an application that has variables and bindings of its own.
new Hono<Env>()
  .post('/webhooks', serviceSignature({ secret }), (c) =>
    c.text(c.var.webhook.event.type + c.var.requestId + c.env.WEBHOOK_SECRET),
  )
  .post(
    '/bindings',
    serviceSignature<Context<Env>>({
      secret: ({ request: c }) => c.env.WEBHOOK_SECRET,
      onRejected: ({ code }, { request: c }) => [code, c.req.header('user-agent'), c.var.requestId],
    }),
    (c) => c.text(c.var.webhook.event.type),
  )
  .use('/used', serviceSignature({ secret }))

// Mounted for all routes that follow, it is known to each.
new Hono().use(serviceSignature({ secret })).post('/webhooks', (c) => c.text(c.var.webhook.event.type))
export const handlers = createFactory<Env>().createHandlers(serviceSignature({ secret }), (c) =>
  c.text(c.var.webhook.event.type),
)

// @ts-expect-error: without serviceSignature() there is no delivery
new Hono().post('/webhooks', (c) => c.text(String(c.var.webhook)))
// @ts-expect-error: misspelled
serviceSignature({ secret, bodylimit: 5 })
// @ts-expect-error: the next handler is the handler
serviceSignature({ secret }, () => undefined)
