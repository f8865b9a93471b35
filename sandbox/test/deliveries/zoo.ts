import Hapi from '@hapi/hapi'
import { verifySignature } from '@service-signature/core'
import type { CauseName } from '@service-signature/deliveries'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/express'
import * as onFastify from '@service-signature/fastify'
import * as onHapi from '@service-signature/hapi'
import * as onKoa from '@service-signature/koa'
import * as onNode from '@service-signature/node'
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express'
import express4 from 'express4'
import { fastify } from 'fastify'
import Koa from 'koa'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { createServer as createSocketServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { serve } from '../support/serve.js'

// Its types say for all files that a request of Node has a text in `rawBody`.
const { bodyParser } = createRequire(import.meta.url)('@koa/bodyparser') as {
  bodyParser: () => Koa.Middleware
}

/** The merchant's side of what the sandbox knows. */
export interface Keys {
  readonly secret: string
  /** Lets time pass in the sandbox. */
  readonly advance: (milliseconds: number) => void
}

/** An endpoint with a fault of its own. */
export interface Animal {
  readonly name: string
  /** The true cause; null for a correct endpoint. */
  readonly cause: CauseName | null
  readonly title?: string
  /** The line of the answer. */
  readonly said?: string
  /** Serves it until the test ends. Returns its address. */
  readonly open: (keys: Keys) => Promise<string>
}

const OTHER = 'secret_of_staging_0123456789'
const ACCOUNT = 'acc_000000000000000000000000'
const SECRET_OR_BODY = 'Probably another secret, or a changed body'
const PARSED_FIRST = 'A body parser took the body first'

type Options = Partial<ServiceSignatureOptions>
type Extra = Partial<Pick<Animal, 'title' | 'said'>>
type Handlers = (keys: Keys) => readonly RequestHandler[]

const listening = async (listener: RequestListener) => `${await serve(createServer(listener))}/webhooks`

function listeningKoa(...handlers: readonly Koa.Middleware[]): Promise<string> {
  const app = Object.assign(new Koa(), { silent: true })
  for (const handler of handlers) app.use(handler)
  const handle = app.callback()
  return listening((req, res) => void handle(req, res))
}

/** On Express, with what is in front of the handler. */
function onExpress(made: Handlers, { make = express, env = 'test' } = {}) {
  return (keys: Keys) => {
    const app = make()
    // Its own error handler prints outside of tests.
    app.set('env', env)
    app.post('/webhooks', ...made(keys))
    return listening(app)
  }
}

const onExpress4 = (made: Handlers) => onExpress(made, { make: express4 as never })

const noContent: RequestHandler = (_req, res) => void res.sendStatus(204)

/** Verifies with the middleware of this project. */
function guarded({ secret }: Keys, options: Options = {}, handler = noContent): readonly RequestHandler[] {
  return [serviceSignature({ secret, ...options } as never), handler]
}

/** An adapter of this project on each host, with options that are wrong in the same way. */
function onEachHost(
  name: string,
  cause: CauseName | null,
  options: Options = {},
  extra: Extra = {},
): readonly Animal[] {
  const given = (keys: Keys) => ({ secret: keys.secret, ...options }) as never
  const hosts: Record<string, Animal['open']> = {
    'Express 5': onExpress((keys) => guarded(keys, options)),
    'Express 4': onExpress4((keys) => guarded(keys, options)),
    Koa: (keys) => listeningKoa(onKoa.serviceSignature(given(keys)), (ctx) => void (ctx.status = 204)),
    Fastify: async (keys) => {
      const app = fastify()
      await app.register(onFastify.serviceSignature, given(keys))
      app.post('/webhooks', { config: { serviceSignature: true } }, (_request, reply) =>
        reply.code(204).send(),
      )
      await app.ready()
      return listening((req, res) => {
        app.routing(req, res)
      })
    },
    Hapi: async (keys) => {
      const server = Hapi.server({ autoListen: false, debug: false })
      await server.register({ plugin: onHapi.serviceSignature, options: given(keys) })
      const route = { auth: 'service-signature', payload: { parse: false, output: 'data' } } as const
      const handler: Hapi.Lifecycle.Method = (_, h) => h.response().code(204)
      server.route({ method: 'POST', path: '/webhooks', options: route, handler })
      await server.start()
      return `${await serve(server.listener)}/webhooks`
    },
    node: (keys) => listening(onNode.serviceSignature(given(keys), () => undefined)),
  }
  return Object.entries(hosts).map(([host, open]) => ({ name: `${name}, ${host}`, cause, open, ...extra }))
}

function signatureOf(req: Request): { readonly t: string; readonly v1: string; readonly v3: string } {
  const parts = req.get('service-signature')?.split(',') ?? []
  return Object.fromEntries(parts.map((part) => part.split('='))) as ReturnType<typeof signatureOf>
}

const raw = express.raw({ type: '*/*' })

/** Refuses what a check of its own does not accept. */
function refusing(said: string, isRight: (req: Request) => boolean): RequestHandler {
  return (req, res) => {
    const isAccepted = isRight(req)
    res.status(isAccepted ? 200 : 401).send(isAccepted ? 'ok' : said)
  }
}

/** Verifies v3 by hand, over what is done to the body. */
function byHand(secret: string, change: (body: Buffer) => string | Buffer) {
  const check = refusing('bad signature', (req) => {
    const { t, v3 } = signatureOf(req)
    const text = Buffer.from(change(req.body as Buffer)).toString('base64') + t
    return v3 === createHmac('sha256', secret).update(text).digest('hex')
  })
  return [raw, check]
}

function throws(message: string): RequestHandler {
  return () => {
    throw new TypeError(message)
  }
}

function sends(status: number, body: object): RequestHandler {
  return (_req, res) => void res.status(status).json(body)
}

/** An error handler that shows the error, whatever its status. Express knows it by its four parameters. */
const showError = ((error: Error, _req, res, next) => {
  if (res.headersSent) next(error)
  else res.status(500).send(error.stack)
}) satisfies ErrorRequestHandler as unknown as RequestHandler

function replay(outcome: object): Options {
  const claim = () => (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome))
  const done = () => Promise.resolve()
  return { replay: { claim, commit: done, release: done } as never }
}

