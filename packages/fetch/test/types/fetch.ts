// Compiled with the workspace (npm run types), never run: how the adapter fits the types of its hosts.
import { createDispatcher, createVerifier, type VerifiedWebhook } from '@service-signature/core'
import { serviceSignature, type RequestHandler } from '@service-signature/fetch'
import { Hono, type Context } from 'hono'

const secret = 'test_signature_key'

const handle = serviceSignature({ secret }, (webhook, request) => {
  const given: readonly [VerifiedWebhook, Request] = [webhook, request]
  console.log(given.length)
})

new Hono()
  .post('/plain', (c) => handle(c.req.raw))
  .post('/webhooks', (c) => handle(c.req.raw, c))
  .post('/answers', (c) => answering(c.req.raw, c))
const answering = serviceSignature({ secret }, ({ event }, _request, c: Context) =>
  c.json({ type: event.type }),
)

/** The second argument of a route handler of Next. */
interface RouteContext {
  readonly params: Promise<{ readonly tenant: string }>
}
/** A subclass of Request, like NextRequest. */
interface OwnRequest extends Request {
  readonly nextUrl: URL
}
const POST = serviceSignature({ secret }, async (webhook, request: OwnRequest, { params }: RouteContext) => {
  const { tenant } = await params
  return Response.json([webhook.event.type, request.nextUrl.pathname, tenant])
})
export const route: (request: OwnRequest, context: RouteContext) => Promise<Response> = POST
export const anyRoute: (request: OwnRequest, context: RouteContext) => Promise<Response> = handle

interface Env {
  readonly WEBHOOK_SECRET: string
}
interface ExecutionContext {
  readonly waitUntil: (promise: Promise<unknown>) => void
}
const worker = serviceSignature({ secret }, (_webhook, _request, env: Env, ctx: ExecutionContext) => {
  ctx.waitUntil(Promise.resolve(env.WEBHOOK_SECRET))
})
export const module: { fetch: (request: Request, env: Env, ctx: ExecutionContext) => Promise<Response> } = {
  fetch: worker,
}

interface ServeHandlerInfo {
  readonly remoteAddr: { readonly hostname: string }
}
const serve = (handler: (request: Request, info: ServeHandlerInfo) => Response | Promise<Response>) => handler
serve(handle)
serve(
  serviceSignature({ secret }, (_webhook, _request, { remoteAddr }: ServeHandlerInfo) => {
    remoteAddr.hostname.trim()
  }),
)

const dispatcher = createDispatcher()
export const whole: RequestHandler = serviceSignature({ verifier: createVerifier({ secret }), dispatcher })
serviceSignature(
  {
    secret: ({ request }) => (request.url.endsWith('/berlin') ? [secret] : null),
    onVerified: ({ event }, { request }) => [event.shape, request.url],
    onRejected: ({ code }, { request }) => [code, request.headers.get('user-agent')],
  },
  () => undefined,
)
serviceSignature({ secret }, async () => {
  await Promise.resolve()
})
serviceSignature({ secret }, ({ event }) => (event.shape === 'intent' ? undefined : new Response()))

// @ts-expect-error: there is neither a handler nor a dispatcher
serviceSignature({ secret })
// @ts-expect-error: there are both a handler and a dispatcher
serviceSignature({ secret, dispatcher }, () => undefined)
// @ts-expect-error: misspelled
serviceSignature({ secret, bodylimit: 5 }, () => undefined)
// @ts-expect-error: not a Response
serviceSignature({ secret }, () => 'handled')
// @ts-expect-error: the context of Hono is not a Request
new Hono().post('/webhooks', handle)
// @ts-expect-error: the handler needs more than the host gives
serve(worker)
