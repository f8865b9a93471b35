import { Boom, unauthorized } from '@hapi/boom'
import {
  server as createServer,
  type Request,
  type ResponseToolkit,
  type RouteOptions,
  type Server,
  type ServerInjectOptions,
  type ServerInjectResponse,
  type ServerRoute,
} from '@hapi/hapi'
import { createDispatcher, memoryReplayStore, WebhookError } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions, type WebhookRefs } from '@service-signature/hapi'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createNodeServer, type Server as HttpServer } from 'node:http'
import { connect as connectHttp2, constants, createServer as createHttp2Server } from 'node:http2'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished, vi, type Mock } from 'vitest'
import { now, hmac, plain, secret, timestamp, v3Message } from '../../core/test/support/deliveries.js'
import { head, sender, type Sender } from '../../core/test/support/endpoint.js'

const header = `t=${timestamp},v3=${hmac(secret, v3Message(plain))}`
const forged = `t=${timestamp},v3=${'0'.repeat(64)}`
const RAW = { parse: false, output: 'data' } as const
const GUARDED: RouteOptions<WebhookRefs> = { auth: 'service-signature', payload: RAW }

interface LogEvent {
  readonly channel: string
  readonly tags: readonly string[]
  readonly error?: unknown
  readonly data?: unknown
}

type Handler = (request: Request<WebhookRefs>) => string

interface Fixture {
  readonly server: Server
  readonly handler: Mock<Handler>
  /** The request log of hapi. */
  readonly events: LogEvent[]
  /** Adds `POST /webhooks`. */
  readonly guard: (options?: RouteOptions<WebhookRefs>) => void
}

async function fixture(options: Partial<ServiceSignatureOptions> = {}): Promise<Fixture> {
  const server = createServer({ host: '127.0.0.1', debug: false })
  onTestFinished(() => server.stop({ timeout: 0 }))
  const events: LogEvent[] = []
  server.events.on('request', (_request, event) => {
    events.push(event)
  })
  await server.register({ plugin: serviceSignature, options: { secret, now, ...options } })
  const handler = vi.fn<Handler>(() => 'handled')
  return {
    server,
    handler,
    events,
    guard(guarded = GUARDED) {
      server.route<WebhookRefs>({ method: 'POST', path: '/webhooks', options: guarded, handler })
    },
  }
}

async function deliver(
  server: Server,
  changes: Partial<ServerInjectOptions> = {},
): Promise<ServerInjectResponse> {
  return server.inject({
    method: 'POST',
    url: '/webhooks',
    payload: plain,
    ...changes,
    headers: { 'service-signature': header, ...changes.headers },
  })
}

async function started(server: Server): Promise<Sender> {
  await server.start()
  return connected(Number(server.info.port))
}

async function connected(port: number): Promise<Sender> {
  const connection = await sender(port)
  onTestFinished(() => void connection.socket.destroy())
  return connection
}

/** A scheme that accepts requests with its header, and answers `missing` to others. */
function addNames(server: Server): void {
  server.auth.scheme('names', () => ({
    authenticate(request, h) {
      const { name } = request.headers
      if (name === undefined) throw unauthorized(null, 'names')
      return h.authenticated({ credentials: { name } })
    },
  }))
  server.auth.strategy('names', 'names')
}

function messageOf(call: () => void): string {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as Error).message
  }
  return expect.fail('nothing was refused')
}

