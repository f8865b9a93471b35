// Compiled with the workspace (npm run types), never run: how the adapter fits Express's types.
import { createDispatcher, createVerifier, type VerifiedWebhook } from '@service-signature/core'
import { keepRawBody, serviceSignature } from '@service-signature/express'
import express from 'express'

const secret = 'test_signature_key'
const app = express()

app.use(express.json({ verify: keepRawBody }))
app.post('/guard', serviceSignature({ secret }), (req, res) => {
  const webhook: VerifiedWebhook | undefined = req.webhook
  // @ts-expect-error: it is undefined without serviceSignature() before the handler
  void req.webhook.event
  res.json({ type: webhook?.event.type })
})
app.post(
  '/endpoint',
  serviceSignature({ verifier: createVerifier({ secret }), dispatcher: createDispatcher() }),
)
app.use(
  serviceSignature({
    secret: ({ request }) => (request.params['tenant'] === 'berlin' ? [secret] : null),
    onVerified: ({ event }, { request }) => [event.shape, request.path, request.headers],
    onRejected: ({ code }, { request, header, body }) => [code, request.ip, header, body?.byteLength],
    onDuplicate: (webhook, { request }) => [webhook.timestamp, request.originalUrl],
    onUnhandled: ({ event }) => event.type,
    onFailed: (error, webhook, { request }) => [error, webhook.event, request.params],
  }),
)
// Not a promise, because the types of Express 4 expect a middleware that returns nothing.
const returned: ReturnType<ReturnType<typeof serviceSignature>> = undefined
void returned
express.Router().post('/', serviceSignature({ secret }))
// @ts-expect-error: misspelled
serviceSignature({ secret, bodylimit: 5 })
