import { createDispatcher, memoryReplayStore, WebhookError } from '@service-signature/core'
import { signedRequest } from '@service-signature/core/testing'
import type { ServiceSignatureOptions } from '@service-signature/fastify'
import type { FastifyError, FastifyInstance, FastifyRequest, InjectOptions } from 'fastify'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { plain, secret, timestamp } from '../../core/test/support/deliveries.js'
import { codesOf, deliver, forged, guarded, header, JSON_TYPE, sendForged, signatureOf } from './support.js'

describe('a valid delivery', () => {
  it('is request.webhook, and its bytes are the body', async () => {
    const { app, handler } = await guarded()
    expect(await deliver(app)).toMatchObject({ statusCode: 200, payload: 'handled' })
    const [request] = handler.mock.lastCall!
    expect(request.webhook).toMatchObject({ timestamp, event: { payload: { a: 1, b: 'x' } } })
    expect(request.body).toEqual(Buffer.from(plain))
  })

  it('is not shared with the next request', async () => {
    const { app, handler } = await guarded()
    await deliver(app)
    await deliver(app)
    const [first, second] = handler.mock.calls.map(([{ webhook }]) => webhook)
    expect(first).toEqual(second)
    expect(first).not.toBe(second)
  })

  it('may be injected as the result of signedRequest', async () => {
    const { app, handler } = await guarded({ options: { now: Date.now } })
    const { statusCode } = await app.inject(signedRequest({ a: 1 }, { secret, url: '/webhooks' }))
    expect(statusCode).toBe(200)
    expect(handler.mock.lastCall![0].webhook).toMatchObject({ event: { payload: { a: 1 } } })
  })

  it('reaches the hooks with the request of Fastify', async () => {
    const paths: string[] = []
    const { app } = await guarded({
      options: {
        secret: ({ request }) => {
          paths.push(`secret ${request.routeOptions.url}`)
          return secret
        },
        onVerified: (_webhook, { request }) => paths.push(`verified ${request.url}`),
      },
    })
    await deliver(app)
    expect(paths).toEqual(['secret /webhooks', 'verified /webhooks'])
  })
})