describe('the plugin', () => {
  it('has the name and the version of its package', async () => {
    const { server } = await fixture()
    const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    const { name, version } = JSON.parse(file) as { name: string; version: string }
    expect(server.registrations).toMatchObject({ [name]: { name, version } })
  })

  it.each([
    ['no options at all', undefined, TypeError, /secret/],
    ['a misspelled option', { secret, bodylimit: 5 }, TypeError, /bodyLimit/],
    ['an option of the wrong type', { secret, onRejected: 'log' }, TypeError, /onRejected/],
    ['a number out of bounds', { secret, bodyLimit: 0 }, RangeError, /bodyLimit/],
  ])('does not register with %s', async (_, options, type, message) => {
    const registration = { plugin: serviceSignature, options: options as unknown as ServiceSignatureOptions }
    const registered = createServer().register(registration)
    await expect(registered).rejects.toBeInstanceOf(type)
    await expect(registered).rejects.toThrow(message)
  })

  it('registers on a server that has been started', async () => {
    const server = createServer({ host: '127.0.0.1' })
    onTestFinished(() => server.stop({ timeout: 0 }))
    await server.start()
    await server.register({ plugin: serviceSignature, options: { secret, now } })
    server.route({
      method: 'POST',
      path: '/webhooks',
      options: { auth: 'service-signature', payload: RAW },
      handler: () => 'yes',
    })
    expect(await deliver(server)).toMatchObject({ statusCode: 200, payload: 'yes' })
  })

  it('adds a scheme whose strategies each have their own options', async () => {
    const { server, guard, handler } = await fixture()
    server.auth.strategy('madrid', 'service-signature', { secret: 'of_madrid', now })
    guard({ ...GUARDED, auth: 'madrid' })
    expect(await deliver(server)).toMatchObject({ statusCode: 401 })
    expect(handler).not.toHaveBeenCalled()
    const signed = `t=${timestamp},v3=${hmac('of_madrid', v3Message(plain))}`
    expect(await deliver(server, { headers: { 'service-signature': signed } })).toMatchObject({
      statusCode: 200,
    })
  })

  it('checks the options of further strategies too', async () => {
    const { server } = await fixture()
    expect(() => {
      server.auth.strategy('a', 'service-signature')
    }).toThrow(TypeError)
    expect(() => {
      server.auth.strategy('b', 'service-signature', { secret, versions: [] })
    }).toThrow(TypeError)
    expect(() => {
      server.auth.strategy('c', 'service-signature', { secret, bodyLimit: 0.5 })
    }).toThrow(RangeError)
  })
})

