import {
  createDispatcher,
  WebhookError,
  type VerifiedWebhook,
  type WebhookErrorCode,
} from '@service-signature/core'
import { describe, expect, it, vi } from 'vitest'
import type { Host } from '../host.js'
import { lacks } from '../support/ability.js'
import { delivery, deliveryOf, deliverySigned, intent } from '../support/deliveries.js'
import { serve } from '../support/endpoint.js'
import { listenToReports } from '../support/reports.js'
import type { Answer } from '../support/wire.js'

const failing = [
  [
    'throws',
    () => {
      throw new Error('the handler failed')
    },
  ],
  ['rejects', () => Promise.reject(new Error('the handler failed'))],
] as const

/**
 * The codes that a handler may throw, their status, and how they are answered: a handler may ask for a retry, as an inbox does,
 * but it refuses nothing.
 */
const THROWN: readonly (readonly [WebhookErrorCode, number, number])[] = [
  ['ERR_SIGNATURE_MISMATCH', 401, 500],
  ['ERR_SIGNATURE_MALFORMED', 400, 500],
  ['ERR_SECRET_UNKNOWN', 401, 500],
  ['ERR_ACCOUNT_UNEXPECTED', 403, 500],
  ['ERR_DELIVERY_REFUSED', 401, 500],
  ['ERR_BODY_TOO_LARGE', 413, 500],
  ['ERR_BODY_ENCODED', 415, 500],
  ['ERR_BODY_INCOMPLETE', 400, 500],
  ['ERR_BODY_CONSUMED', 500, 500],
  ['ERR_BODY_TIMEOUT', 408, 500],
  ['ERR_BODY_NOT_JSON', 400, 500],
  ['ERR_EVENT_INVALID', 500, 500],
  ['ERR_SECRET_UNAVAILABLE', 503, 503],
  ['ERR_REPLAY_STORE_UNAVAILABLE', 503, 503],
  ['ERR_DELIVERY_IN_PROGRESS', 409, 409],
]

function expectFailure({ status, headers }: Answer, expected: number): void {
  expect({
    status,
    retryAfter: headers['retry-after'],
    challenge: headers['www-authenticate'],
  }).toEqual({
    status: expected,
    retryAfter: [409, 503].includes(expected) ? '10' : undefined,
    challenge: expected === 401 ? 'Service-Signature' : undefined,
  })
}

export function handlers(host: Host): void {
  describe('the handler', () => {
    const isSeen = !lacks(host, 'errors of the next handler')
    const thrown = THROWN.map(([code, own, status]) => [code, isSeen ? status : own] as const)
    it.each(thrown)('that throws %s is answered with %i', async (code, status) => {
      const reports = listenToReports()
      const endpoint = await serve(host, { handler: () => Promise.reject(new WebhookError(code)) })
      expectFailure(await endpoint.send(delivery()), status)
      await expect.poll(() => reports).toMatchObject([{ outcome: 'failed', status, ...(isSeen && { code }) }])
    })

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

    it.each(THROWN)('with a handler that throws %s (%i) is answered with %i', async (code, _own, status) => {
      const reports = listenToReports()
      const failure = new WebhookError(code)
      const onFailed = vi.fn()
      const dispatcher = createDispatcher().on('*', () => Promise.reject(failure))
      const endpoint = await serve(host, { options: { dispatcher, onFailed } })
      expectFailure(await endpoint.send(delivery()), status)
      expect(onFailed.mock.calls).toEqual([[failure, expect.anything(), expect.anything()]])
      expect(onFailed.mock.lastCall![0]).toBe(failure)
      await expect.poll(() => reports).toMatchObject([{ outcome: 'failed', status, code }])
    })

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
