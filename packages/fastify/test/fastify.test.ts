import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/fastify'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { now, plain, secret } from '../../core/test/support/deliveries.js'
import {
  application,
  codesOf,
  deliver,
  expectGuarded,
  guarded,
  JSON_TYPE,
  MARKED,
  sendForged,
  signatureOf,
  type Handler,
} from './support.js'

describe('the plugin', () => {
  it('has the name of its package, and requires the same Fastify as the package', async () => {
    const { app } = await guarded()
    const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    const { name, peerDependencies } = JSON.parse(file) as {
      name: string
      peerDependencies: Record<string, string>
    }
    expect(peerDependencies).toMatchObject({ fastify: '^5.0.0' })
    expect(serviceSignature).toMatchObject({ [Symbol.for('plugin-meta')]: { name, fastify: '5.x' } })
    await app.ready()
    expect(app.printPlugins()).toContain(name)
  })

  it.each([
    ['no options at all', undefined, TypeError, /secret/],
    ['a misspelled option', { secret, bodylimit: 5 }, TypeError, /bodyLimit/],
    ['an option of the wrong type', { secret, onRejected: 'log' }, TypeError, /onRejected/],
    ['a number out of bounds', { secret, bodyLimit: 0 }, RangeError, /bodyLimit/],
    ['a prefix, which Fastify would ignore', { secret, prefix: '/hooks' }, TypeError, /prefix/],
  ])('does not register with %s', async (_, options, type, message) => {
    const app = application()
    app.register(serviceSignature, options as unknown as ServiceSignatureOptions)
    const ready = Promise.resolve(app.ready())
    await expect(ready).rejects.toBeInstanceOf(type)
    await expect(ready).rejects.toThrow(message)
  })

  it('is known to the scope by its name', async () => {
    const app = application()
    await app.register(async (scope) => {
      await scope.register(serviceSignature, { secret, now })
      scope.post('/webhooks', () => 'handled')
      expect(scope.hasPlugin('@service-signature/fastify')).toBe(true)
    })
    await app.ready()
    expect(app.hasPlugin('@service-signature/fastify')).toBe(false)
  })

  it('accepts its options as a function, as all plugins do', async () => {
    const handler = vi.fn<Handler>(() => 'handled')
    const app = application()
    await app.register(async (scope) => {
      scope.decorate('secretOfScope', secret)
      await scope.register(serviceSignature, (parent) => ({
        secret: parent.getDecorator<string>('secretOfScope'),
        now,
      }))
      scope.post('/webhooks', handler)
    })
    await expectGuarded(app, handler)
  })

  it('does not register twice in one scope', async () => {
    const app = application()
    await app.register(serviceSignature, { secret, now })
    await expect(async () => app.register(serviceSignature, { secret, now })).rejects.toThrow(
      /^request\.webhook already exists\. .* side by side$/,
    )
  })

  it('does not register in a scope inside of its own', async () => {
    const application = guarded({
      after(scope) {
        scope.register(async (inner) => {
          await inner.register(serviceSignature, { secret: 'another', now })
        })
      },
    })
    await expect(application).rejects.toThrow(/^request\.webhook already exists\. /)
  })

  it('refuses deliveries on a route that the outer scope also guards, if it registers later', async () => {
    const handler = vi.fn<Handler>(() => 'handled')
    const { app } = await guarded({
      async before(scope) {
        await scope.register(async (inner) => {
          await inner.register(serviceSignature, { secret, now })
          inner.post('/inner', handler)
        })
      },
    })
    const answer = await deliver(app, { url: '/inner' })
    expect(answer.statusCode).toBe(500)
    expect(answer.payload).toContain('request.webhook already exists')
    expect(await sendForged(app, '/inner')).toBe(401)
    expect(handler).not.toHaveBeenCalled()
  })

  it('registers in scopes side by side, each with its own secret', async () => {
    const app = application()
    const handler = vi.fn<Handler>(() => 'handled')
    for (const city of ['berlin', 'madrid']) {
      await app.register(
        async (scope) => {
          await scope.register(serviceSignature, { secret: `of_${city}`, now })
          scope.post('/', handler)
        },
        { prefix: `/${city}` },
      )
    }
    for (const [url, city, status] of [
      ['/berlin', 'berlin', 200],
      ['/berlin', 'madrid', 401],
      ['/madrid', 'madrid', 200],
      ['/madrid', 'berlin', 401],
    ] as const) {
      const headers = { 'service-signature': signatureOf(plain, `of_${city}`) }
      expect((await deliver(app, { url, headers })).statusCode).toBe(status)
    }
    expect(handler).toHaveBeenCalledTimes(2)
  })
})

