import { WebhookError, type ReplayStore } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/fetch/hono'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { describe, expect, it, vi } from 'vitest'
import { delivery, event, secret, sign, timestamp, transaction } from './support/deliveries.js'

const now = () => timestamp * 1000
const forged = () => delivery({ signature: sign(transaction, { key: 'another_key' }) })

/** A store that remembers nothing, and its steps in their order. */
function recordingStore() {
  const steps: string[] = []
  const after = (step: string) => async () => {
    await new Promise(setImmediate)
    steps.push(step)
  }
  const replay: ReplayStore = {
    claim: () => ({ status: 'new', token: 'mine' }),
    commit: after('committed'),
    release: after('released'),
  }
  return { steps, replay }
}

it('is a named function, because Hono and its tracers show the name', () => {
  expect(serviceSignature({ secret }).name).toBe('serviceSignature')
})

it('checks its options when it is made', () => {
  expect(() => serviceSignature({})).toThrow(TypeError)
  expect(() => serviceSignature({ secret, bodyLimit: 0 })).toThrow(RangeError)
})

describe('the next handler', () => {
  const verified = serviceSignature({ secret, now })

  it('gets the delivery, and its answer is sent', async () => {
    const app = new Hono().post('/webhooks', verified, (c) => c.text(c.var.webhook.event.type, 202))
    const answer = await app.request(delivery())
    expect([answer.status, await answer.text()]).toEqual([202, 'transaction.purchase.successful'])
  })

  it('can read the body by each method of Hono', async () => {
    const app = new Hono().post('/webhooks', verified, async ({ req }) =>
      Response.json([
        await req.json(),
        await req.text(),
        (await req.arrayBuffer()).byteLength,
        (await req.blob()).size,
      ]),
    )
    const answer = await app.request(delivery())
    expect(await answer.json()).toEqual([event, String(transaction), transaction.length, transaction.length])
  })

  it('is not called for a refused delivery, nor are later handlers', async () => {
    const handler = vi.fn(() => new Response())
    const app = new Hono().post('/webhooks', verified, handler)
    expect((await app.request(forged())).status).toBe(401)
    expect(handler).not.toHaveBeenCalled()
  })
})

describe('a body that was read before', () => {
  function appWith(read: (c: Context) => unknown, options: ServiceSignatureOptions = {}) {
    const onRejected = vi.fn<(error: WebhookError) => void>()
    const handler = vi.fn<(c: Context) => Response>(() => new Response())
    const app = new Hono()
      .use(async (c, next) => {
        await read(c)
        await next()
      })
      .post('/webhooks', serviceSignature({ secret, now, onRejected, ...options }), handler)
    return { app, handler, onRejected }
  }

  it.each<[method: string, read: (c: Context) => unknown]>([
    ['arrayBuffer', ({ req }) => req.arrayBuffer()],
    ['bytes', ({ req }) => req.bytes()],
    ['arrayBuffer and json', ({ req }) => req.arrayBuffer().then(() => req.json())],
  ])('is accepted if Hono kept its bytes (%s)', async (_method, read) => {
    const { app, handler } = appWith(read)
    expect((await app.request(delivery())).status).toBe(200)
    expect(handler).toHaveBeenCalledOnce()
    const c = handler.mock.lastCall![0] as Context<{ Variables: { webhook: { rawBody: Uint8Array } } }>
    expect(Buffer.from(c.var.webhook.rawBody)).toEqual(transaction)
  })

  it('is accepted after bodyLimit of Hono, which replaces the request', async () => {
    const handler = vi.fn(() => new Response())
    const app = new Hono().post(
      '/webhooks',
      bodyLimit({ maxSize: 5000 }),
      serviceSignature({ secret, now }),
      handler,
    )
    expect((await app.request(delivery())).status).toBe(200)
    expect(handler).toHaveBeenCalledOnce()
  })

  it('is subject to the limit', async () => {
    const { app, handler } = appWith(({ req }) => req.arrayBuffer(), { bodyLimit: transaction.length - 1 })
    expect((await app.request(delivery())).status).toBe(413)
    expect(handler).not.toHaveBeenCalled()
  })

  it.each<[method: string, read: (c: Context) => unknown]>([
    ['json', ({ req }) => req.json()],
    ['text', ({ req }) => req.text()],
    ['raw', ({ req }) => req.raw.arrayBuffer()],
  ])('is refused if only another form of it is left (%s)', async (_method, read) => {
    const { app, handler, onRejected } = appWith(read)
    expect((await app.request(delivery())).status).toBe(500)
    expect(handler).not.toHaveBeenCalled()
    const [error] = onRejected.mock.lastCall!
    expect(error.code).toBe('ERR_BODY_CONSUMED')
    expect(error.message).toContain('in Hono, put serviceSignature(options) before')
  })
})

