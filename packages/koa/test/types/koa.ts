// Compiled with the workspace (npm run types), never run: how the adapter fits Koa's types.
import Router from '@koa/router'
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

// In a router, and with a state and a context of the application's own.
new Router().post('/webhooks', serviceSignature({ secret }), (ctx) => {
  const webhook: VerifiedWebhook | undefined = ctx.state.webhook
  ctx.body = [webhook?.event.type, ctx.params['account']]
})
interface State {
  readonly user: string
}
interface Extra {
  readonly locale: string
}
new Koa<State, Extra>().use(serviceSignature({ secret }))
const chained: Koa = new Koa().use(serviceSignature({ secret })).use((ctx) => ctx.throw(404))
void chained
new Router<State, Extra>().post('/webhooks', serviceSignature({ secret }), (ctx) => {
  ctx.body = [ctx.state.webhook?.event.type, ctx.state.user, ctx.locale]
})
// @ts-expect-error: misspelled
serviceSignature({ secret, bodylimit: 5 })
