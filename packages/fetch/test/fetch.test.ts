import { WebhookError, type ReplayStore } from '@service-signature/core'
import { serviceSignature } from '@service-signature/fetch'
import { Hono, type Handler } from 'hono'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { delivery, observed, secret, sign, timestamp, transaction, unsigned } from './support/deliveries.js'

describe('the handler', () => {
  it('gets the delivery, the request, and the further arguments of the host', async () => {
    const { options } = observed()
    const handler = vi.fn<(...given: unknown[]) => undefined>()
    const handle = serviceSignature(options, handler)
    const request = delivery()
    const [env, ctx] = [{ name: 'env' }, { name: 'ctx' }]
    await handle(request, env, ctx)
    expect(handler).toHaveBeenCalledOnce()
    const [webhook, ...rest] = handler.mock.lastCall!
    expect(webhook).toMatchObject({ timestamp, event: { type: 'transaction.purchase.successful' } })
    expect(rest[0]).toBe(request)
    expect(rest[1]).toBe(env)
    expect(rest[2]).toBe(ctx)
    expect(rest).toHaveLength(3)
  })

  it.each([200, 302, 500])('may answer with a Response of status %i', async (status) => {
    const response = new Response('mine', { status, headers: { 'X-Mine': 'yes' } })
    const handle = serviceSignature(observed().options, () => Promise.resolve(response))
    expect(await handle(delivery())).toBe(response)
  })

  it.each<[how: string, handler: () => undefined | Promise<undefined>]>([
    ['returns nothing', () => undefined],
    ['returns a promise of undefined', () => Promise.resolve(undefined)],
  ])('that %s is answered with 204', async (_how, handler) => {
    const answer = await serviceSignature(observed().options, handler)(delivery())
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 204, body: '' })
  })

  it.each([
    [
      'throws',
      (error: Error) => {
        throw error
      },
    ],
    ['rejects', (error: Error) => Promise.reject(error)],
  ])('that %s leaves the answer to the host', async (_how, fail) => {
    const { options, codes } = observed()
    const failing = (error: Error) => serviceSignature(options, () => fail(error))(delivery())
    const failure = new Error('the database is down')
    await expect(failing(failure)).rejects.toBe(failure)
    // The handler may verify something of its own. Some hosts answer with the status of an error.
    const refusal = new WebhookError('ERR_SIGNATURE_MISMATCH')
    const thrown: unknown = await failing(refusal).catch((error: unknown) => error)
    expect(thrown).toMatchObject({ message: expect.stringContaining(refusal.code) as string, cause: refusal })
    expect(thrown).not.toHaveProperty('status')
    expect(thrown).not.toHaveProperty('statusCode')
    expect(codes).toEqual([])
  })

  it.each([
    ['null', null],
    ['an object', { ok: true }],
    ['an object that only looks like a Response', { status: 200, headers: {}, body: null }],
    ['a text', 'handled'],
    ['a Request', delivery()],
    ['a Response that cannot be sent', Response.error()],
  ])('that returns %s fails with an error that says what to return', async (_what, answer) => {
    const handle = serviceSignature(observed().options, () => answer as never)
    await expect(handle(delivery())).rejects.toThrow(TypeError)
    await expect(handle(delivery())).rejects.toThrow(/must return a Response .* or nothing/)
  })
})

describe('a dispatcher', () => {
  it('replaces the handler', async () => {
    const dispatch = vi.fn(() => Promise.resolve())
    const handle = serviceSignature({ ...observed().options, dispatcher: { dispatch } })
    const answer = await handle(delivery())
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 204, body: '' })
    expect(dispatch).toHaveBeenCalledOnce()
  })

  it('that fails leaves the answer to the host', async () => {
    const error = new AggregateError([new Error('the database is down')])
    const dispatcher = { dispatch: () => Promise.reject(error) }
    const handle = serviceSignature({ ...observed().options, dispatcher })
    await expect(handle(delivery())).rejects.toBe(error)
  })
})

describe('when it is made', () => {
  const dispatcher = { dispatch: () => Promise.resolve() }
  const handler = () => undefined

  it.each<[what: string, given: readonly unknown[], error: typeof Error, words: RegExp]>([
    ['nothing', [], TypeError, /expected an options object/],
    ['null', [null, handler], TypeError, /expected an options object/],
    ['the secret alone', [secret, handler], TypeError, /expected an options object/],
    ['no handler', [{ secret }], TypeError, /expected a handler, .* or a "dispatcher"/],
    ['a handler that is not a function', [{ secret }, { POST: handler }], TypeError, /expected a handler/],
    ['a handler and a dispatcher', [{ secret, dispatcher }, handler], TypeError, /replaces the handler/],
    ['an object that is not a dispatcher', [{ secret, dispatcher: {} }], TypeError, /"dispatcher" must be/],
    ['no secret', [{}, handler], TypeError, /"secret"/],
    ['a misspelled option', [{ secret, bodylimit: 1 }, handler], TypeError, /"bodyLimit"/],
    ['a number out of bounds', [{ secret, bodyLimit: 0 }, handler], RangeError, /"bodyLimit"/],
  ])('%s is an error that says what to do', (_what, given, error, words) => {
    const make = () => (serviceSignature as (...given: readonly unknown[]) => unknown)(...given)
    expect(make).toThrow(error)
    expect(make).toThrow(words)
    expect(make).not.toThrow(secret)
  })
})

