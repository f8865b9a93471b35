import {
  createDispatcher,
  memoryReplayStore,
  type Dispatcher,
  type WebhookError,
} from '@service-signature/core'
import { describe, expect, it } from 'vitest'
import type { Host, Setup } from '../host.js'
import { deliveryOf, now, transaction } from '../support/deliveries.js'
import { serve } from '../support/endpoint.js'
import { listenToReports } from '../support/reports.js'

const PAYLOADS = {
  recognized: transaction.toString(),
  invalid: JSON.stringify({ ...(JSON.parse(transaction.toString()) as object), account: { id: true } }),
  unknown: '{"type":"payout.sent"}',
}

const ends = {
  handled: { status: 204, outcome: 'handled', hooks: ['onVerified'] },
  unhandled: { status: 204, outcome: 'unhandled', hooks: ['onVerified', 'onUnhandled'] },
  failed: { status: 500, outcome: 'failed', hooks: ['onVerified', 'onFailed'] },
  duplicate: { status: 200, outcome: 'duplicate', hooks: ['onDuplicate'] },
} as const

/** How the dispatch of each payload ends with the registered handlers, and which of them it calls. */
const TABLE: readonly [keyof typeof PAYLOADS, string, keyof typeof ends, string?][] = [
  ['recognized', 'matching', 'handled', 'matching'],
  ['recognized', '*', 'handled', '*'],
  ['recognized', 'otherwise', 'handled', 'otherwise'],
  ['recognized', 'matching, otherwise', 'handled', 'matching'],
  ['recognized', 'none', 'unhandled'],
  ['recognized', 'failing', 'failed', 'failing'],
  ['recognized', 'failing, otherwise', 'failed', 'failing'],
  ['invalid', 'matching', 'failed'],
  ['invalid', '*', 'failed'],
  ['invalid', 'otherwise', 'handled', 'otherwise'],
  ['invalid', 'matching, otherwise', 'handled', 'otherwise'],
  ['invalid', 'none', 'unhandled'],
  ['unknown', 'matching', 'handled', 'matching'],
  ['unknown', '*', 'unhandled'],
  ['unknown', 'otherwise', 'handled', 'otherwise'],
  ['unknown', '*, otherwise', 'handled', 'otherwise'],
  ['unknown', 'none', 'unhandled'],
]

const failure = new Error('the booking failed')

function dispatcherWith(handlers: string, onCall: (name: string) => unknown): Dispatcher {
  const dispatcher = createDispatcher()
  for (const name of handlers.split(', ')) {
    const handler = () => void onCall(name)
    if (name === 'matching') {
      dispatcher.on('transaction.purchase.successful', handler).on('payout.*', handler)
    }
    if (name === '*') dispatcher.on('*', handler)
    if (name === 'otherwise') dispatcher.otherwise(handler)
    if (name === 'failing') {
      dispatcher.on('transaction.*', () => {
        onCall(name)
        throw failure
      })
    }
  }
  return dispatcher
}

/** The result of a delivery that is dispatched, and of the same delivery when it is sent again. */
export function dispatching(host: Host): void {
  describe.each([
    ['without a replay store', false],
    ['with a replay store', true],
  ])('dispatched %s', (_name, hasReplay) => {
    it.each(TABLE)(
      'a payload that is %s, with the handlers %s, is %s',
      async (payload, handlers, end, called) => {
        const reports = listenToReports()
        const calls: string[] = []
        const hooks: string[] = []
        const errors: unknown[] = []
        const dispatcher = dispatcherWith(handlers, (name) => calls.push(name))
        const options: Setup['options'] = {
          dispatcher,
          ...(hasReplay && { replay: memoryReplayStore({ now }) }),
          onVerified: () => hooks.push('onVerified'),
          onDuplicate: () => hooks.push('onDuplicate'),
          onUnhandled: () => hooks.push('onUnhandled'),
          onRejected: () => hooks.push('onRejected'),
          onFailed: (error) => hooks.push('onFailed') && errors.push(error),
        }
        const endpoint = await serve(host, { options })
        const client = await endpoint.connect()
        const second = hasReplay && end !== 'failed' ? 'duplicate' : end
        for (const expected of [end, second]) {
          await client.send(deliveryOf(PAYLOADS[payload]))
          const { status } = await client.answer()
          const { outcome, code, eventType } = reports.at(-1)!
          expect({ status, outcome, hooks: hooks.splice(0), calls: calls.splice(0) }).toEqual({
            ...ends[expected],
            calls: called === undefined || expected === 'duplicate' ? [] : [called],
          })
          expect(eventType).toBe(payload === 'unknown' ? 'payout.sent' : 'transaction.purchase.successful')
          const isInvalid = payload === 'invalid' && expected === 'failed'
          expect(code).toBe(isInvalid ? 'ERR_EVENT_INVALID' : undefined)
          const [error] = errors.splice(0)
          if (isInvalid) expect((error as WebhookError).message).toContain('account.id must be a string')
          else expect(error).toBe(expected === 'failed' ? failure : undefined)
        }
        expect(reports).toHaveLength(2)
        if (second === 'duplicate') endpoint.wentPast(1)
      },
    )
  })
}
