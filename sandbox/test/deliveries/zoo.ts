import Hapi from '@hapi/hapi'
import { verifySignature } from '@service-signature/core'
import type { CauseName } from '@service-signature/deliveries'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/express'
import * as onFastify from '@service-signature/fastify'
import * as onHapi from '@service-signature/hapi'
import * as onKoa from '@service-signature/koa'
import * as onNode from '@service-signature/node'
import express, { type Request, type RequestHandler } from 'express'
import express4 from 'express4'
import { fastify } from 'fastify'
import Koa from 'koa'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { createServer as createSocketServer } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
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
const REFUSED = 'WebhookError: The delivery was refused.'
const SECRET_OR_BODY = 'Probably another secret, or a changed body'

type Options = Partial<ServiceSignatureOptions>

const listening = async (listener: RequestListener) => `${await serve(createServer(listener))}/webhooks`

function listeningKoa(app: Koa): Promise<string> {
  const handle = app.callback()
  return listening((req, res) => void handle(req, res))
}

/** On Express, with what is in front of the handler. */
function onExpress(made: (keys: Keys) => readonly RequestHandler[], { make = express, env = 'test' } = {}) {
  return (keys: Keys) => {
    const app = make()
    // Its own error handler prints outside of tests.
    app.set('env', env)
    app.post('/webhooks', ...made(keys))
    return listening(app)
  }
}

const noContent: RequestHandler = (_req, res) => void res.sendStatus(204)

/** An adapter of this project on each host, with options that are wrong in the same way. */
function onEachHost(
  name: string,
  cause: CauseName | null,
  options: (keys: Keys) => Options,
  extra: Partial<Animal> = {},
): readonly Animal[] {
  const given = (keys: Keys) => ({ secret: keys.secret, ...options(keys) }) as never
  const guarded = (keys: Keys) => [serviceSignature(given(keys)), noContent]
  const hosts: Record<string, Animal['open']> = {
    'Express 5': onExpress(guarded),
    'Express 4': onExpress(guarded, { make: express4 as never }),
    Koa: (keys) => {
      const app = Object.assign(new Koa(), { silent: true })
      app.use(onKoa.serviceSignature(given(keys))).use((ctx) => void (ctx.status = 204))
      return listeningKoa(app)
    },
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
      server.route({
        method: 'POST',
        path: '/webhooks',
        options: route,
        handler: (_, h) => h.response().code(204),
      })
      await server.start()
      return `${await serve(server.listener)}/webhooks`
    },
    node: (keys) => listening(onNode.serviceSignature(given(keys), () => undefined)),
  }
  return Object.entries(hosts).map(([host, open]) => ({ name: `${name}, ${host}`, cause, open, ...extra }))
}

interface Signature {
  readonly t: string
  readonly v1: string
  readonly v3: string
}

function signatureOf(req: Request): Signature {
  const parts = req
    .get('service-signature')
    ?.split(',')
    .map((part) => part.split('='))
  return Object.fromEntries(parts ?? []) as Signature
}

function digest(body: string | Buffer, t: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(Buffer.from(body).toString('base64') + t)
    .digest('hex')
}

const raw = express.raw({ type: '*/*' })

/** Verifies v3 by hand, over what is done to the body. */
function byHand(
  change: (body: Buffer) => string | Buffer,
  { secret, said = 'bad signature' }: { secret?: string; said?: string } = {},
): Animal['open'] {
  return onExpress((keys) => [
    raw,
    (req, res) => {
      const { t, v3 } = signatureOf(req)
      const isRight = v3 === digest(change(req.body as Buffer), t, secret ?? keys.secret)
      res.status(isRight ? 200 : 401).send(isRight ? 'ok' : said)
    },
  ])
}

/** The same answer to whatever comes. */
function always(status: number, body: string | Buffer, headers: Record<string, string> = {}): Animal['open'] {
  return () =>
    listening((req, res) => void req.resume().on('end', () => res.writeHead(status, headers).end(body)))
}

const json = { 'content-type': 'application/json' }
const html = { 'content-type': 'text/html' }

/** An error handler that shows the error, whatever its status. */
function withStack(secret: string) {
  const app = express()
  app.post('/webhooks', serviceSignature({ secret }), noContent)
  app.use(((error: Error, _req, res, next) => {
    if (res.headersSent) next(error)
    else res.status(500).send(error.stack)
  }) satisfies express.ErrorRequestHandler)
  return listening(app)
}

