import type { ReplayStore } from '@service-signature/core'
import { serviceSignature, type WebhookHandler } from '@service-signature/node'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi, type Mock } from 'vitest'
import { now, secret } from './support/deliveries.js'
import { serve } from './support/serve.js'

const failure = new Error('the database is down')
const options = { secret, now }

/** Records the printed lines until the test ends. */
function printed(): Mock['mock']['calls'] {
  const spy = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => {
    spy.mockRestore()
  })
  return spy.mock.calls
}

/** A store that remembers nothing, and its steps in their order. */
function recordingStore(steps: string[]): ReplayStore {
  const after = (step: string) => async () => {
    await new Promise(setImmediate)
    steps.push(step)
  }
  return {
    claim: () => ({ status: 'new', token: 'mine' }),
    commit: after('committed'),
    release: after('released'),
  }
}

describe('a handler', () => {
  it('gets the delivery, the request and the response of the host', async () => {
    const handler = vi.fn<WebhookHandler>()
    const seen: unknown[] = []
    const handle = serviceSignature(options, handler)
    const { send } = await serve((req, res) => {
      seen.push(req, res)
      return handle(req, res)
    })
    expect((await send()).status).toBe(204)
    const [webhook, req, res] = handler.mock.lastCall!
    expect(webhook.event.type).toBe('transaction.purchase.successful')
    expect([req, res]).toEqual(seen)
    expect(req).toBe(seen[0])
    expect(res).toBe(seen[1])
  })

  it.each<[how: string, handler: WebhookHandler]>([
    ['returns', () => undefined],
    ['returns a value', () => 'handled'],
    ['resolves', () => Promise.resolve()],
    ['has set a status', (_webhook, _req, res) => (res.statusCode = 202)],
  ])('that %s without an answer is answered with 204', async (_how, handler) => {
    const { send } = await serve(serviceSignature(options, handler))
    const answer = await send()
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 204, body: '' })
  })

  it('may answer after it has returned, if it has begun to answer before', async () => {
    const { send } = await serve(
      serviceSignature(options, (_webhook, _req, res) => {
        res.writeHead(202, { 'X-Mine': 'yes' })
        setImmediate(() => res.end('mine'))
      }),
    )
    const answer = await send()
    expect([answer.status, answer.headers.get('x-mine'), await answer.text()]).toEqual([202, 'yes', 'mine'])
  })

  it.each<[how: string, fail: () => unknown]>([
    [
      'throws',
      () => {
        throw failure
      },
    ],
    ['rejects', () => Promise.reject(failure)],
  ])('that %s is answered with 500, and the error is printed', async (_how, fail) => {
    const lines = printed()
    const { send } = await serve(
      serviceSignature(options, (_webhook, _req, res) => {
        res.setHeader('Content-Encoding', 'gzip')
        return fail()
      }),
    )
    const answer = await send()
    expect(answer.status).toBe(500)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(await answer.text()).toBe('{"title":"Internal Server Error","status":500}')
    expect(lines).toEqual([[failure]])
  })

  it('that fails in the middle of its answer ends the connection, and the delivery may be retried', async () => {
    const lines = printed()
    const steps: string[] = []
    const { send } = await serve(
      serviceSignature({ ...options, replay: recordingStore(steps) }, (_webhook, _req, res) => {
        res.writeHead(200).write('a part')
        throw failure
      }),
    )
    await expect(send().then((answer) => answer.text())).rejects.toThrow(TypeError)
    expect(steps).toEqual(['released'])
    expect(lines).toEqual([[failure]])
  })

  it('that fails after its answer does not change the answer', async () => {
    const lines = printed()
    const steps: string[] = []
    const { send } = await serve(
      serviceSignature({ ...options, replay: recordingStore(steps) }, (_webhook, _req, res) => {
        res.end('handled')
        throw failure
      }),
    )
    const answer = await send()
    expect([answer.status, await answer.text()]).toEqual([200, 'handled'])
    await expect.poll(() => steps).toEqual(['committed'])
    expect(lines).toEqual([[failure]])
  })
})

describe('a dispatcher', () => {
  it('is the whole endpoint', async () => {
    const dispatch = vi.fn(() => Promise.resolve())
    const { send } = await serve(serviceSignature({ ...options, dispatcher: { dispatch } }))
    expect((await send()).status).toBe(204)
    expect((await send('another_key')).status).toBe(401)
    expect(dispatch).toHaveBeenCalledOnce()
  })

  it('that fails is answered with 500, and the error is printed', async () => {
    const lines = printed()
    const dispatcher = { dispatch: () => Promise.reject(failure) }
    const { send } = await serve(serviceSignature({ ...options, dispatcher }))
    expect((await send()).status).toBe(500)
    expect(lines).toEqual([[failure]])
  })
})