describe('the steps of a request', () => {
  const STEPS = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const

  /** Hooks around the plugin that record what they see. */
  function watching(options: Partial<ServiceSignatureOptions> = {}) {
    const seen: string[] = []
    const watch = (where: string) => (scope: FastifyInstance) => {
      for (const step of STEPS) {
        scope.addHook(step, ({ headers, body, webhook }: FastifyRequest, ...rest: unknown[]) => {
          const found = [webhook && 'webhook', Buffer.isBuffer(body) && 'bytes', headers['content-type']]
          seen.push([where, step, ...found.filter(Boolean)].join(' '))
          ;(rest.at(-1) as () => void)()
        })
      }
    }
    const setup = {
      before: watch('before'),
      after: watch('after'),
      options: { onVerified: () => seen.push('verified'), ...options },
    }
    return { seen, setup }
  }

  it('run in the documented order', async () => {
    const { seen, setup } = watching()
    const { app, handler } = await guarded(setup)
    handler.mockImplementation(({ headers }) => seen.push(`handler ${String(headers['content-type'])}`))
    await deliver(app, { headers: JSON_TYPE })
    const json = JSON_TYPE['content-type']
    expect(seen).toEqual([
      `before onRequest ${json}`,
      `after onRequest ${json}`,
      `before preParsing ${json}`,
      // Here Fastify, and other hooks, find no body in the headers.
      'after preParsing webhook bytes',
      'before preValidation webhook bytes',
      `after preValidation webhook bytes ${json}`,
      `before preHandler webhook bytes ${json}`,
      'verified',
      `after preHandler webhook bytes ${json}`,
      `handler ${json}`,
    ])
  })

  it('end at the header if it is refused, and the body is not read', async () => {
    const { seen, setup } = watching()
    const { app, handler, rejected } = await guarded(setup)
    expect((await deliver(app, { headers: { 'service-signature': 'garbage' } })).statusCode).toBe(400)
    expect(seen).toEqual(['before onRequest'])
    expect(codesOf(rejected)).toEqual(['ERR_SIGNATURE_MALFORMED'])
    expect(handler).not.toHaveBeenCalled()
  })

  it('end at the body if it is refused', async () => {
    const { seen, setup } = watching()
    const { app, handler } = await guarded(setup)
    expect(await sendForged(app)).toBe(401)
    expect(seen).toEqual(['before onRequest', 'after onRequest', 'before preParsing'])
    expect(handler).not.toHaveBeenCalled()
  })

  it('provide the bytes of the body to later hooks', async () => {
    let read = Buffer.alloc(0)
    const { app } = await guarded({
      after(scope) {
        scope.addHook('preParsing', async (_request, _reply, payload) => {
          read = await buffer(payload as Readable)
        })
      },
    })
    expect((await deliver(app)).statusCode).toBe(200)
    expect(read.toString()).toBe(plain)
  })

  it('keep the headers that an operator has added', async () => {
    const seen: unknown[] = []
    const { app, handler } = await guarded({
      before(scope) {
        scope.addHook('onRequest', (request, _reply, done) => {
          request.headers = { 'x-account': 'berlin' }
          done()
        })
      },
      after(scope) {
        scope.addHook('preParsing', ({ headers }, _reply, _payload, done) => {
          seen.push(headers['x-account'])
          done()
        })
      },
    })
    const sent = { ...JSON_TYPE, 'content-length': String(plain.length) }
    await deliver(app, { headers: sent })
    expect(seen).toEqual(['berlin'])
    const { headers } = handler.mock.lastCall![0]
    expect(headers).toMatchObject({ ...sent, 'x-account': 'berlin', 'service-signature': header })
  })

  it.each(['preValidation', 'preHandler'] as const)(
    'end if a hook of the operator refuses in %s, and the delivery can be retried',
    async (step) => {
      const dispatch = vi.fn(() => Promise.resolve())
      let isOpen = false
      const { app } = await guarded({
        before(scope) {
          scope.addHook(step, async (_request, reply) => (isOpen ? undefined : reply.code(403).send()))
        },
        options: { replay: memoryReplayStore(), dispatcher: { dispatch } },
      })
      expect((await deliver(app)).statusCode).toBe(403)
      expect(dispatch).not.toHaveBeenCalled()
      isOpen = true
      expect((await deliver(app)).statusCode).toBe(204)
      expect((await deliver(app)).statusCode).toBe(200)
      expect(dispatch).toHaveBeenCalledOnce()
    },
  )

  it('may end in reply.callNotFound(), and the delivery can be retried', async () => {
    const { app, handler } = await guarded({
      before: (scope) => {
        scope.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing here'))
      },
      options: { replay: memoryReplayStore() },
    })
    handler.mockImplementationOnce((_request, reply) => {
      reply.callNotFound()
    })
    expect(await deliver(app)).toMatchObject({ statusCode: 404, payload: 'nothing here' })
    expect(await deliver(app)).toMatchObject({ statusCode: 200, payload: 'handled' })
    expect(await deliver(app)).toMatchObject({ statusCode: 200, payload: '' })
    expect(handler).toHaveBeenCalledTimes(2)
  })
})

// Its type requires every member that can be simulated.
const CUT_OFF = { simulate: { error: true } } as InjectOptions