describe('in a scope', () => {
  it('all routes are guarded, including those of inner scopes', async () => {
    const handler = vi.fn<Handler>(() => 'handled')
    const { app } = await guarded({
      after(scope) {
        scope.put('/put', handler)
        void scope.register(async (inner) => {
          await Promise.resolve()
          inner.post('/inner', handler)
        })
      },
    })
    await expectGuarded(app, handler, '/inner')
    const put = { method: 'PUT', url: '/put' } as const
    expect((await app.inject(put)).statusCode).toBe(401)
    expect((await deliver(app, put)).statusCode).toBe(200)
  })

  it('routes and scopes that were added before the plugin are guarded', async () => {
    const handler = vi.fn<Handler>(() => 'handled')
    const { app } = await guarded({
      async before(scope) {
        scope.post('/before', handler)
        await scope.register(async (inner) => {
          await Promise.resolve()
          inner.post('/inner', handler)
        })
      },
    })
    await expectGuarded(app, handler, '/before')
    await expectGuarded(app, handler, '/inner')
  })

  it('GET is guarded, and so is the HEAD route that Fastify adds', async () => {
    const handler = vi.fn<Handler>(() => 'handled')
    const { app } = await guarded({ after: (scope) => scope.get('/get', handler) })
    for (const method of ['GET', 'HEAD'] as const) {
      expect((await app.inject({ method, url: '/get' })).statusCode).toBe(401)
      expect(handler).not.toHaveBeenCalled()
    }
    expect((await deliver(app, { method: 'GET', url: '/get' })).statusCode).toBe(200)
    expect(handler.mock.lastCall![0].body).toEqual(Buffer.from(plain))
  })

  it('a route can opt out with false', async () => {
    const { app } = await guarded({
      after(scope) {
        scope.post('/open', { config: { serviceSignature: false } }, ({ body, webhook }) => ({
          body,
          isNone: webhook === undefined,
        }))
      },
    })
    const answer = await app.inject({ method: 'POST', url: '/open', payload: { b: 2 } })
    expect(answer.json()).toEqual({ body: { b: 2 }, isNone: true })
  })

  it.each([undefined, true])('a route with the config %j is guarded', async (serviceSignature) => {
    const config = { serviceSignature } as { serviceSignature?: boolean }
    const { app, handler } = await guarded({ route: { config } })
    await expectGuarded(app, handler)
  })

  it('an unknown path is answered with 404', async () => {
    const { app, rejected } = await guarded({
      before: (scope) => {
        scope.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing here'))
      },
    })
    const answer = await app.inject({ method: 'POST', url: '/webhoks', payload: { a: 1 } })
    expect(answer).toMatchObject({ statusCode: 404, payload: 'nothing here' })
    expect(rejected).toEqual([])
  })

  it('the application does not get ready without a route in the scope', async () => {
    const app = application()
    app.register(async (scope) => {
      await scope.register(serviceSignature, { secret, now })
    })
    app.post('/webhooks', MARKED, () => 'never')
    await expect(async () => app.ready()).rejects.toThrow(/^serviceSignature guards no route\. /)
  })
})

describe('on the application itself', () => {
  it('only marked routes are guarded', async () => {
    const app = application()
    const handler = vi.fn<Handler>(() => 'handled')
    await app.register(serviceSignature, { secret, now })
    app.post('/webhooks', MARKED, handler)
    app.post('/open', { config: { serviceSignature: false } }, ({ body }) => body)
    app.post('/other', { config: null } as unknown as RouteShorthandOptions, ({ body }) => body)
    await app.register(
      async (scope) => {
        await Promise.resolve()
        scope.post('/webhooks', MARKED, handler)
        scope.post('/other', ({ body }) => body)
      },
      { prefix: '/inner' },
    )
    await expectGuarded(app, handler)
    await expectGuarded(app, handler, '/inner/webhooks')
    for (const url of ['/open', '/other', '/inner/other']) {
      expect((await app.inject({ method: 'POST', url, payload: { b: 2 } })).json()).toEqual({ b: 2 })
    }
    expect((await app.inject({ method: 'POST', url: '/nowhere' })).statusCode).toBe(404)
  })

  it('a marked route that was added before the plugin is guarded', async () => {
    const app = application()
    const handler = vi.fn<Handler>(() => 'handled')
    app.post('/before', MARKED, handler)
    await app.register(async (scope) => {
      await Promise.resolve()
      scope.post('/inner', MARKED, handler)
    })
    await app.register(serviceSignature, { secret, now })
    app.post('/webhooks', MARKED, handler)
    for (const url of ['/before', '/inner', '/webhooks']) await expectGuarded(app, handler, url)
  })

  it.each<readonly [string, (app: FastifyInstance) => unknown]>([
    [
      'no route is marked',
      async (app) => {
        await app.register(serviceSignature, { secret, now })
        app.post('/webhooks', () => 'never')
      },
    ],
    [
      'the routes were added before, because nothing was awaited',
      (app) => {
        app.register(serviceSignature, { secret, now })
        app.post('/webhooks', () => 'never')
      },
    ],
    [
      'its plugin has no scope of its own, because of fastify-plugin',
      async (app) => {
        const routes = async (scope: FastifyInstance) => {
          await scope.register(serviceSignature, { secret, now })
          scope.post('/webhooks', () => 'never')
        }
        await app.register(Object.assign(routes, { [Symbol.for('skip-override')]: true }))
      },
    ],
  ])('the application does not get ready if %s', async (_, build) => {
    const app = application()
    await build(app)
    await expect(async () => app.ready()).rejects.toThrow(/^serviceSignature guards no route\. .* config: /)
  })
})

