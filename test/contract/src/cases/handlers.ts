import { createDispatcher, type VerifiedWebhook } from '@service-signature/core'
import { describe, expect, it, vi } from 'vitest'
import type { Host } from '../host.js'
import { delivery, deliveryOf, deliverySigned, intent } from '../support/deliveries.js'
import { serve } from '../support/endpoint.js'

const failing = [
  [
    'throws',
    () => {
      throw new Error('the handler failed')
    },
  ],
  ['rejects', () => Promise.reject(new Error('the handler failed'))],
] as const

export function handlers(host: Host): void {
  describe('the handler', () => {
    it.each(failing)(
      'that %s is answered with 500, and the next delivery is accepted',
      async (_how, fail) => {
        const handler = vi.fn<(webhook: VerifiedWebhook) => unknown>().mockImplementationOnce(fail)
        const endpoint = await serve(host, { handler })
        const client = await endpoint.connect()
        expect(await endpoint.send(delivery(), client)).toMatchObject({ status: 500, handlerRan: 1 })
        await endpoint.accepts(delivery(), client)
      },
    )
  })

  describe('a dispatcher', () => {
    it('makes the adapter the whole endpoint', async () => {
      const paid = vi.fn()
      const dispatcher = createDispatcher().on('transaction.purchase.successful', paid)
      const endpoint = await serve(host, { options: { dispatcher } })
      const client = await endpoint.connect()
      const webhook = await endpoint.accepts(delivery(), client)
      expect(paid).toHaveBeenCalledOnce()
      expect(paid.mock.lastCall).toMatchObject([{ payload: webhook.event.payload }])
      await endpoint.accepts(delivery({ body: intent }), client)
      expect(paid).toHaveBeenCalledOnce()
    })

    it('is awaited before the answer', async () => {
      const steps: string[] = []
      const dispatcher = createDispatcher().on('*', async () => {
        await new Promise(setImmediate)
        steps.push('handled')
      })
      const endpoint = await serve(host, { options: { dispatcher } })
      await endpoint.accepts(delivery())
      expect(steps).toEqual(['handled'])
    })

    it.each(failing)(
      'with a handler that %s is answered with 500, so that the sender retries',
      async (_how, fail) => {
        const paid = vi.fn<() => unknown>().mockImplementationOnce(fail)
        const dispatcher = createDispatcher().on('transaction.*', paid)
        const endpoint = await serve(host, { options: { dispatcher } })
        const client = await endpoint.connect()
        expect(await endpoint.send(delivery(), client)).toMatchObject({ status: 500, handlerRan: 1 })
        await endpoint.accepts(delivery(), client)
      },
    )

    it.each([
      ['of an unknown type', '{"type":"payout.sent"}'],
      ['that is not an event', '[]'],
    ])('acknowledges a valid delivery %s', async (_what, body) => {
      const dispatcher = createDispatcher().on('*', () => {
        throw new Error('not for this one')
      })
      const endpoint = await serve(host, { options: { dispatcher } })
      await endpoint.accepts(deliveryOf(body))
    })

    it('is not called for a refused delivery', async () => {
      const dispatcher = { dispatch: vi.fn<() => Promise<void>>() }
      const endpoint = await serve(host, { options: { dispatcher } })
      await endpoint.refuses(deliverySigned(), 'ERR_SIGNATURE_MISSING')
      await endpoint.refuses(deliveryOf('no JSON'), 'ERR_BODY_NOT_JSON')
      expect(dispatcher.dispatch).not.toHaveBeenCalled()
    })
  })
}