describe('an argument that is not a Request', () => {
  const { options, codes } = observed()
  const handler = vi.fn<() => undefined>()
  const handle = serviceSignature(options, handler)

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'https://merchant.example/webhooks'],
    ['a request of node:http', new IncomingMessage(new Socket())],
    ['a Response', new Response()],
    ['a parsed body', JSON.parse(String(transaction)) as unknown],
  ])('is an error that says what to pass: %s', async (_what, value) => {
    const call = () => handle(value as Request)
    await expect(call()).rejects.toThrow(TypeError)
    await expect(call()).rejects.toThrow(/c\.req\.raw.*@service-signature\/express/)
    expect(handler).not.toHaveBeenCalled()
    expect(codes).toEqual([])
  })

  it.each<[what: string, wrong: Handler]>([
    ['the context', handle as unknown as Handler],
    ['the request of its context', (c) => handle(c.req as unknown as Request)],
  ])('is an error that says what to pass: in Hono, %s', async (_what, wrong) => {
    const onError = vi.fn<(error: Error) => Response>(() => new Response(null, { status: 500 }))
    const app = new Hono().post('/webhooks', wrong).onError(onError)
    expect((await app.request(delivery())).status).toBe(500)
    expect(onError.mock.lastCall![0]).toBeInstanceOf(TypeError)
    expect(onError.mock.lastCall![0].message).toContain('handle(c.req.raw, c)')
    expect(handler).not.toHaveBeenCalled()
  })
})

describe('a refusal', () => {
  async function refusalOf(request: Request, changes: object = {}) {
    const { options, codes } = observed()
    const handler = vi.fn<() => undefined>()
    const answer = await serviceSignature({ ...options, ...changes }, handler)(request)
    expect(handler).not.toHaveBeenCalled()
    const { status, headers } = answer
    return { codes, status, headers: Object.fromEntries(headers), body: await answer.text() }
  }

  it.each<[code: string, request: () => Request]>([
    ['ERR_SIGNATURE_MISSING', unsigned],
    ['ERR_SIGNATURE_VERSION_MISSING', () => delivery({ signature: `t=${timestamp}` })],
    ['ERR_TIMESTAMP_TOO_OLD', () => delivery({ signature: sign(transaction, { t: timestamp - 301 }) })],
    ['ERR_TIMESTAMP_IN_FUTURE', () => delivery({ signature: sign(transaction, { t: timestamp + 61 }) })],
    ['ERR_SIGNATURE_MISMATCH', () => delivery({ signature: sign(transaction, { key: 'another_key' }) })],
    ['ERR_SIGNATURE_MISMATCH', () => delivery({ stream: '{}' })],
  ])('for %s is the same 401 as any other', async (code, request) => {
    expect(await refusalOf(request())).toEqual({
      codes: [code],
      status: 401,
      headers: { 'content-type': 'application/problem+json', 'www-authenticate': 'Service-Signature' },
      body: '{"title":"Unauthorized","status":401}',
    })
  })

  it.each<
    [code: string, request: () => Request, changes: object, status: number, headers: object, title: string]
  >([
    ['ERR_SIGNATURE_MALFORMED', () => delivery({ signature: 'garbage' }), {}, 400, {}, 'Bad Request'],
    [
      'ERR_BODY_ENCODED',
      () => delivery({ headers: { 'Content-Encoding': 'gzip' } }),
      {},
      415,
      {},
      'Unsupported Media Type',
    ],
    ['ERR_BODY_TOO_LARGE', delivery, { bodyLimit: 5 }, 413, {}, 'Content Too Large'],
    ['ERR_BODY_NOT_JSON', () => delivery({ body: 'no JSON' }), {}, 400, {}, 'Bad Request'],
    [
      'ERR_SECRET_UNAVAILABLE',
      delivery,
      { secret: () => Promise.reject(new Error('the safe is shut')) },
      503,
      { 'retry-after': '10' },
      'Service Unavailable',
    ],
  ])('for %s contains only its status', async (code, request, changes, status, headers, title) => {
    expect(await refusalOf(request(), changes)).toEqual({
      codes: [code],
      status,
      headers: { 'content-type': 'application/problem+json', ...headers },
      body: JSON.stringify({ title, status }),
    })
  })

  it('of a repeated header is the same as of a malformed one', async () => {
    const request = delivery()
    request.headers.append('service-signature', sign(transaction))
    expect(await refusalOf(request)).toMatchObject({ status: 400, codes: ['ERR_SIGNATURE_MALFORMED'] })
  })
})