describe('a route that is added', () => {
  it.each([{ serviceSignature: 'yes' }, { serviceSignature: null }, { serviceSignature: { secret } }])(
    'is refused with %j',
    async (config) => {
      const app = application()
      await app.register(serviceSignature, { secret, now })
      expect(() =>
        app.post('/webhooks', { config } as unknown as RouteShorthandOptions, () => 'never'),
      ).toThrow(
        new TypeError(
          '"serviceSignature" in the config of the route POST /webhooks must be true or false. Pass options to ' +
            'app.register(serviceSignature, options)',
        ),
      )
    },
  )

  it('is guarded if it was added before, unless it opts out with false', async () => {
    const app = application()
    const handler = vi.fn<Handler>(() => 'handled')
    app.post('/webhooks', { config: { serviceSignature: null } } as unknown as RouteShorthandOptions, handler)
    await app.register(serviceSignature, { secret, now })
    app.post('/another', MARKED, handler)
    await expectGuarded(app, handler)
  })

  it('is refused with a schema for its body, if it is guarded', async () => {
    const schema = { body: { type: 'object', required: ['type'] } }
    await expect(guarded({ route: { schema } })).rejects.toThrow(
      new TypeError(
        'The route POST /webhooks must not have a schema for its body, because the body is the raw bytes. ' +
          'Remove schema.body: request.webhook.event.shape says which payload was received',
      ),
    )
    const app = application()
    await app.register(serviceSignature, { secret, now })
    app.post('/webhooks', MARKED, () => 'handled')
    app.post('/other', { schema }, () => 'taken')
    expect((await app.inject({ method: 'POST', url: '/other', payload: {} })).statusCode).toBe(400)
    expect((await app.inject({ method: 'POST', url: '/other', payload: { type: 'a' } })).payload).toBe(
      'taken',
    )
  })

  it('may have schemas for its headers and its answers', async () => {
    const schema = {
      headers: { type: 'object', required: ['content-type', 'x-account'] },
      response: { 200: { type: 'object', properties: { ok: { type: 'boolean' } } } },
    }
    const dispatch = vi.fn(() => Promise.resolve())
    const { app, handler } = await guarded({ route: { schema } })
    handler.mockReturnValue({ ok: true, more: 'than the schema lets through' })
    expect((await deliver(app, { headers: JSON_TYPE })).statusCode).toBe(400)
    expect(handler).not.toHaveBeenCalled()
    const headers = { ...JSON_TYPE, 'x-account': 'berlin' }
    expect((await deliver(app, { headers })).json()).toEqual({ ok: true })

    const { app: endpoint } = await guarded({ route: { schema }, options: { dispatcher: { dispatch } } })
    expect((await deliver(endpoint, { headers: JSON_TYPE })).statusCode).toBe(400)
    expect(dispatch).not.toHaveBeenCalled()
    expect((await deliver(endpoint, { headers })).statusCode).toBe(204)
  })
})