describe('a route that is added', () => {
  it.each<readonly [string, ServerRoute['options'], string, string]>([
    ['without payload settings', { auth: 'service-signature' }, 'POST', 'it needs the raw bytes'],
    [
      'with a parser',
      { auth: 'service-signature', payload: { parse: true } },
      'POST',
      'it needs the raw bytes',
    ],
    [
      'that decompresses',
      { auth: 'service-signature', payload: { parse: 'gunzip' } },
      'POST',
      'it needs the raw bytes',
    ],
    [
      'with output to a file',
      { auth: 'service-signature', payload: { parse: false, output: 'file' } },
      'POST',
      'it needs the raw bytes',
    ],
    ['for GET', { auth: 'service-signature' }, 'GET', 'a webhook is a POST'],
    [
      'for a scope',
      { auth: { strategy: 'service-signature', scope: ['admin'] }, payload: RAW },
      'POST',
      'a delivery has no scope and no user, so hapi would answer 403',
    ],
    [
      'for users',
      { auth: { strategy: 'service-signature', entity: 'user' }, payload: RAW },
      'POST',
      'a delivery has no scope and no user, so hapi would answer 403',
    ],
    [
      'in mode try',
      { auth: { strategy: 'service-signature', mode: 'try' }, payload: RAW },
      'POST',
      'the mode "try" also lets unsigned requests through',
    ],
    [
      'in mode optional',
      { auth: { strategies: ['service-signature'], mode: 'optional' }, payload: RAW },
      'POST',
      'the mode "optional" also lets unsigned requests through',
    ],
  ])('%s is refused, and the error says what to write', async (_, options, method, reason) => {
    const { server } = await fixture()
    const message = messageOf(() => {
      server.route({ method: method as 'GET' | 'POST', path: '/webhooks', options, handler: () => 'never' })
    })
    expect(message).toBe(
      `The strategy "service-signature" cannot guard ${method} /webhooks: ${reason}. Write ` +
        "{ method: 'POST', options: { auth: 'service-signature', payload: { parse: false, output: 'data' } } }, " +
        'or { options: { auth: false } } if the route takes no webhooks',
    )
  })

  it.each([
    ['in front', ['names', 'madrid']],
    ['after it', ['madrid', 'names']],
    ['of the same scheme', ['madrid', 'service-signature']],
  ])('refuses a route with a second strategy %s', async (_, strategies) => {
    const { server, guard } = await fixture()
    addNames(server)
    server.auth.strategy('madrid', 'service-signature', { secret, now })
    const message = messageOf(() => {
      guard({ ...GUARDED, auth: { strategies } })
    })
    expect(message).toBe(
      'The strategy "madrid" cannot guard POST /webhooks: another strategy of the route could let unsigned requests ' +
        "through. Write { method: 'POST', options: { auth: 'madrid', payload: { parse: false, output: 'data' } } }, " +
        'or { options: { auth: false } } if the route takes no webhooks',
    )
  })

  it('accepts a list of strategies that contains only its own', async () => {
    const { server, guard } = await fixture()
    guard({ ...GUARDED, auth: { strategies: ['service-signature'] } })
    expect(await deliver(server)).toMatchObject({ statusCode: 200 })
  })

  it.each(['any', 'app'] as const)('accepts the entity "%s"', async (entity) => {
    const { server, guard } = await fixture()
    guard({ ...GUARDED, auth: { strategy: 'service-signature', entity } })
    expect(await deliver(server)).toMatchObject({ statusCode: 200 })
  })

  it('may be in a plugin with a prefix, and for a virtual host', async () => {
    const { server, handler } = await fixture()
    const route = { method: 'POST', path: '/webhooks', options: GUARDED, handler } as const
    const routes = {
      name: 'routes',
      register(scope: Server) {
        scope.route<WebhookRefs>({ ...route, vhost: 'hooks.example' })
      },
    }
    await server.register(routes, { routes: { prefix: '/payment' } })
    const request = { url: '/payment/webhooks', headers: { host: 'hooks.example' } }
    const unsigned = await server.inject({ method: 'POST', payload: plain, ...request })
    expect(unsigned.statusCode).toBe(401)
    expect(handler).not.toHaveBeenCalled()
    expect(await deliver(server, request)).toMatchObject({ statusCode: 200 })
    expect(await deliver(server, { url: request.url })).toMatchObject({ statusCode: 404 })
  })

  it('cannot switch off the payload step, which hapi rejects', async () => {
    const { guard } = await fixture()
    for (const payload of [false, 'optional'] as const) {
      const auth = { strategy: 'service-signature', payload }
      expect(() => {
        guard({ ...GUARDED, auth })
      }).toThrow(/requires payload validation/)
    }
  })

  it('may repeat the defaults', async () => {
    const { server, guard } = await fixture()
    guard({ ...GUARDED, auth: { strategy: 'service-signature', mode: 'required', payload: 'required' } })
    expect(await deliver(server)).toMatchObject({ statusCode: 200 })
  })

  it('answers 500 even if the error of the route was caught', async () => {
    const { server, guard, handler, events } = await fixture()
    const auth = { strategy: 'service-signature', mode: 'try' } as const
    const message = messageOf(() => {
      guard({ ...GUARDED, auth })
    })
    for (const signature of [forged, header]) {
      const answer = await deliver(server, { headers: { 'service-signature': signature } })
      expect(answer).toMatchObject({ statusCode: 500, payload: '' })
    }
    expect(handler).not.toHaveBeenCalled()
    expect(events).toContainEqual(
      expect.objectContaining({ tags: ['implementation', 'error'], data: message }),
    )
  })
})

