import { describe, expect, it, vi } from 'vitest'
import type { Host, Setup } from '../host.js'
import {
  delivery,
  deliveryOf,
  deliverySigned,
  now,
  secret,
  sign,
  timestamp,
  transaction,
} from '../support/deliveries.js'
import { serve } from '../support/endpoint.js'

const unavailable: readonly (readonly [what: string, source: () => unknown])[] = [
  [
    'throws',
    () => {
      throw new Error('the vault is unreachable')
    },
  ],
  ['rejects', () => Promise.reject(new Error('the vault is unreachable'))],
  ['returns an empty text', () => ''],
  ['returns an empty list', () => []],
]

const unknown: readonly (readonly [
  answer: string,
  secret: () => undefined | null | Promise<undefined | null>,
])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['a promise of undefined', () => Promise.resolve(undefined)],
]

const forged = deliverySigned(sign(transaction, { secret: 'another_key' }))

const wrongOptions: readonly (readonly [what: string, options: object, error: typeof Error])[] = [
  ['no secret', { now }, TypeError],
  ['an empty secret', { secret: '' }, TypeError],
  ['a list with a secret that is undefined', { secret: [secret, undefined] }, TypeError],
  ['a secret in quotes', { secret: `"${secret}"` }, TypeError],
  ['the text "undefined"', { secret: 'undefined' }, TypeError],
  ['the name of a variable', { secret: '$WEBHOOK_SECRET' }, TypeError],
  ['a misspelled name', { secret, bodylimit: 1024 }, TypeError],
  ['a body limit of 0', { secret, bodyLimit: 0 }, RangeError],
  ['a body limit in words', { secret, bodyLimit: '1mb' }, TypeError],
  ['no time for the body', { secret, bodyTimeoutSeconds: 0 }, RangeError],
  ['a hook that is not a function', { secret, onRejected: 'log' }, TypeError],
  ['an object that is not a dispatcher', { secret, dispatcher: {} }, TypeError],
  ['an object that is not a verifier', { verifier: {} }, TypeError],
]

function withoutDate(text: string): string {
  return text.replace(/^Date: .*\r\n/im, '')
}

export function secrets(host: Host): void {
  describe('a source of the secret', () => {
    it('is called with the request', async () => {
      const source = vi.fn<(context: { readonly request?: unknown }) => Promise<string>>()
      source.mockResolvedValue(secret)
      const onVerified = vi.fn<NonNullable<Setup['options']['onVerified']>>()
      const endpoint = await serve(host, { options: { secret: source, now, onVerified } })
      await endpoint.accepts(delivery())
      expect(source.mock.lastCall![0].request).toBe(onVerified.mock.lastCall![1].request)
    })

    it('is not called for a delivery that is refused without it', async () => {
      const source = vi.fn(() => secret)
      const endpoint = await serve(host, { options: { secret: source, bodyLimit: 4096 } })
      const old = sign(transaction, { timestamp: timestamp - 301 })
      await endpoint.refuses(deliverySigned(), 'ERR_SIGNATURE_MISSING')
      await endpoint.refuses(deliverySigned('garbage'), 'ERR_SIGNATURE_MALFORMED')
      await endpoint.refuses(deliverySigned(old), 'ERR_TIMESTAMP_TOO_OLD')
      await endpoint.refuses(deliveryOf('x'.repeat(4097)), 'ERR_BODY_TOO_LARGE')
      expect(source).not.toHaveBeenCalled()
    })

    it.each(unavailable)(
      'that %s is answered with 503, so that the sender retries',
      async (_what, source) => {
        const secretSource = vi.fn(() => secret as unknown).mockImplementationOnce(source)
        const endpoint = await serve(host, { options: { secret: secretSource as () => string } })
        const client = await endpoint.connect()
        const { headers } = await endpoint.refuses(delivery(), 'ERR_SECRET_UNAVAILABLE', client)
        expect(headers['retry-after']).toBe('10')
        await endpoint.accepts(delivery(), client)
      },
    )

    it.each(unknown)(
      'that returns %s gets the same answer as a forgery, byte for byte',
      async (_what, unknownSecret) => {
        const source = vi.fn<() => string | null | undefined | Promise<null | undefined>>(() => secret)
        const endpoint = await serve(host, { options: { secret: source } })
        const forgery = await endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')
        source.mockImplementation(unknownSecret)
        const refusal = await endpoint.refuses(delivery(), 'ERR_SECRET_UNKNOWN')
        expect(withoutDate(refusal.text)).toBe(withoutDate(forgery.text))
        expect(refusal.handlerRan).toBe(0)
        expect(refusal.headers).not.toHaveProperty('retry-after')
      },
    )

    it('is asked for a new secret when the old one does not match', async () => {
      const source = { get: () => 'the_old_key', refresh: () => secret }
      const endpoint = await serve(host, { options: { secret: source } })
      await endpoint.accepts(delivery())
    })
  })

  describe('an option', () => {
    it.each(wrongOptions)('that is wrong fails when the server starts: %s', async (_what, options, error) => {
      const start = async () => host.start({ options, handler: () => undefined })
      await expect(start()).rejects.toThrow(error)
    })
  })
}
