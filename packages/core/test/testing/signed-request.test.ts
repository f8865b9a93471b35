import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { signedRequest, transactionEvent } from '../../src/entries/testing.js'
import { hmac, secret, timestamp, v3Message } from '../support/deliveries.js'

describe('signedRequest', () => {
  it('is a delivery of the payload as JSON', () => {
    const payload = transactionEvent()
    const request = signedRequest(payload, { secret, timestamp, versions: ['v3'], url: '/webhooks' })
    const body = JSON.stringify(payload).replaceAll('\u2013', '\\u2013')
    expect(request).toEqual({
      method: 'POST',
      url: '/webhooks',
      headers: {
        'Content-Type': 'application/json',
        'Service-Signature': `t=${timestamp},v3=${hmac(secret, v3Message(body))}`,
      },
      body,
    })
  })

  it.each([
    [undefined, '{"intent":{"amount":{"value":10.0}},"note":"f\\u00fc"}'],
    ['python', '{"intent":{"amount":{"value":10.0}},"note":"f\\u00fc"}'],
    ['ecmascript', '{"intent":{"amount":{"value":10}},"note":"f\u00fc"}'],
  ] as const)('prints the payload in the body style %s', (bodyStyle, body) => {
    const payload = { intent: { amount: { value: 10 } }, note: 'f\u00fc' }
    const options = { secret, timestamp, versions: ['v3'] as const, ...(bodyStyle && { bodyStyle }) }
    const request = signedRequest(payload, options)
    expect(request.body).toBe(body)
    expect(request.headers['Service-Signature']).toBe(`t=${timestamp},v3=${hmac(secret, v3Message(body))}`)
  })

  it.each([
    ['text', '{"a": 1.0}'],
    ['bytes', Buffer.from([0xff, 0xfe])],
    ['an ArrayBuffer', new Uint8Array([123, 125]).buffer],
    ['bytes of another realm', runInNewContext('Uint8Array.of(123, 125)') as Uint8Array],
  ])('sends %s unchanged', (_kind, body) => {
    const request = signedRequest(body, { secret, timestamp, versions: ['v3'] })
    expect(request.url).toBe('/')
    expect(request.body).toBe(body)
    expect(request.headers['Service-Signature']).toBe(
      `t=${timestamp},v3=${hmac(secret, v3Message(new Uint8Array(Buffer.from(body as string))))}`,
    )
  })

  it('is accepted by fetch', async () => {
    const request = signedRequest({ a: 1 }, { secret, url: 'http://localhost/webhooks' })
    const received = new Request(request.url, request)
    expect(received.headers.get('service-signature')).toBe(request.headers['Service-Signature'])
    expect(await received.text()).toBe('{"a":1}')
  })

  it('treats an option that is undefined as one that is left out', () => {
    const options = { secret, apiKey: undefined, versions: undefined, canonicalForm: undefined }
    const request = signedRequest({ a: 1 }, { ...options, timestamp, url: undefined, bodyStyle: undefined })
    expect(request).toEqual(signedRequest({ a: 1 }, { secret, timestamp }))
    const now = Math.floor(Date.now() / 1000)
    const { headers } = signedRequest({ a: 1 }, { secret, timestamp: undefined })
    expect(Number(/^t=(\d+),/.exec(headers['Service-Signature'])![1])).toBeGreaterThanOrEqual(now)
  })

  it('rejects an unknown option by its name', () => {
    expect(() => signedRequest({}, { secret, uri: '/' } as never)).toThrow(TypeError)
  })
})