describe('as the default strategy', () => {
  it('guards the routes that do not opt out, and no others', async () => {
    const { server, guard } = await fixture()
    addNames(server)
    server.auth.default('service-signature')
    guard({ payload: RAW })
    server.route([
      { method: 'GET', path: '/health', options: { auth: false }, handler: () => 'well' },
      { method: 'GET', path: '/names', options: { auth: 'names' }, handler: () => 'named' },
    ])
    await server.initialize()
    expect(await deliver(server)).toMatchObject({ statusCode: 200 })
    expect(await deliver(server, { headers: { 'service-signature': forged } })).toMatchObject({
      statusCode: 401,
    })
    expect(await server.inject('/health')).toMatchObject({ payload: 'well' })
    expect(await server.inject({ url: '/names', headers: { name: 'n' } })).toMatchObject({ payload: 'named' })
  })

  it('also refuses a route that only changes its mode', async () => {
    const { server, guard } = await fixture()
    server.auth.default('service-signature')
    expect(
      messageOf(() => {
        guard({ auth: { mode: 'optional' }, payload: RAW })
      }),
    ).toContain('the mode "optional" also lets unsigned requests through')
  })

  it('refuses a later route that cannot be guarded', async () => {
    const { server } = await fixture()
    server.auth.default('service-signature')
    expect(
      messageOf(() => {
        server.route({ method: 'GET', path: '/health', handler: () => 'well' })
      }),
    ).toMatch(/GET \/health: .* or \{ options: \{ auth: false \} \} if the route takes no webhooks$/)
  })

  it.each<readonly [string, Parameters<Server['auth']['default']>[0], RouteOptions]>([
    ['a parser', 'service-signature', {}],
    ['no need to be signed', { strategy: 'service-signature', mode: 'try' }, { payload: RAW }],
  ])('does not start if an earlier route has %s, and does not serve it', async (_, strategy, options) => {
    const server = createServer({ debug: false })
    const handler = vi.fn(() => 'never')
    server.route({ method: 'POST', path: '/webhooks', options, handler })
    await server.register({ plugin: serviceSignature, options: { secret, now } })
    server.auth.default(strategy)
    expect(await deliver(server)).toMatchObject({ statusCode: 500 })
    expect(handler).not.toHaveBeenCalled()
    await expect(server.initialize()).rejects.toThrow(/cannot guard POST \/webhooks: .* Write /)
  })

  it('guards an earlier route that can be guarded', async () => {
    const server = createServer()
    server.route({ method: 'POST', path: '/webhooks', options: { payload: RAW }, handler: () => 'yes' })
    await server.register({ plugin: serviceSignature, options: { secret, now } })
    server.auth.default('service-signature')
    await server.initialize()
    expect(await deliver(server, { headers: { 'service-signature': forged } })).toMatchObject({
      statusCode: 401,
    })
    expect(await deliver(server)).toMatchObject({ statusCode: 200, payload: 'yes' })
  })
})

describe('a valid delivery', () => {
  it('is in request.auth.artifacts, and its bytes are the payload', async () => {
    const { server, guard, handler } = await fixture()
    guard()
    expect(await deliver(server)).toMatchObject({ statusCode: 200, payload: 'handled' })
    const [request] = handler.mock.calls[0]!
    expect(request.auth).toMatchObject({
      isAuthenticated: true,
      strategy: 'service-signature',
      credentials: {},
    })
    expect(request.auth.artifacts).toMatchObject({ timestamp, event: { payload: { a: 1, b: 'x' } } })
    expect(Buffer.isBuffer(request.payload)).toBe(true)
    expect(request.payload.toString()).toBe(plain)
  })

  it('is a stream for the handler whose route asks for one', async () => {
    const { server, guard, handler } = await fixture()
    let got: Promise<Buffer> | undefined
    handler.mockImplementation(({ payload }) => {
      got = buffer(payload as unknown as Readable)
      return 'reads'
    })
    guard({ ...GUARDED, payload: { parse: false, output: 'stream' } })
    expect(await deliver(server)).toMatchObject({ statusCode: 200 })
    expect(String(await got)).toBe(plain)
  })

  it('may be larger than hapi allows on the route, and of another type', async () => {
    const large = JSON.stringify({ a: 'x'.repeat(1.5 * 1024 * 1024) })
    const signed = `t=${timestamp},v3=${hmac(secret, v3Message(large))}`
    const { server, guard, handler } = await fixture({ bodyLimit: 2 * 1024 * 1024 })
    guard({
      ...GUARDED,
      payload: { ...RAW, maxBytes: 1, timeout: 1, allow: 'text/plain', failAction: 'ignore' },
    })
    const headers = { 'service-signature': signed, 'content-type': ';;;' }
    expect(await deliver(server, { payload: large, headers })).toMatchObject({ statusCode: 200 })
    expect(handler.mock.calls[0]![0].payload.length).toBe(large.length)
  })

  it('reaches the hooks with the request of hapi', async () => {
    const paths: string[] = []
    const { server, guard } = await fixture({
      secret: ({ request }) => {
        paths.push(`secret ${request.path}`)
        return secret
      },
      onVerified: (_webhook, { request }) => paths.push(`verified ${request.path}`),
    })
    guard()
    await deliver(server)
    expect(paths).toEqual(['secret /webhooks', 'verified /webhooks'])
  })

  it('does not affect the JSON of other routes', async () => {
    const { server, guard } = await fixture()
    guard()
    server.route({ method: 'POST', path: '/other', handler: ({ payload }) => payload })
    const answer = await server.inject({ method: 'POST', url: '/other', payload: '{ "b": 2 }' })
    expect(answer).toMatchObject({ statusCode: 200, payload: '{"b":2}' })
  })
})