it('the hooks and a source of the secret get the request', async () => {
  const source = vi.fn<(context: { readonly request?: unknown }) => string>(() => secret)
  const onVerified = vi.fn<(webhook: unknown, context: { readonly request: Request }) => void>()
  const handle = serviceSignature({ ...observed().options, secret: source, onVerified }, () => undefined)
  const request = delivery()
  expect((await handle(request)).status).toBe(204)
  expect(source.mock.lastCall![0].request).toBe(request)
  expect(onVerified.mock.lastCall![1].request).toBe(request)
})

describe('a replay store', () => {
  /** A store that takes its time, and the steps of a delivery in their order. */
  function slowStore(status: 'new' | 'in-progress' | 'done' = 'new') {
    const steps: string[] = []
    const after = (step: string) => async () => {
      await new Promise(setImmediate)
      steps.push(step)
    }
    const replay: ReplayStore = {
      async claim() {
        await new Promise(setImmediate)
        return { status, token: 'mine' }
      },
      commit: after('committed'),
      release: after('released'),
    }
    return { steps, replay }
  }

  it.each([
    { what: 'nothing', answer: () => undefined, step: 'committed' },
    { what: '200', answer: () => new Response('handled'), step: 'committed' },
    { what: '204', answer: () => new Response(null, { status: 204 }), step: 'committed' },
    { what: '302', answer: () => new Response(null, { status: 302 }), step: 'released' },
    { what: '304', answer: () => new Response(null, { status: 304 }), step: 'released' },
    { what: '399', answer: () => new Response(null, { status: 399 }), step: 'released' },
    { what: '400', answer: () => new Response(null, { status: 400 }), step: 'released' },
    { what: '503', answer: () => new Response(null, { status: 503 }), step: 'released' },
    { what: 'an error', answer: () => Promise.reject(new Error('failed')), step: 'released' },
    { what: 'an object that is not a Response', answer: () => ({ ok: true }) as never, step: 'released' },
    { what: 'a Response that cannot be sent', answer: () => Response.error(), step: 'released' },
  ])(
    'gets the outcome before the host does if the handler returns $what: $step',
    async ({ answer, step }) => {
      const { steps, replay } = slowStore()
      const handle = serviceSignature({ ...observed().options, replay }, () => {
        steps.push('handled')
        return answer()
      })
      await handle(delivery()).catch(() => undefined)
      steps.push('answered')
      expect(steps).toEqual(['handled', step, 'answered'])
    },
  )

  it('gets the outcome of a dispatcher before the host does', async () => {
    const { steps, replay } = slowStore()
    const dispatcher = { dispatch: () => Promise.resolve() }
    await serviceSignature({ ...observed().options, replay, dispatcher })(delivery())
    steps.push('answered')
    expect(steps).toEqual(['committed', 'answered'])
  })

  it.each([
    { status: 'done', answered: 200, retryAfter: null, codes: [] },
    { status: 'in-progress', answered: 409, retryAfter: '10', codes: ['ERR_DELIVERY_IN_PROGRESS'] },
  ] as const)(
    'that answers "$status" keeps the delivery from the handler',
    async ({ status, ...expected }) => {
      const { steps, replay } = slowStore(status)
      const { options, codes } = observed()
      const handler = vi.fn<() => undefined>()
      const answer = await serviceSignature({ ...options, replay }, handler)(delivery())
      expect(answer.status).toBe(expected.answered)
      expect(answer.headers.get('retry-after')).toBe(expected.retryAfter)
      if (status === 'done') expect(await answer.text()).toBe('')
      expect(codes).toEqual(expected.codes)
      expect(handler).not.toHaveBeenCalled()
      expect(steps).toEqual([])
    },
  )

  it.each([
    { outcome: 'has succeeded', answer: () => undefined, step: 'committed' },
    { outcome: 'has failed', answer: () => Promise.reject(new Error('failed')), step: 'released' },
  ])(
    'is not called when the sender hangs up, and gets "$step" when the handler $outcome',
    async ({ answer, step }) => {
      const { steps, replay } = slowStore()
      const sender = new AbortController()
      let finish!: () => void
      const handler = () => new Promise<void>((resolve) => (finish = resolve)).then(answer)
      const handle = serviceSignature({ ...observed().options, replay }, handler)
      const answered = handle(delivery({ signal: sender.signal })).catch(() => undefined)
      await expect.poll(() => finish).toBeDefined()
      sender.abort()
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
      expect(steps).toEqual([])
      finish()
      await answered
      expect(steps).toEqual([step])
    },
  )
})