describe('a refusal', () => {
  const down = { secret: () => Promise.reject(new Error('the safe is shut')) }
  const cases: readonly (readonly [
    code: string,
    request: InjectOptions,
    options: Partial<ServiceSignatureOptions>,
    answer: readonly [status: number, name: string],
    headers: object,
  ])[] = [
    ['ERR_SIGNATURE_MALFORMED', { headers: { 'service-signature': 'x' } }, {}, [400, 'Bad Request'], {}],
    [
      'ERR_SIGNATURE_MISMATCH',
      { headers: { 'service-signature': forged } },
      {},
      [401, 'Unauthorized'],
      { scheme: 'Service-Signature' },
    ],
    [
      'ERR_BODY_ENCODED',
      { headers: { 'content-encoding': 'gzip' } },
      {},
      [415, 'Unsupported Media Type'],
      {},
    ],
    ['ERR_SECRET_UNAVAILABLE', {}, down, [503, 'Service Unavailable'], { wait: '10' }],
    [
      'ERR_REPLAY_STORE_UNAVAILABLE',
      {},
      { replay: { ...memoryReplayStore(), claim: () => Promise.reject(new Error('down')) } },
      [503, 'Service Unavailable'],
      { wait: '10' },
    ],
    ['ERR_BODY_INCOMPLETE', CUT_OFF, {}, [400, 'Bad Request'], {}],
  ]

  it.each(cases)('%s shows the caller only its status', async (code, request, options, ...expected) => {
    const [[statusCode, error], headers] = expected
    const { app, handler, rejected } = await guarded({ options })
    const answer = await deliver(app, request)
    expect(answer.statusCode).toBe(statusCode)
    const { 'www-authenticate': scheme, 'retry-after': wait } = answer.headers
    expect({ scheme, wait }).toEqual({ scheme: undefined, wait: undefined, ...headers })
    expect(answer.json()).toEqual({
      statusCode,
      error,
      code: 'ERR_DELIVERY_REFUSED',
      message: 'The delivery was refused.',
    })
    expect(codesOf(rejected)).toEqual([code])
    expect(handler).not.toHaveBeenCalled()
  })

  it.each(cases)(
    "%s is for the operator's error handler to read",
    async (code, request, options, ...expected) => {
      const [[statusCode]] = expected
      const errors: FastifyError[] = []
      const { app, handler, rejected } = await guarded({
        options,
        before(scope) {
          scope.setErrorHandler<FastifyError>((error, _request, reply) => {
            errors.push(error)
            return reply.code(418).send('mine')
          })
        },
      })
      expect(await deliver(app, request)).toMatchObject({ statusCode: 418, payload: 'mine' })
      const reason = rejected[0]!
      const [error] = errors
      expect(errors).toHaveLength(1)
      expect(WebhookError.is(error)).toBe(true)
      expect(error).toMatchObject({ code: 'ERR_DELIVERY_REFUSED', statusCode, status: statusCode })
      expect(error!.cause).toBe(reason)
      expect(reason.code).toBe(code)
      const { retryable, retryAfterSeconds } = reason
      expect(error).toMatchObject({ retryable, retryAfterSeconds })
      expect(handler).not.toHaveBeenCalled()
    },
  )

  it("shows the same message for every 401 where the application's error handler shows it", async () => {
    const { app, handler } = await guarded({
      before(scope) {
        scope.setErrorHandler<FastifyError>((error, _request, reply) => reply.code(500).send(error.message))
      },
    })
    const bodies = []
    for (const signature of [
      forged,
      signatureOf(plain, 'another_key'),
      `t=${timestamp},v2=${'0'.repeat(64)}`,
    ]) {
      const { statusCode, payload } = await deliver(app, { headers: { 'service-signature': signature } })
      expect(statusCode).toBe(500)
      bodies.push(payload)
    }
    expect(new Set(bodies)).toEqual(new Set(['The delivery was refused.']))
    expect(handler).not.toHaveBeenCalled()
  })

  it('is not what a payload is that does not fit its handler: the error has its own code, and the caller no reason', async () => {
    const onFailed = vi.fn<(error: unknown) => void>()
    const errors: FastifyError[] = []
    const dispatcher = createDispatcher().on('transaction.purchase.successful', () => undefined)
    const { app, handler, rejected } = await guarded({ options: { dispatcher, onFailed } })
    app.addHook('onError', async (_request, _reply, error) => void errors.push(error))
    const body = '{"type":"transaction.purchase.successful"}'
    const answer = await deliver(app, {
      payload: body,
      headers: { 'service-signature': signatureOf(body) },
    })
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({
      statusCode: 500,
      error: 'Internal Server Error',
      code: 'ERR_EVENT_INVALID',
      message: 'The delivery could not be handled.',
    })
    const [failure] = onFailed.mock.lastCall!
    expect((failure as WebhookError).message).toContain('otherwise')
    expect(errors).toHaveLength(1)
    expect(errors[0]!.cause).toBe(failure)
    expect(rejected).toEqual([])
    expect(handler).not.toHaveBeenCalled()
  })

  it('of a body too large to be read is 413 by injection too', async () => {
    const { app, rejected } = await guarded({ options: { bodyLimit: 5 } })
    expect((await deliver(app)).statusCode).toBe(413)
    expect((await deliver(app, { headers: { 'service-signature': 'x' } })).statusCode).toBe(400)
    expect(codesOf(rejected)).toEqual(['ERR_BODY_TOO_LARGE', 'ERR_SIGNATURE_MALFORMED'])
  })

  it('is logged by Fastify, with its reason and no key', async () => {
    const lines: string[] = []
    const logger = { stream: { write: (line: string) => lines.push(line) } }
    const { app } = await guarded({ server: { logger } })
    await sendForged(app)
    const entries = lines.map((line) => JSON.parse(line) as { msg: string; err?: { stack: string } })
    expect(entries.map(({ msg }) => msg)).toEqual([
      'incoming request',
      'The delivery was refused.',
      'request completed',
    ])
    expect(entries[1]!.err!.stack).toContain('The signature does not match the body')
    expect(lines.join()).not.toContain(secret)
    expect(lines.join()).not.toContain(header.split('v3=')[1])
  })

  it('is not made from an error of the programmer, which is a 500', async () => {
    const errors: unknown[] = []
    const bug = new TypeError('a bug')
    const { app, rejected } = await guarded({
      before(scope) {
        scope.addHook('onError', (_request, _reply, error, done) => {
          errors.push(error)
          done()
        })
      },
      options: {
        now: () => {
          throw bug
        },
      },
    })
    expect((await deliver(app)).statusCode).toBe(500)
    expect(errors).toEqual([bug])
    expect(rejected).toEqual([])
  })
})