describe('a refusal', () => {
  const refusals: readonly [
    string,
    Partial<ServerInjectOptions>,
    Partial<ServiceSignatureOptions>,
    object,
  ][] = [
    [
      'ERR_SIGNATURE_MALFORMED',
      { headers: { 'service-signature': 'x' } },
      {},
      { statusCode: 400, error: 'Bad Request' },
    ],
    [
      'ERR_SIGNATURE_MISMATCH',
      { headers: { 'service-signature': forged } },
      {},
      { statusCode: 401, error: 'Unauthorized' },
    ],
    [
      'ERR_BODY_ENCODED',
      { headers: { 'content-encoding': 'gzip' } },
      {},
      { statusCode: 415, error: 'Unsupported Media Type' },
    ],
    [
      'ERR_SECRET_UNAVAILABLE',
      {},
      { secret: () => Promise.reject(new Error('down')) },
      { statusCode: 503, error: 'Service Unavailable' },
    ],
    ['ERR_BODY_INCOMPLETE', { simulate: { error: true } }, {}, { statusCode: 400, error: 'Bad Request' }],
  ]

  it.each(refusals)(
    '%s is a Boom, and shows the caller only its status',
    async (code, request, options, payload) => {
      const onRejected = vi.fn<(error: WebhookError) => void>()
      const { server, guard, handler, events } = await fixture({ ...options, onRejected })
      guard()
      const answer = await deliver(server, request)
      expect(JSON.parse(answer.payload)).toEqual({
        ...payload,
        message: (payload as { error: string }).error,
      })
      expect(answer.statusCode).toBe((payload as { statusCode: number }).statusCode)
      expect(handler).not.toHaveBeenCalled()
      expect(onRejected.mock.calls.map(([error]) => error.code)).toEqual([code])

      const { error } = events.find(({ tags }) => tags.includes('unauthenticated'))! as {
        error: Boom<WebhookError>
      }
      expect(error).toBeInstanceOf(Boom)
      expect(error).not.toHaveProperty('isMissing')
      expect(WebhookError.is(error.data)).toBe(true)
      expect(error.message).toBe(error.data!.message)
    },
  )

  it.each<readonly [string, string, Partial<ServerInjectOptions>]>([
    ['ERR_BODY_TOO_LARGE', 'Request Entity Too Large', {}],
    ['ERR_SIGNATURE_MALFORMED', 'Bad Request', { headers: { 'service-signature': 'x' } }],
  ])('of an injected body too large to be read is %s too', async (code, error, request) => {
    const onRejected = vi.fn<(error: WebhookError) => void>()
    const { server, guard } = await fixture({ bodyLimit: 5, onRejected })
    guard()
    expect((await deliver(server, request)).result).toMatchObject({ error })
    expect(onRejected.mock.calls.map(([error]) => error.code)).toEqual([code])
  })

  it('has the headers of its error', async () => {
    const { server, guard } = await fixture({ secret: () => Promise.reject(new Error('down')) })
    guard()
    expect((await deliver(server)).headers).toMatchObject({ 'retry-after': '10' })
  })

  it('is the same for every 401, and its reason is only in the log', async () => {
    const { server, guard, events } = await fixture()
    guard()
    const answers = []
    for (const signature of [[], [forged], [header.replace('t=1', 't=2')], ['t=1743090080']]) {
      const { statusCode, headers, payload } = await server.inject({
        method: 'POST',
        url: '/webhooks',
        payload: plain,
        headers: Object.fromEntries(signature.map((value) => ['service-signature', value])),
      })
      answers.push(JSON.stringify({ statusCode, headers: { ...headers, date: '' }, payload }))
    }
    expect(new Set(answers).size).toBe(1)
    expect(JSON.parse(answers[0]!)).toMatchObject({
      statusCode: 401,
      headers: { 'www-authenticate': 'Service-Signature' },
    })
    expect(events.map(({ error }) => (error as { cause: WebhookError }).cause.code)).toEqual([
      'ERR_SIGNATURE_MISSING',
      'ERR_SIGNATURE_MISMATCH',
      'ERR_TIMESTAMP_IN_FUTURE',
      'ERR_SIGNATURE_VERSION_MISSING',
    ])
  })

  it('is an error of its own, even if several requests share a cause', async () => {
    const shared = new WebhookError('ERR_SECRET_UNAVAILABLE')
    const { server, guard } = await fixture({
      now: () => {
        throw shared
      },
    })
    guard()
    server.ext('onPreResponse', ({ response }, h) => {
      const { payload } = (response as Boom).output
      payload['seen'] = Number(payload['seen'] ?? 0) + 1
      return h.continue
    })
    await deliver(server)
    expect(JSON.parse((await deliver(server)).payload)).toMatchObject({ seen: 1 })
    expect(shared).not.toHaveProperty('isBoom')
  })

  it('is not made from an error of the programmer, which is a 500', async () => {
    const bug = new TypeError('a bug')
    const onRejected = vi.fn()
    const { server, guard, events } = await fixture({
      onRejected,
      now: () => {
        throw bug
      },
    })
    guard()
    expect((await deliver(server)).statusCode).toBe(500)
    expect(onRejected).not.toHaveBeenCalled()
    const { error, tags } = events.find(({ channel }) => channel === 'error')!
    expect(error).toMatchObject({ name: 'TypeError', message: 'a bug' })
    expect(tags).toContain('implementation')
  })
})

