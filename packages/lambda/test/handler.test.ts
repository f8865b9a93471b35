import { createDispatcher, WebhookError } from '@service-signature/core'
import { serviceSignature, type HttpEvent } from '@service-signature/lambda'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { deliveryOf, now, secret, watched } from './support/deliveries.js'
import { context } from './support/gateway.js'
import { recorded } from './support/origins.js'

const event = recorded('api-gateway-http-2.0') as HttpEvent
const options = { secret, now }

describe('a function', () => {
  const make = serviceSignature as unknown as (...given: readonly unknown[]) => unknown
  const dispatcher = createDispatcher()
  const handler = () => undefined

  it.each<[message: string, given: readonly unknown[]]>([
    ['expected a handler, (webhook, event, context) => response, or a "dispatcher"', [options]],
    ['serviceSignature: expected a handler', [options, {}]],
    ['serviceSignature: expected a handler', [{ ...options, dispatcher: undefined }]],
    ['a "dispatcher" replaces the handler', [{ ...options, dispatcher }, handler]],
    ['"dispatcher" must be one that createDispatcher returned', [{ ...options, dispatcher: handler }]],
    ['serviceSignature: expected an options object', [undefined, handler]],
    ['Did you mean "bodyLimit"?', [{ ...options, bodylimit: 5 }, handler]],
  ])('reports a mistake when it is made: %s', (message, given) => {
    expect(() => make(...given)).toThrow(TypeError)
    expect(() => make(...given)).toThrow(message)
  })

  it('has a name, and no callback parameter, which newer runtimes reject', () => {
    const { name, length } = serviceSignature(options, handler)
    expect({ name, length }).toEqual({ name: 'serviceSignature', length: 2 })
  })

  it('does not change its context and its event', async () => {
    const { handler: spy, invoke } = watched()
    const frozen = Object.freeze(structuredClone(event))
    expect(await invoke(frozen)).toMatchObject({ statusCode: 204 })
    expect(frozen).toEqual(event)
    expect(spy.mock.lastCall![2]).toBe(context)
    expect(context.callbackWaitsForEmptyEventLoop).toBe(true)
  })
})