describe('a body that a hook read', () => {
  it.each<readonly [string, (bytes: Buffer, request: FastifyRequest) => object]>([
    ['request.body', (body, request) => Object.assign(request, { body })],
    ['request.rawBody', (rawBody, request) => Object.assign(request, { rawBody, body: {} })],
    ['request.raw.rawBody', (rawBody, { raw }) => Object.assign(raw, { rawBody, body: {} })],
  ])('is taken from %s', async (_, leave) => {
    const { app, handler } = await guarded({
      before(scope) {
        scope.addHook('preParsing', async (request, _reply, payload) => {
          leave(await buffer(payload), request)
        })
      },
    })
    expect((await deliver(app)).statusCode).toBe(200)
    expect(handler.mock.lastCall![0].body).toEqual(Buffer.from(plain))
    expect(await sendForged(app)).toBe(401)
    expect(handler).toHaveBeenCalledOnce()
  })

  it('and replaced by JSON is a 500, with the fix for the operator', async () => {
    const { app, handler, rejected } = await guarded({
      before(scope) {
        scope.addHook('preParsing', async (request, _reply, payload) => {
          request.body = JSON.parse(String(await buffer(payload))) as unknown
        })
      },
    })
    const answer = await deliver(app)
    expect(answer.statusCode).toBe(500)
    expect(answer.payload).not.toContain('preParsing')
    expect(rejected[0]!.message).toMatch(/in Fastify, .*request\.rawBody = buffer/)
    expect(handler).not.toHaveBeenCalled()
  })
})

describe('with a dispatcher', () => {
  it('the plugin is the whole endpoint', async () => {
    const dispatched = vi.fn()
    const dispatcher = createDispatcher().otherwise(dispatched)
    const { app, handler } = await guarded({ options: { dispatcher } })
    expect(await deliver(app)).toMatchObject({ statusCode: 204, payload: '' })
    expect(dispatched.mock.calls).toMatchObject([[{ timestamp, event: { payload: { a: 1, b: 'x' } } }]])
    expect(await sendForged(app)).toBe(401)
    expect(dispatched).toHaveBeenCalledOnce()
    expect(handler).not.toHaveBeenCalled()
  })

  it('its failure is a 500, and reaches the error handler', async () => {
    const reason = new Error('no database')
    const dispatcher = createDispatcher().otherwise(() => Promise.reject(reason))
    const errors: unknown[] = []
    const { app, handler, rejected } = await guarded({
      before(scope) {
        scope.addHook('onError', (_request, _reply, error, done) => {
          errors.push(error)
          done()
        })
      },
      options: { dispatcher },
    })
    const answer = await deliver(app)
    expect(answer.statusCode).toBe(500)
    // Unchanged: Fastify's own error handler answers as for the error of any handler.
    expect(errors).toEqual([reason])
    expect(errors[0]).toBe(reason)
    expect(rejected).toEqual([])
    expect(handler).not.toHaveBeenCalled()
  })
})