it('commits the delivery before it answers with 204', async () => {
  const steps: string[] = []
  const handle = serviceSignature({ ...options, replay: recordingStore(steps) }, () => {
    steps.push('handled')
  })
  const { send } = await serve((req, res) => {
    res.once('finish', () => steps.push('answered'))
    return handle(req, res)
  })
  await send()
  expect(steps).toEqual(['handled', 'committed', 'answered'])
})

it('answers a duplicate with 200, and does not call the handler', async () => {
  const handler = vi.fn<WebhookHandler>()
  const replay = { ...recordingStore([]), claim: () => ({ status: 'done', token: 'mine' }) as const }
  const { send } = await serve(serviceSignature({ ...options, replay }, handler))
  const answer = await send()
  expect([answer.status, await answer.text()]).toEqual([200, ''])
  expect(handler).not.toHaveBeenCalled()
})

describe('a refusal', () => {
  async function refusalOf(key: string, changes: object = {}) {
    const handler = vi.fn<WebhookHandler>()
    const { send } = await serve(serviceSignature({ ...options, ...changes }, handler))
    const {
      status,
      headers,
      text: read,
    } = await send(key).then(async (answer) => {
      const body = await answer.text()
      return { status: answer.status, headers: answer.headers, text: body }
    })
    expect(handler).not.toHaveBeenCalled()
    return {
      status,
      type: headers.get('content-type'),
      scheme: headers.get('www-authenticate'),
      retryAfter: headers.get('retry-after'),
      body: read,
    }
  }

  it('is an application/problem+json with the headers of its status', async () => {
    expect(await refusalOf('another_key')).toEqual({
      status: 401,
      type: 'application/problem+json',
      scheme: 'Service-Signature',
      retryAfter: null,
      body: '{"title":"Unauthorized","status":401}',
    })
    const unavailable = { secret: () => Promise.reject(new Error('the safe is shut')) }
    expect(await refusalOf(secret, unavailable)).toEqual({
      status: 503,
      type: 'application/problem+json',
      scheme: null,
      retryAfter: '10',
      body: '{"title":"Service Unavailable","status":503}',
    })
  })

  it('is not printed', async () => {
    const lines = printed()
    expect((await refusalOf('another_key')).status).toBe(401)
    expect(lines).toEqual([])
  })
})

describe('a body that was read before', () => {
  /** The reason of the refusal, which the operator gets. */
  async function reasonAfter(prepare: (req: IncomingMessage) => Promise<unknown>): Promise<string> {
    const onRejected = vi.fn<(error: Error) => void>()
    const handler = vi.fn<WebhookHandler>()
    const handle = serviceSignature({ ...options, onRejected }, handler)
    const { send } = await serve(async (req, res) => {
      await prepare(req)
      return handle(req, res)
    })
    expect((await send()).status).toBe(500)
    expect(handler).not.toHaveBeenCalled()
    return onRejected.mock.lastCall![0].message
  }

  it('is refused in Next with the setting that turns the body parser off', async () => {
    // As Next prepares the request of an API route, by default.
    const message = await reasonAfter(async (req) => {
      Object.assign(req, { query: {}, body: JSON.parse(await text(req)) as unknown })
      Object.defineProperty(req, 'previewData', { configurable: true, get: () => false })
    })
    expect(message).toContain('export const config = { api: { bodyParser: false } }')
    expect(message).not.toContain('Connect')
  })

  it('is refused elsewhere with the order of the middleware', async () => {
    const message = await reasonAfter((req) => text(req))
    expect(message).toContain(
      'in Connect, Polka and h3, put serviceSignature(options, handler) before the body',
    )
    expect(message).not.toContain('Next')
  })

  it('is reported as a second mount if that is what read it', async () => {
    const onRejected = vi.fn<(error: Error) => void>()
    const handler = vi.fn<WebhookHandler>()
    const inner = serviceSignature({ ...options, onRejected }, handler)
    const { send } = await serve(serviceSignature(options, (_webhook, req, res) => inner(req, res)))
    expect((await send()).status).toBe(500)
    expect(handler).not.toHaveBeenCalled()
    expect(onRejected.mock.lastCall![0].message).toContain('serviceSignature() is mounted twice')
  })
})

describe('the promise that is returned', () => {
  /** The value that it resolves to, and whether the response had ended by then. */
  async function settled(handler: WebhookHandler, key?: string) {
    const handle = serviceSignature(options, handler)
    const results: unknown[] = []
    const { send } = await serve(async (req: IncomingMessage, res: ServerResponse) => {
      results.push(await handle(req, res), res.writableEnded)
    })
    await send(key)
    await expect.poll(() => results).toHaveLength(2)
    return results
  }

  it('resolves without a value once the response has ended, as Next expects', async () => {
    expect(await settled(() => new Promise((resolve) => setImmediate(resolve, 'handled')))).toEqual([
      undefined,
      true,
    ])
    expect(await settled(() => undefined, 'another_key')).toEqual([undefined, true])
  })

  it('is not rejected when the handler fails', async () => {
    printed()
    expect(await settled(() => Promise.reject(failure))).toEqual([undefined, true])
  })
})