/** On Express, with the middleware of this project: its options, and the handler after it. */
const GUARDED: readonly (readonly [string, CauseName | null, Options, RequestHandler?, said?: string])[] = [
  ['has a body limit of 50 bytes', 'too-large', { bodyLimit: 50 }],
  ['has a secret source that fails', 'no-secret', { secret: () => Promise.reject(new Error('vault')) }],
  ['has a store that is down', 'store-unavailable', replay(new Error('down'))],
  ['throws in its handler', 'handler', {}, throws('no order'), 'TypeError: no order'],
  ['answers 500 once verified', 'handler', {}, sends(500, { message: 'disk is full' }), 'disk is full'],
  ['answers 400 once verified', 'rule', {}, sends(400, { error: { message: 'no order' } }), 'no order'],
]

/** On Express, with these handlers. */
const EXPRESS: readonly (readonly [string, CauseName | null, Handlers, Extra?])[] = [
  [
    'is still handling it',
    'in-progress',
    (keys) => guarded(keys, replay({ status: 'in-progress', token: '1' })),
    { title: 'The same delivery is still being handled' },
  ],
  ['throws before it verifies', 'handler', () => [throws('no id')], { said: 'TypeError: no id' }],
  [
    'answers 500 to each refusal, another secret',
    'other-secret',
    (keys) => [...guarded(keys, { secret: OTHER }), showError],
    { said: 'WebhookError: The delivery was refused.' },
  ],
  ['answers 500 to each refusal, right secret', null, (keys) => [...guarded(keys), showError]],
  ['parses first', 'body-consumed', (keys) => [express.json(), ...guarded(keys)], { title: PARSED_FIRST }],
  [
    're-serializes, by hand',
    'body-reserialized',
    ({ secret }) => byHand(secret, (body) => JSON.stringify(JSON.parse(String(body)))),
  ],
  [
    're-serializes, answers with the message of core',
    'body-changed',
    ({ secret }) => [
      express.json(),
      async (req, res) => {
        const verified = verifySignature(JSON.stringify(req.body), req.headers, { secret })
        await verified.then(
          () => res.sendStatus(204),
          (error: unknown) => res.status(401).json({ error: (error as Error).message }),
        )
      },
    ],
  ],
  ['has another secret, by hand', 'other-secret', () => byHand(OTHER, (body) => body)],
  [
    'appends a line break',
    'other-secret',
    ({ secret }) => byHand(secret, (body) => `${String(body)}\n`),
    { title: SECRET_OR_BODY },
  ],
  ['compares the gzipped body', 'other-secret', ({ secret }) => byHand(secret, (body) => gzipSync(body))],
  [
    'takes t for milliseconds',
    'time-unit',
    () => [refusing('timestamp too old', (req) => Date.now() - Number(signatureOf(req).t) < 300_000)],
  ],
  [
    'has a clock that is an hour ahead',
    'clock',
    (keys) => [
      (_req, res, next) => {
        res.set('date', new Date(Date.now() + 3_600_000).toUTCString())
        next()
      },
      ...guarded(keys, { now: () => Date.now() + 3_600_000 }),
    ],
  ],
  [
    'verifies v1 with the secret',
    'api-key',
    ({ secret }) => [
      raw,
      refusing('v1 mismatch', (req) => {
        const { t, v1 } = signatureOf(req)
        const text = String(req.body).replace(/\s/g, '') + t
        return createHmac('sha256', secret).update(text).digest('hex') === v1
      }),
    ],
  ],
  ['has no WEBHOOK_SECRET', 'no-secret', () => [raw, () => void createHmac('sha256', undefined as never)]],
  [
    'hashes the parsed body',
    'body-consumed',
    () => [express.json(), (req) => void createHmac('sha256', OTHER).update(req.body as string)],
    { title: 'Your code does not have the raw body' },
  ],
  [
    'parses the parsed body',
    'body-consumed',
    () => [express.json(), (req) => void JSON.parse(req.body as string)],
  ],
  [
    'compares digests of different lengths',
    'handler',
    () => [(req) => void timingSafeEqual(Buffer.from(signatureOf(req).v3), Buffer.alloc(32))],
  ],
  [
    'takes 6 s',
    'slow',
    (keys) =>
      guarded(keys, {}, (_req, res) => {
        keys.advance(6000)
        res.sendStatus(204)
      }),
    { title: 'Your endpoint took 6.0 s' },
  ],
]