describe('a refusal', () => {
  it('is an HTTPException, with the error as its cause, which app.onError gets', async () => {
    const onError = vi.fn<(error: Error) => Response>(() => new Response('mine', { status: 418 }))
    const app = new Hono().post('/webhooks', serviceSignature({ secret, now })).onError(onError)
    const answer = await app.request(forged())
    expect([answer.status, await answer.text()]).toEqual([418, 'mine'])
    const [error] = onError.mock.lastCall!
    expect(error).toBeInstanceOf(HTTPException)
    expect(error).toMatchObject({ status: 401, message: 'The delivery was refused' })
    // The reason must not reach the caller, who gets the `cause` in some error handlers.
    expect(error.cause).toMatchObject({
      code: 'ERR_DELIVERY_REFUSED',
      cause: { code: 'ERR_SIGNATURE_MISMATCH' },
    })
  })

  it('is answered by Hono as application/problem+json', async () => {
    const app = new Hono().post('/webhooks', serviceSignature({ secret, now }))
    const answer = await app.request(forged())
    const body = '{"title":"Unauthorized","status":401}'
    expect({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    }).toEqual({
      status: 401,
      headers: {
        'content-type': 'application/problem+json',
        'content-length': `${body.length}`,
        'www-authenticate': 'Service-Signature',
      },
      body,
    })
  })

  it('has the headers of its status', async () => {
    const unavailable = () => Promise.reject(new Error('the safe is shut'))
    const app = new Hono().post('/webhooks', serviceSignature({ secret: unavailable, now }))
    const answer = await app.request(delivery())
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
  })

  it('does not change an error of the programmer', async () => {
    const onError = vi.fn<(error: Error) => Response>(() => new Response(null, { status: 500 }))
    const { replay } = recordingStore()
    const options = { secret, now, replay, replayKey: () => '' }
    const app = new Hono().post('/webhooks', serviceSignature(options)).onError(onError)
    expect((await app.request(delivery())).status).toBe(500)
    expect(onError.mock.lastCall![0]).toBeInstanceOf(TypeError)
  })
})

it('the hooks and a secret function get the context', async () => {
  const seen: Context[] = []
  const options: ServiceSignatureOptions<Context<{ Bindings: { WEBHOOK_SECRET: string } }>> = {
    secret: ({ request }) => request.env.WEBHOOK_SECRET,
    now,
    onVerified: (_webhook, { request }) => seen.push(request),
  }
  const app = new Hono().post('/webhooks', serviceSignature(options), (c) => {
    seen.push(c)
    return c.body(null, 204)
  })
  expect((await app.request(delivery(), undefined, { WEBHOOK_SECRET: secret })).status).toBe(204)
  expect((await app.request(delivery(), undefined, { WEBHOOK_SECRET: 'another_key' })).status).toBe(401)
  expect(seen).toHaveLength(2)
  expect(seen[0]).toBe(seen[1])
})

describe('a dispatcher', () => {
  it('makes the middleware the whole endpoint', async () => {
    const dispatch = vi.fn(() => Promise.resolve())
    const next = vi.fn(() => new Response())
    const options = { secret, now, dispatcher: { dispatch } }
    const app = new Hono().post('/webhooks', serviceSignature(options), next)
    const answer = await app.request(delivery())
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect(dispatch).toHaveBeenCalledOnce()
    expect(next).not.toHaveBeenCalled()
  })

  it('that fails passes the error on to Hono', async () => {
    const failure = new Error('the database is down')
    const onError = vi.fn<(error: Error) => Response>(() => new Response(null, { status: 500 }))
    const dispatcher = { dispatch: () => Promise.reject(failure) }
    const app = new Hono().post('/webhooks', serviceSignature({ secret, now, dispatcher })).onError(onError)
    expect((await app.request(delivery())).status).toBe(500)
    expect(onError.mock.lastCall![0]).toBe(failure)
  })
})

describe('a replay store', () => {
  const failing = () => {
    throw new Error('the database is down')
  }

  it.each<[what: string, handler: () => Response, step: string, onError?: (error: Error) => Response]>([
    ['200', () => new Response('handled'), 'committed'],
    ['204', () => new Response(null, { status: 204 }), 'committed'],
    ['302', () => new Response(null, { status: 302 }), 'released'],
    ['500', () => new Response(null, { status: 500 }), 'released'],
    ['an error', failing, 'released', () => new Response(null, { status: 500 })],
    ['an error that is answered with 200', failing, 'released', () => new Response('sorry')],
  ])('gets %s of the handler before the answer is sent', async (_what, handler, step, onError) => {
    const { steps, replay } = recordingStore()
    const app = new Hono().post('/webhooks', serviceSignature({ secret, now, replay }), handler)
    if (onError !== undefined) app.onError(onError)
    await app.request(delivery())
    steps.push('answered')
    expect(steps).toEqual([step, 'answered'])
  })

  it('releases the delivery if there is no handler, and if the handler throws something other than an error', async () => {
    const { steps, replay } = recordingStore()
    const verified = serviceSignature({ secret, now, replay })
    expect((await new Hono().post('/webhooks', verified).request(delivery())).status).toBe(404)
    const throwing = new Hono().post('/webhooks', verified, () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- which Hono does not catch
      throw 'a text'
    })
    await expect(Promise.resolve(throwing.request(delivery()))).rejects.toBe('a text')
    expect(steps).toEqual(['released', 'released'])
  })

  it('answers a duplicate with 200 without calling the handler', async () => {
    const handler = vi.fn(() => new Response())
    const replay = { ...recordingStore().replay, claim: () => ({ status: 'done', token: 'mine' }) as const }
    const app = new Hono().post('/webhooks', serviceSignature({ secret, now, replay }), handler)
    const answer = await app.request(delivery())
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(handler).not.toHaveBeenCalled()
  })
})