describe('the parsers of Fastify', () => {
  const echo: Handler = ({ body }) => ({ body })
  const post = async (app: FastifyInstance, url: string, payload: string, type: string) =>
    app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })

  /** Checks that the route answers as without the plugin. */
  async function expectUntouched(app: FastifyInstance, url: string): Promise<void> {
    const plainApp = application()
    plainApp.post(url, echo)
    for (const [payload, type, status] of [
      ['{ "b": 2 }', 'application/json', 200],
      ['text', 'text/plain', 200],
      ['{', 'application/json', 400],
      ['a=b', 'application/x-www-form-urlencoded', 415],
      [plain, 'garbage', 415],
      [`"${'x'.repeat(1024 * 1024)}"`, 'application/json', 413],
    ] as const) {
      const expected = await post(plainApp, url, payload, type)
      expect(expected.statusCode).toBe(status)
      const { statusCode, payload: text } = await post(app, url, payload, type)
      expect({ statusCode, text }).toEqual({ statusCode: status, text: expected.payload })
    }
  }

  it('are unchanged on other routes: before, after, in the parent, and next to a guarded scope', async () => {
    const app = application()
    app.post('/before', echo)
    await app.register(async (scope) => {
      await Promise.resolve()
      scope.post('/sibling-before', echo)
    })
    await app.register(async (scope) => {
      scope.post('/inside', { config: { serviceSignature: false } }, echo)
      await scope.register(serviceSignature, { secret, now, bodyLimit: 5 * 1024 * 1024 })
      scope.post('/webhooks', () => 'handled')
    })
    await app.register(async (scope) => {
      await Promise.resolve()
      scope.post('/sibling-after', echo)
    })
    app.post('/after', echo)
    for (const url of ['/before', '/sibling-before', '/inside', '/sibling-after', '/after']) {
      await expectUntouched(app, url)
    }
    expect((await deliver(app, { headers: { 'content-type': 'garbage' } })).payload).toBe('handled')
  })

  it('are unchanged on other routes: before, after and inside of an application with a marked one', async () => {
    const app = application()
    app.post('/before', echo)
    await app.register(serviceSignature, { secret, now, bodyLimit: 5 * 1024 * 1024 })
    app.post('/webhooks', MARKED, () => 'handled')
    app.post('/after', echo)
    await app.register(async (scope) => {
      await Promise.resolve()
      scope.post('/inside', echo)
    })
    for (const url of ['/before', '/after', '/inside']) await expectUntouched(app, url)
    expect((await deliver(app, { headers: { 'content-type': 'garbage' } })).payload).toBe('handled')
  })

  it('can be added as without the plugin, and are not called for deliveries', async () => {
    const app = application()
    await app.register(serviceSignature, { secret, now })
    expect(app.hasContentTypeParser('*')).toBe(false)
    const parser = vi.fn(() => Promise.resolve('parsed'))
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', parser)
    app.addContentTypeParser('application/json', { parseAs: 'string' }, parser)
    app.post('/webhooks', MARKED, () => 'handled')
    app.post('/other', echo)
    for (const headers of [{}, JSON_TYPE, { 'content-type': 'garbage' }, { 'content-type': 'text/plain' }]) {
      expect((await deliver(app, { headers })).payload).toBe('handled')
    }
    expect(parser).not.toHaveBeenCalled()
    expect((await post(app, '/other', '{}', 'application/json')).json()).toEqual({ body: 'parsed' })
    expect((await post(app, '/other', '{}', 'text/xml')).json()).toEqual({ body: 'parsed' })
  })

  it('do not limit deliveries, which bodyLimit of the plugin does', async () => {
    const large = JSON.stringify({ a: 'x'.repeat(5000) })
    const request = { payload: large, headers: { 'service-signature': signatureOf(large) } }
    const { app, handler } = await guarded({ server: { bodyLimit: 1000 }, route: { bodyLimit: 10 } })
    expect((await deliver(app, request)).statusCode).toBe(200)
    expect(handler.mock.lastCall![0].body).toHaveLength(large.length)

    const small = await guarded({ options: { bodyLimit: 4999 } })
    const answer = await deliver(small.app, request)
    expect(answer.json()).toMatchObject({ statusCode: 413, code: 'ERR_DELIVERY_REFUSED' })
    expect(codesOf(small.rejected)).toEqual(['ERR_BODY_TOO_LARGE'])
    expect(small.handler).not.toHaveBeenCalled()
  })
})

it('shows the secret in nothing that it adds to an application or to a request', async () => {
  const key = 'SECRETKEY_0123456789'
  const app = application()
  const seen: unknown[] = [serviceSignature]
  await app.register(async (scope) => {
    const before = new Set(Reflect.ownKeys(scope))
    await scope.register(serviceSignature, { secret: key, apiKey: key, now })
    const added = Reflect.ownKeys(scope).filter((name) => !before.has(name))
    seen.push(added.map((name) => (scope as unknown as Record<PropertyKey, unknown>)[name]))
    scope.post('/webhooks', (request, reply) => {
      seen.push(request.webhook, request.routeOptions.config)
      return reply.code(204).send()
    })
  })
  const answer = await deliver(app, { headers: { 'service-signature': signatureOf(plain, key) } })
  expect(answer.statusCode).toBe(204)
  expect(seen).toHaveLength(4)
  for (const object of seen) {
    expect(inspect(object, { showHidden: true, depth: Infinity })).not.toContain(key)
    expect(JSON.stringify([object])).not.toContain(key)
  }
  expect(app.printPlugins()).not.toContain(key)
})