const GZIP = { 'content-encoding': 'gzip' }
const LATIN = { 'content-type': 'text/plain; charset=iso-8859-1' }
const NGINX = { server: 'nginx/1.25.3' }
const STRIPE =
  'Webhook Error: No signatures found matching the expected signature for payload. Are you passing the raw request body you received from Stripe?'

/** What is answered to whatever comes. */
const ANSWERS: readonly (readonly [CauseName, number, string, said?: string, Record<string, string>?])[] = [
  ['other-secret', 401, '<h1>401 No</h1><p>nginx: bad signature</p>', '401 No nginx: bad signature', GZIP],
  ['other-secret', 401, 'Signature non valid\u00e9e', 'Signature non valid\u00e9e', LATIN],
  ['other-secret', 400, STRIPE],
  ['header-lost', 400, 'missing signature header', 'missing signature header'],
  ['header-lost', 401, '{"message":"Stripe-Signature header is required"}'],
  ['time-unit', 400, '{"error":"The signature has expired"}', 'The signature has expired', GZIP],
  ['body-consumed', 400, '{"title":"Bad Request","detail":"The raw body is not available"}'],
  ['unverified', 200, 'ok', 'ok'],
  ['redirect', 302, '', '', { location: '/login' }],
  ['method', 405, 'Method Not Allowed'],
  ['too-large', 413, 'request entity too large'],
  ['rate-limit', 429, 'slow down'],
  ['media-type', 415, '{"message":"Unsupported Media Type"}'],
  ['body-changed', 415, '<pre>WebhookError: The body is compressed or otherwise encoded. ...</pre>'],
  ['csrf', 403, '<h1>Forbidden</h1> <p>CSRF verification failed.</p>', 'Forbidden CSRF verification failed.'],
  ['csrf', 419, '<html><head><title>Page Expired</title></head><body>419 Page Expired</body></html>'],
  ['login', 401, 'Unauthorized', '', { 'www-authenticate': 'Basic realm="x"' }],
  ['login', 401, '{"detail":"Authentication credentials were not provided."}'],
  ['login', 401, '{"error":"Unauthorized","message":"jwt malformed"}'],
  ['login', 401, 'Missing Authorization header'],
  ['login', 401, '<html><head><title>Shop</title></head><body><h1>Sign in</h1></body></html>'],
  ['rule', 400, '{"message":["amount must be a string"],"error":"Bad Request"}', 'amount must be a string'],
  ['rule', 403, '<h1>Access denied</h1>'],
  ['proxy', 502, '<html><body><h1>502 Bad Gateway</h1>nginx/1.25.3</body></html>'],
  ['proxy', 403, '<html><body><h1>403 Forbidden</h1><hr>nginx/1.25.3</body></html>', '', NGINX],
]