describe('a body that an extension read', () => {
  it.each<readonly [string, (bytes: Buffer, request: Request) => object]>([
    ['request.payload', (payload, request) => Object.assign(request, { payload })],
    ['request.raw.req.rawBody', (rawBody, { raw }) => Object.assign(raw.req, { rawBody })],
    ['request.raw.req.body', (body, { raw }) => Object.assign(raw.req, { body })],
  ])('is taken from %s', async (_, leave) => {
    const { server, guard, handler } = await fixture()
    guard()
    server.ext('onPreAuth', async (request, h) => {
      leave(await buffer(request.raw.req), request)
      return h.continue
    })
    expect(await deliver(server)).toMatchObject({ statusCode: 200 })
    expect(handler.mock.calls[0]![0].payload.toString()).toBe(plain)
  })

  it('and replaced by JSON is a 500 that hapi prints, with the fix', async () => {
    const { server, guard, handler, events } = await fixture()
    guard()
    server.ext('onRequest', async (request, h) => {
      Object.assign(request, { payload: JSON.parse(String(await buffer(request.raw.req))) as unknown })
      return h.continue
    })
    const answer = await deliver(server)
    expect(answer.statusCode).toBe(500)
    expect(answer.payload).not.toContain('Hapi')
    expect(handler).not.toHaveBeenCalled()
    const printed = events.find(({ tags }) => tags.includes('implementation'))!
    expect(String((printed.error as Error).stack)).toMatch(/in Hapi, .*request\.payload = buffer/)
  })

  it('or that was read before hapi is taken from where it was left, without waiting for the stream', async () => {
    const { server, guard } = await fixture()
    guard()
    const listener = createNodeServer((req, res) => {
      void buffer(req).then((rawBody) => {
        if (req.headers['x-kept'] === 'yes') Object.assign(req, { rawBody })
        server.listener.emit('request', req, res)
      })
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    onTestFinished(() => void listener.close())
    const { port } = listener.address() as { port: number }
    for (const [kept, status] of [
      ['yes', 200],
      ['no', 500],
    ] as const) {
      const { socket, answers } = await connected(port)
      socket.write(
        head({ 'Service-Signature': header, 'X-Kept': kept, 'Content-Length': plain.length }) + plain,
      )
      expect(await answers(1)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    }
  })
})

describe('Expect: 100-continue', () => {
  const withExpect = (signature: string) =>
    head({ 'Service-Signature': signature, Expect: '100-continue', 'Content-Length': plain.length })

  it('is answered once, after the header was accepted', async () => {
    const { server, guard } = await fixture()
    guard()
    const { socket, answers } = await started(server)
    socket.write(withExpect(header))
    expect(await answers(1)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(plain)
    expect(await answers(2)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  })

  it('is not answered if the header is refused', async () => {
    const { server, guard } = await fixture()
    guard()
    const { socket, answers } = await started(server)
    socket.write(withExpect('t=1743090080'))
    expect(await answers(1)).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('is ignored in HTTP/1.0', async () => {
    const { server, guard } = await fixture()
    guard()
    const { socket, answers } = await started(server)
    socket.write(withExpect(header).replace('HTTP/1.1', 'HTTP/1.0') + plain)
    expect(await answers(1)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('with a dispatcher', () => {
  it('the strategy is the whole endpoint', async () => {
    const dispatched = vi.fn()
    const { server, guard, handler } = await fixture({ dispatcher: createDispatcher().otherwise(dispatched) })
    guard()
    expect(await deliver(server)).toMatchObject({ statusCode: 204, payload: '' })
    expect(dispatched.mock.calls).toMatchObject([[{ timestamp, event: { payload: { a: 1, b: 'x' } } }]])
    expect(handler).not.toHaveBeenCalled()
  })

  it('a refused delivery is not dispatched', async () => {
    const dispatched = vi.fn()
    const { server, guard } = await fixture({ dispatcher: createDispatcher().otherwise(dispatched) })
    guard()
    expect(await deliver(server, { headers: { 'service-signature': forged } })).toMatchObject({
      statusCode: 401,
    })
    expect(dispatched).not.toHaveBeenCalled()
  })

  it('its failure is a 500 and is logged', async () => {
    const reason = new Error('no database')
    const dispatcher = createDispatcher().otherwise(() => Promise.reject(reason))
    const onRejected = vi.fn()
    const { server, guard, handler, events } = await fixture({ dispatcher, onRejected })
    guard()
    const answer = await deliver(server)
    expect(answer.statusCode).toBe(500)
    expect(answer.payload).not.toContain('database')
    expect(handler).not.toHaveBeenCalled()
    expect(onRejected).not.toHaveBeenCalled()
    const { error } = events.find(({ channel }) => channel === 'error')!
    expect(error).toBe(reason)
  })
})

describe("hapi's own ways to authenticate", () => {
  const webhook = { event: { type: 'injected' } }

  it('inject with auth passes the delivery of a test to the handler', async () => {
    const { server, guard, handler } = await fixture()
    guard()
    const auth = { strategy: 'service-signature', credentials: {}, artifacts: webhook }
    expect(await deliver(server, { headers: { 'service-signature': forged }, auth })).toMatchObject({
      statusCode: 200,
    })
    expect(handler.mock.calls[0]![0].auth.artifacts).toBe(webhook)
  })

  it('inject with auth passes the delivery of a test to the dispatcher', async () => {
    const dispatch = vi.fn(() => Promise.resolve())
    const { server, guard } = await fixture({ dispatcher: { dispatch } })
    guard()
    const auth = { strategy: 'service-signature', credentials: {}, artifacts: webhook }
    expect(await deliver(server, { auth })).toMatchObject({ statusCode: 204 })
    expect(dispatch.mock.calls).toEqual([[webhook]])
  })

  it('answers 500 if the dispatcher fails with the delivery of a test', async () => {
    const dispatch = () => Promise.reject(new Error('the booking failed'))
    const { server, guard } = await fixture({ dispatcher: { dispatch } })
    guard()
    const auth = { strategy: 'service-signature', credentials: {}, artifacts: webhook }
    expect(await deliver(server, { auth })).toMatchObject({ statusCode: 500 })
  })

  it('server.auth.test verifies the body too', async () => {
    const { server } = await fixture()
    server.route({
      method: 'POST',
      path: '/webhooks',
      options: { payload: { parse: false, output: 'stream' } },
      async handler(request) {
        const { artifacts } = await server.auth.test('service-signature', request)
        return { signed: (artifacts as { timestamp?: number }).timestamp }
      },
    })
    expect((await deliver(server)).result).toEqual({ signed: timestamp })
    expect(await deliver(server, { headers: { 'service-signature': forged } })).toMatchObject({
      statusCode: 401,
    })
  })
})

describe('with a replay store', () => {
  it('a handler that answers through the raw response has finished when it ends that response', async () => {
    const { server } = await fixture({ replay: memoryReplayStore() })
    let raw!: Request['raw']
    const handler = vi.fn((request: Request, h: ResponseToolkit) => {
      raw = request.raw
      return h.abandon
    })
    server.route({
      method: 'POST',
      path: '/webhooks',
      options: { auth: 'service-signature', payload: RAW },
      handler,
    })
    const { socket, answers } = await started(server)
    socket.write(head({ 'Service-Signature': header, 'Content-Length': plain.length }) + plain)
    await expect.poll(() => handler.mock.calls.length > 0).toBe(true)
    expect((await deliver(server)).statusCode).toBe(409)
    raw.res.end('handled')
    expect(await answers(1)).toMatch(/^HTTP\/1\.1 200 /)
    expect((await deliver(server)).statusCode).toBe(200)
    expect(handler).toHaveBeenCalledOnce()
  })

  it('a cancelled HTTP/2 stream keeps its claim, although hapi reports its end at once', async () => {
    const listener = createHttp2Server()
    const server = createServer({
      host: '127.0.0.1',
      debug: false,
      listener: listener as unknown as HttpServer,
    })
    onTestFinished(() => server.stop({ timeout: 0 }))
    await server.register({
      plugin: serviceSignature,
      options: { secret, now, replay: memoryReplayStore() },
    })
    const reported = vi.fn()
    server.events.on('response', reported)
    const handler = vi.fn(() => new Promise<string>(() => undefined))
    server.route<WebhookRefs>({ method: 'POST', path: '/webhooks', options: GUARDED, handler })
    await server.start()
    const session = connectHttp2(`http://127.0.0.1:${server.info.port}`)
    onTestFinished(() => {
      session.destroy()
    })
    const stream = session.request({ ':method': 'POST', ':path': '/webhooks', 'service-signature': header })
    stream.end(plain)
    await expect.poll(() => handler.mock.calls.length > 0).toBe(true)
    stream.close(constants.NGHTTP2_CANCEL)
    await expect.poll(() => reported.mock.calls.length > 0).toBe(true)
    expect((await deliver(server)).statusCode).toBe(409)
  })
})

it('shows the secret in nothing that it registers or adds to a request', async () => {
  const key = 'SECRETKEY_0123456789'
  const { server, handler, guard } = await fixture({ secret: key, apiKey: key })
  guard()
  const seen: unknown[] = [serviceSignature, server.auth.api]
  handler.mockImplementation(({ auth, plugins }) => {
    seen.push(auth.artifacts, auth.credentials, plugins)
    return 'handled'
  })
  const answer = await server.inject({
    method: 'POST',
    url: '/webhooks',
    payload: plain,
    headers: { 'service-signature': `t=${timestamp},v3=${hmac(key, v3Message(plain))}` },
  })
  expect(answer.statusCode).toBe(200)
  expect(seen).toHaveLength(5)
  for (const object of seen) {
    expect(inspect(object, { showHidden: true, depth: Infinity })).not.toContain(key)
    expect(JSON.stringify([object])).not.toContain(key)
  }
})