export const ZOO: readonly Animal[] = [
  ...onEachHost('verifies', null, () => ({})),
  ...onEachHost('has another secret', 'other-secret', () => ({ secret: OTHER }), { title: SECRET_OR_BODY }),
  ...onEachHost('expects another account', 'other-account', () => ({ expect: { account: ACCOUNT } })),
  {
    name: 'parses first, Express 5',
    cause: 'body-consumed',
    title: 'A body parser took the body first',
    open: onExpress(({ secret }) => [express.json(), serviceSignature({ secret }), noContent]),
  },
  {
    name: 'parses first, Express 4',
    cause: 'body-consumed',
    open: onExpress(({ secret }) => [express4.json() as never, serviceSignature({ secret }), noContent], {
      make: express4 as never,
    }),
  },
  {
    name: 'parses first, Express 5 in production',
    cause: 'body-consumed',
    said: 'Internal Server Error',
    open: onExpress(({ secret }) => [express.json(), serviceSignature({ secret }), noContent], {
      env: 'production',
    }),
  },
  {
    name: 'parses first, Koa',
    cause: 'body-consumed',
    open: ({ secret }) => {
      const app = Object.assign(new Koa(), { silent: true })
      app.use(bodyParser()).use(onKoa.serviceSignature({ secret }))
      return listeningKoa(app)
    },
  },
  {
    name: 'has a body limit of 50 bytes',
    cause: 'too-large',
    open: onExpress(({ secret }) => [serviceSignature({ secret, bodyLimit: 50 }), noContent]),
  },
  {
    name: 'has a secret source that fails',
    cause: 'no-secret',
    open: onExpress(() => [
      serviceSignature({ secret: () => Promise.reject(new Error('vault')) }),
      noContent,
    ]),
  },
  {
    name: 'has a store that is down',
    cause: 'store-unavailable',
    open: onExpress(({ secret }) => [
      serviceSignature({ secret, replay: storeWith(() => Promise.reject(new Error('down'))) }),
      noContent,
    ]),
  },
  {
    name: 'is still handling it',
    cause: 'in-progress',
    title: 'The same delivery is still being handled',
    open: onExpress(({ secret }) => [
      serviceSignature({
        secret,
        replay: storeWith(() => Promise.resolve({ status: 'in-progress', token: '1' })),
      }),
      noContent,
    ]),
  },
  {
    name: 'throws in its handler',
    cause: 'handler',
    said: 'TypeError: orders.find is not a function',
    open: onExpress(({ secret }) => [
      serviceSignature({ secret }),
      () => {
        throw new TypeError('orders.find is not a function')
      },
    ]),
  },
  {
    name: 'throws before it verifies',
    cause: 'handler',
    said: "TypeError: Cannot read properties of undefined (reading 'id')",
    open: onExpress(() => [
      () => {
        throw new TypeError("Cannot read properties of undefined (reading 'id')")
      },
    ]),
  },
  {
    name: 'answers 500 after it has verified',
    cause: 'handler',
    said: 'database is down',
    open: onExpress(({ secret }) => [
      serviceSignature({ secret }),
      (_req, res) => void res.status(500).json({ message: 'database is down' }),
    ]),
  },
  {
    name: 'refuses the order after it has verified',
    cause: 'rule',
    said: 'unknown order',
    open: onExpress(({ secret }) => [
      serviceSignature({ secret }),
      (_req, res) => void res.status(400).json({ error: { message: 'unknown order' } }),
    ]),
  },
  {
    name: 'answers 500 to each refusal, another secret',
    cause: 'other-secret',
    said: REFUSED,
    open: () => withStack(OTHER),
  },
  {
    name: 'answers 500 to each refusal, right secret',
    cause: null,
    open: (keys) => withStack(keys.secret),
  },
  {
    name: 're-serializes, by hand',
    cause: 'body-reserialized',
    open: byHand((body) => JSON.stringify(JSON.parse(body.toString()))),
  },
  {
    name: 're-serializes, answers with the message of core',
    cause: 'body-changed',
    open: onExpress(({ secret }) => [
      express.json(),
      async (req, res) => {
        try {
          await verifySignature(JSON.stringify(req.body), req.headers, { secret })
          res.sendStatus(204)
        } catch (error) {
          res.status(401).json({ error: (error as Error).message })
        }
      },
    ]),
  },
  {
    name: 'has another secret, by hand',
    cause: 'other-secret',
    open: byHand((body) => body, { secret: OTHER }),
  },
  {
    name: 'appends a line break',
    cause: 'other-secret',
    title: SECRET_OR_BODY,
    open: byHand((body) => `${String(body)}\n`),
  },
  {
    name: 'compares the gzipped body',
    cause: 'other-secret',
    title: SECRET_OR_BODY,
    open: byHand((body) => gzipSync(body)),
  },
  {
    name: 'is behind a proxy that compresses its answers',
    cause: 'other-secret',
    said: '401 Authorization Required nginx: signature invalid',
    open: always(
      401,
      gzipSync(
        '<html><body><h1>401 Authorization Required</h1><p>nginx: signature invalid</p></body></html>',
      ),
      { ...html, 'content-encoding': 'gzip' },
    ),
  },
  {
    name: 'answers in ISO 8859-1',
    cause: 'other-secret',
    said: 'Signature non valid\u00e9e',
    open: always(401, Buffer.from('Signature non valid\u00e9e', 'latin1'), {
      'content-type': 'text/plain; charset=iso-8859-1',
    }),
  },
  {
    name: 'reads X-Service-Signature',
    cause: 'header-lost',
    said: 'missing signature header',
    open: always(400, 'missing signature header'),
  },
  {
    name: 'wants a header, in JSON',
    cause: 'header-lost',
    open: always(401, '{"message":"Stripe-Signature header is required"}', json),
  },
  {
    name: 'takes t for milliseconds',
    cause: 'time-unit',
    said: 'timestamp too old',
    open: onExpress(() => [
      raw,
      (req, res) => {
        const isOld = Math.abs(Date.now() - Number(signatureOf(req).t)) > 300_000
        res.status(isOld ? 401 : 200).send(isOld ? 'timestamp too old' : 'ok')
      },
    ]),
  },
  {
    name: 'takes t for milliseconds, in compressed JSON',
    cause: 'time-unit',
    said: 'The signature has expired',
    open: always(400, brotliCompressSync('{"error":"The signature has expired"}'), {
      ...json,
      'content-encoding': 'br',
    }),
  },
  {
    name: 'has a clock that is an hour ahead',
    cause: 'clock',
    open: onExpress(({ secret }) => [
      (_req, res, next) => {
        res.set('date', new Date(Date.now() + 3_600_000).toUTCString())
        next()
      },
      serviceSignature({ secret, now: () => Date.now() + 3_600_000 }),
      noContent,
    ]),
  },
  {
    name: 'verifies v1 with the secret',
    cause: 'api-key',
    said: 'v1 mismatch',
    open: onExpress(({ secret }) => [
      raw,
      (req, res) => {
        const { t, v1 } = signatureOf(req)
        const text = String(req.body).replace(/\s/g, '') + t
        const isRight = createHmac('sha256', secret).update(text).digest('hex') === v1
        res.status(isRight ? 200 : 401).send(isRight ? 'ok' : 'v1 mismatch')
      },
    ]),
  },
  {
    name: 'has no WEBHOOK_SECRET',
    cause: 'no-secret',
    open: onExpress(() => [
      raw,
      (req) => void createHmac('sha256', undefined as never).update(req.body as Buffer),
    ]),
  },
  {
    name: 'hashes the parsed body',
    cause: 'body-consumed',
    title: 'Your code does not have the raw body',
    open: onExpress(({ secret }) => [
      express.json(),
      (req) => void createHmac('sha256', secret).update(req.body as string),
    ]),
  },
  {
    name: 'parses the parsed body',
    cause: 'body-consumed',
    open: onExpress(() => [express.json(), (req) => void JSON.parse(req.body as string)]),
  },
  {
    name: 'wants the raw body',
    cause: 'body-consumed',
    open: always(400, '{"title":"Bad Request","detail":"The raw body is not available"}', {
      'content-type': 'application/problem+json',
    }),
  },
  {
    name: 'compares digests of different lengths',
    cause: 'handler',
    open: onExpress(({ secret }) => [
      raw,
      (req) => void timingSafeEqual(Buffer.from(signatureOf(req).v3), createHmac('sha256', secret).digest()),
    ]),
  },
  { name: 'answers 200 to everything', cause: 'unverified', said: 'ok', open: always(200, 'ok') },
  {
    name: 'verifies nothing, and refuses each third request',
    cause: 'unverified',
    open: () => {
      let count = 0
      return listening((_req, res) => res.writeHead(count++ % 3 === 0 ? 401 : 200).end('no'))
    },
  },
  {
    name: 'only looks whether there is a header',
    cause: 'unverified',
    open: () => listening((req, res) => res.writeHead('service-signature' in req.headers ? 204 : 401).end()),
  },
  { name: 'redirects', cause: 'redirect', open: always(302, '', { location: '/login' }) },
  {
    name: 'has no such route',
    cause: 'no-route',
    said: 'Cannot POST /webhooks/orders',
    open: async (keys) => `${await onExpress(() => [noContent])(keys)}/orders`,
  },
  { name: 'takes GET alone', cause: 'method', open: always(405, 'Method Not Allowed') },
  { name: 'limits the body', cause: 'too-large', open: always(413, 'request entity too large') },
  { name: 'limits requests', cause: 'rate-limit', open: always(429, 'slow down') },
  {
    name: 'takes another type',
    cause: 'media-type',
    open: always(415, '{"message":"Unsupported Media Type"}', json),
  },
  {
    name: 'is behind a proxy that encodes the body',
    cause: 'body-changed',
    open: always(
      415,
      '<pre>WebhookError: The body is compressed or otherwise encoded. Have the proxy ...</pre>',
      html,
    ),
  },
  {
    name: 'checks a form of Django',
    cause: 'csrf',
    said: 'Forbidden CSRF verification failed. Request aborted.',
    open: always(
      403,
      '<!doctype html><body><h1>Forbidden</h1> <p>CSRF verification failed. Request aborted.</p>',
      html,
    ),
  },
  {
    name: 'checks a form of Laravel',
    cause: 'csrf',
    open: always(
      419,
      '<html><head><title>Page Expired</title></head><body>419 Page Expired</body></html>',
      html,
    ),
  },
  {
    name: 'asks for a password',
    cause: 'login',
    open: always(401, 'Unauthorized', { 'www-authenticate': 'Basic realm="x"' }),
  },
  ...[
    ['Django REST', '{"detail":"Authentication credentials were not provided."}'],
    ['a JWT', '{"error":"Unauthorized","message":"jwt malformed"}'],
    ['a header', 'Missing Authorization header'],
    ['a page', '<html><head><title>Shop</title></head><body><h1>Sign in</h1></body></html>'],
  ].map(([by, body]): Animal => ({
    name: `asks for a login, by ${by!}`,
    cause: 'login',
    open: always(401, body!),
  })),
  {
    name: 'answers as a library of Stripe, with another secret',
    cause: 'other-secret',
    open: always(
      400,
      'Webhook Error: No signatures found matching the expected signature for payload. Are you passing the raw request body you received from Stripe?',
    ),
  },
  {
    name: 'validates the payload first',
    cause: 'rule',
    said: 'amount must be a string',
    open: always(400, '{"statusCode":400,"message":["amount must be a string"],"error":"Bad Request"}', json),
  },
  { name: 'is refused by a firewall', cause: 'rule', open: always(403, '<h1>Access denied</h1>', html) },
  {
    name: 'is down behind nginx',
    cause: 'proxy',
    open: always(
      502,
      '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1>nginx/1.25.3</body></html>',
      html,
    ),
  },
  {
    name: 'is refused by nginx',
    cause: 'proxy',
    open: always(403, '<html><body><h1>403 Forbidden</h1><hr>nginx/1.25.3</body></html>', {
      ...html,
      server: 'nginx/1.25.3',
    }),
  },
  {
    name: 'listens on another port',
    cause: 'not-listening',
    open: () => Promise.resolve('http://127.0.0.1:1/'),
  },
  {
    name: 'uses no TLS',
    cause: 'no-tls',
    open: async (keys) => (await always(200, '')(keys)).replace('http:', 'https:'),
  },
  {
    name: 'speaks no HTTP',
    cause: 'not-http',
    open: () =>
      serve(
        Object.assign(
          createSocketServer((socket) => socket.resume().end('220 mail.example\r\n')),
          { closeAllConnections: () => undefined },
        ),
      ),
  },
  { name: 'hangs up', cause: 'hung-up', open: () => listening((req) => req.socket.destroy()) },
  {
    name: 'takes 6 s',
    cause: 'slow',
    title: 'Your endpoint took 6.0 s',
    open: ({ secret, advance }) =>
      onExpress((keys) => [
        serviceSignature({ secret: keys.secret }),
        (_req, res) => {
          advance(6000)
          res.sendStatus(204)
        },
      ])({ secret, advance }),
  },
  {
    name: 'takes longer than 10 s',
    cause: 'slow',
    title: 'Your endpoint did not answer in time',
    open: ({ advance }) => listening((req) => void req.resume().on('end', advance.bind(undefined, 11_000))),
  },
]

function storeWith(claim: () => Promise<unknown>) {
  const done = () => Promise.resolve()
  return { claim, commit: done, release: done } as never
}
