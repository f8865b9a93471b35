// Compiled with the workspace (npm run types), never run: how the adapter fits Koa's types.
import { createDispatcher, createVerifier, type VerifiedWebhook } from '@service-signature/core'
import { serviceSignature } from '@service-signature/koa'
import Koa from 'koa'

const secret = 'test_signature_key'
const app = new Koa()

app.use(serviceSignature({ secret }))
app.use((ctx) => {
  const webhook: VerifiedWebhook | undefined = ctx.state.webhook
  ctx.body = webhook?.event.type
})
app.use(serviceSignature({ verifier: createVerifier({ secret }), dispatcher: createDispatcher() }))
app.use(
  serviceSignature({
    secret: ({ request }) => (request.path === '/berlin' ? [secret] : null),
    onVerified: ({ event }, { request: ctx }) => [event.shape, ctx.method, ctx.ip],
    onRejected: ({ code }, { request: ctx }) => [code, ctx.ip],
  }),
)
// @ts-expect-error: misspelled
serviceSignature({ secret, bodylimit: 5 })