describe('the diagnostics channel', () => {
  /** Invokes a function whose handler does not end, with a subscriber to reports. */
  function invokeEndless(given: unknown) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const reports: unknown[] = []
    const listen = (report: unknown) => reports.push((report as { outcome: string }).outcome)
    subscribe('service-signature:delivery', listen)
    onTestFinished(() => {
      unsubscribe('service-signature:delivery', listen)
      vi.useRealTimers()
    })
    let end!: () => void
    const ended = new Promise<void>((resolve) => (end = resolve))
    const began = vi.fn(() => ended)
    const invoked = serviceSignature(options, began)(event, given as typeof context)
    return { reports, end, invoked, began }
  }

  it('reports a delivery as abandoned shortly before Lambda stops the function', async () => {
    const { reports, end, invoked, began } = invokeEndless({
      ...context,
      getRemainingTimeInMillis: () => 3000,
    })
    while (began.mock.calls.length === 0) await new Promise(setImmediate)
    await vi.advanceTimersByTimeAsync(2899)
    expect(reports).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(reports).toEqual(['abandoned'])
    end()
    await invoked
    expect(reports).toEqual(['abandoned'])
  })

  it.each([undefined, {}])('reports the outcome also without the time that is left: %j', async (given) => {
    const { reports, end, invoked, began } = invokeEndless(given)
    while (began.mock.calls.length === 0) await new Promise(setImmediate)
    end()
    expect(await invoked).toMatchObject({ statusCode: 204 })
    expect(reports).toEqual(['handled'])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a handler', () => {
  const plain = { isBase64Encoded: false }

  it.each<[what: string, returned: unknown, answer: object]>([
    ['null', null, { ...plain, statusCode: 204, body: '' }],
    ['a promise of nothing', Promise.resolve(), { ...plain, statusCode: 204, body: '' }],
    ['a status alone', { statusCode: 599, body: undefined }, { ...plain, statusCode: 599, body: '' }],
    [
      'a whole response',
      { statusCode: 202, headers: { 'X-Count': 5 }, cookies: ['a=b'], body: 'aGk=', isBase64Encoded: true },
      { statusCode: 202, headers: { 'X-Count': 5 }, cookies: ['a=b'], body: 'aGk=', isBase64Encoded: true },
    ],
  ])('may return %s', async (_what, returned, answer) => {
    const { handler, invoke } = watched()
    handler.mockReturnValueOnce(returned as never)
    expect(await invoke(event)).toEqual(answer)
  })

  it('may return an empty text', async () => {
    const { handler, invoke } = watched()
    handler.mockReturnValueOnce('')
    expect(await invoke(event)).toMatchObject({ statusCode: 200, body: '' })
  })

  it('may set the status description for a load balancer', async () => {
    const { handler, invoke } = watched()
    const own = { statusCode: 299, headers: { 'X-Count': 5, Allow: 'POST' }, body: 'thanks' }
    handler.mockReturnValue(own)
    const answer = { ...own, ...plain, statusDescription: '299 Unknown' }
    expect(await invoke(recorded('load-balancer'))).toEqual(answer)

    handler.mockReturnValue({ statusCode: 200, statusDescription: undefined, headers: undefined })
    const least = { ...plain, statusCode: 200, statusDescription: '200 OK', headers: {}, body: '' }
    expect(await invoke(recorded('load-balancer'))).toEqual(least)

    const listed = {
      ...own,
      statusDescription: '299 Taken',
      multiValueHeaders: { Allow: ['PUT', 'POST'] },
    }
    handler.mockReturnValue(listed)
    expect(await invoke(recorded('load-balancer-multi-value'))).toEqual({
      ...plain,
      statusCode: 299,
      statusDescription: '299 Taken',
      multiValueHeaders: { 'X-Count': [5], Allow: ['PUT', 'POST'] },
      body: 'thanks',
    })
    // The object belongs to the handler, which may return it for every delivery.
    expect(listed).toMatchObject({ headers: { 'X-Count': 5, Allow: 'POST' } })
  })

  it.each<[what: string, returned: unknown]>([
    ['a number', 200],
    ['true', true],
    ['a list', [200]],
    ['an object without a status', {}],
    ['a misspelled status', { status: 500 }],
    ['a status as text', { statusCode: '200' }],
    ['a fraction as status', { statusCode: 200.5 }],
    ['an informational status', { statusCode: 199 }],
    ['a status out of range', { statusCode: 600 }],
    ['a body that is not text', { statusCode: 200, body: { ok: true } }],
    ['a body of null', { statusCode: 200, body: null }],
  ])('that returns %s fails the invocation', async (_what, returned) => {
    const { handler, onRejected, invoke } = watched()
    handler.mockReturnValueOnce(returned as never)
    const invoked = invoke(event)
    await expect(invoked).rejects.toThrow(TypeError)
    await expect(invoked).rejects.toThrow('The handler must return nothing, a string, or a response')
    expect(onRejected).not.toHaveBeenCalled()
  })

  it.each([new Error('the database is down'), 'text'])(
    'that throws fails the invocation, whatever it throws: %s',
    async (thrown) => {
      const { handler, onRejected, invoke } = watched()
      handler.mockRejectedValueOnce(thrown)
      await expect(invoke(event)).rejects.toBe(thrown)
      handler.mockImplementationOnce(() => {
        throw thrown as Error
      })
      await expect(invoke(event)).rejects.toBe(thrown)
      expect(onRejected).not.toHaveBeenCalled()
    },
  )

  it('that throws a WebhookError refuses nothing: the invocation fails, or the sender is asked to retry', async () => {
    const { handler, onRejected, invoke } = watched()
    const refusal = new WebhookError('ERR_SIGNATURE_MISMATCH')
    handler.mockRejectedValueOnce(refusal)
    await expect(invoke(event)).rejects.toMatchObject({ cause: refusal })
    handler.mockRejectedValueOnce(new WebhookError('ERR_DELIVERY_IN_PROGRESS'))
    expect(await invoke(event)).toMatchObject({ statusCode: 409, headers: { 'Retry-After': '10' } })
    expect(onRejected).not.toHaveBeenCalled()
  })
})

describe('a dispatcher', () => {
  it('is the whole function', async () => {
    const paid = vi.fn()
    const dispatcher = createDispatcher().on('transaction.purchase.successful', paid)
    const invoke = serviceSignature({ ...options, dispatcher })
    expect(await invoke(event, context)).toEqual({ statusCode: 204, body: '', isBase64Encoded: false })
    expect(paid).toHaveBeenCalledOnce()
  })

  it('that fails makes the invocation fail, with the error of its handler', async () => {
    const failed = new Error('the database is down')
    const dispatcher = createDispatcher().on('*', () => Promise.reject(failed))
    const invoke = serviceSignature({ ...options, dispatcher })
    const error: unknown = await invoke(event, context).catch((thrown: unknown) => thrown)
    expect(error).toBe(failed)
  })
})

it('a source of secrets with a bug counts as unavailable, so that the sender retries', async () => {
  const { handler, invoke } = watched({ secret: () => Promise.reject(new TypeError('no such field')) })
  const { statusCode, headers, body } = await invoke(deliveryOf(Buffer.from('{}')))
  expect(statusCode).toBe(503)
  expect(headers).toMatchObject({ 'Retry-After': '10' })
  expect(body).toBe('{"title":"Service Unavailable","status":503}')
  expect(handler).not.toHaveBeenCalled()
})