function answering(status: number, body: string, headers: Record<string, string> = {}) {
  const type = { '<': 'text/html', '{': 'application/json' }[body.charAt(0)] ?? 'text/plain'
  const bytes = Buffer.from(body, headers === LATIN ? 'latin1' : 'utf8')
  return () =>
    listening((req, res) => {
      res.writeHead(status, { 'content-type': type, ...headers })
      req.resume().on('end', () => res.end(headers === GZIP ? gzipSync(bytes) : bytes))
    })
}

/** Answers the requests in turn with these. */
function inTurn(...statuses: readonly number[]) {
  let count = 0
  return () => listening((_req, res) => res.writeHead(statuses[count++ % statuses.length]!).end('no'))
}

const OTHERS: readonly (readonly [string, CauseName, Animal['open'], Extra?])[] = [
  ['parses first, Express 4', 'body-consumed', onExpress4((k) => [express4.json() as never, ...guarded(k)])],
  [
    'parses first, Express 5 in production',
    'body-consumed',
    onExpress((keys) => [express.json(), ...guarded(keys)], { env: 'production' }),
    { said: 'Internal Server Error' },
  ],
  [
    'parses first, Koa',
    'body-consumed',
    ({ secret }) => listeningKoa(bodyParser(), onKoa.serviceSignature({ secret })),
  ],
  ['verifies nothing, and refuses each third request', 'unverified', inTurn(401, 200, 200)],
  [
    'only looks whether there is a header',
    'unverified',
    () => listening((req, res) => res.writeHead('service-signature' in req.headers ? 204 : 401).end()),
  ],
  [
    'has no such route',
    'no-route',
    async (keys) => `${await onExpress(() => [noContent])(keys)}/orders`,
    { said: 'Cannot POST /webhooks/orders' },
  ],
  ['listens on another port', 'not-listening', () => Promise.resolve('http://127.0.0.1:1/')],
  ['uses no TLS', 'no-tls', async () => (await answering(200, '')()).replace('http:', 'https:')],
  [
    'speaks no HTTP',
    'not-http',
    () => {
      const server = createSocketServer((socket) => socket.resume().end('220 mail.example\r\n'))
      return serve(Object.assign(server, { closeAllConnections: () => undefined }))
    },
  ],
  ['hangs up', 'hung-up', () => listening((req) => req.socket.destroy())],
  [
    'takes longer than 10 s',
    'slow',
    ({ advance }) => listening((req) => void req.resume().on('end', advance.bind(undefined, 11_000))),
    { title: 'Your endpoint did not answer in time' },
  ],
]

export const ZOO: readonly Animal[] = [
  ...onEachHost('verifies', null),
  ...onEachHost('has another secret', 'other-secret', { secret: OTHER }, { title: SECRET_OR_BODY }),
  ...onEachHost('expects another account', 'other-account', { expect: { account: ACCOUNT } }),
  ...GUARDED.map(([name, cause, options, handler, said]) => ({
    name,
    cause,
    open: onExpress((keys) => guarded(keys, options, handler)),
    ...(said && { said }),
  })),
  ...EXPRESS.map(([name, cause, made, extra]) => ({ name, cause, open: onExpress(made), ...extra })),
  ...ANSWERS.map(([cause, status, body, said, headers]) => ({
    name: `answers ${status} ${body}`,
    cause,
    open: answering(status, body, headers),
    ...(said && { said }),
  })),
  ...OTHERS.map(([name, cause, open, extra]) => ({ name, cause, open, ...extra })),
]
