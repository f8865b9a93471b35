import { memoryReplayStore, type WebhookErrorCode } from '@service-signature/core'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { describe, expect, it, vi } from 'vitest'
import type { Host, Setup } from '../host.js'
import { apiKey, delivery, now, secret, sign, type Request } from '../support/deliveries.js'
import { serve } from '../support/endpoint.js'
import { listenToReports } from '../support/reports.js'

type Expect = Setup['options']['expect']

/** All are signed with the one secret of the organization. */
const transactionOf = (account: string) => requestOf(transactionEvent({ account: { id: account } }))
const intentOf = (account: string, is_live: boolean) =>
  requestOf(intentEvent({ data: { intent: { account, is_live } } }))

/** Of a family that is not known. */
const payoutOf = (parts: object) => requestOf({ type: 'payout.sent', ...parts })

function requestOf(payload: object): Request {
  const body = Buffer.from(JSON.stringify(payload))
  return delivery({ body, signature: [sign(body, { versions: ['v1', 'v2', 'v3'] })] })
}

const berlin = { account: 'acc_berlin', live: true, transactionMode: 'unknown' } as const

const FORMS: readonly (readonly [form: string, option: Expect])[] = [
  ['an object', berlin],
  ['a function of the request', ({ request }) => (request === undefined ? { account: 'none' } : berlin)],
  ['an asynchronous function', () => Promise.resolve(berlin)],
]

const OTHERS: readonly (readonly [what: string, request: Request, code: WebhookErrorCode])[] = [
  ['a transaction of another account', transactionOf('acc_madrid'), 'ERR_ACCOUNT_UNEXPECTED'],
  ['an intent of another account', intentOf('acc_madrid', true), 'ERR_ACCOUNT_UNEXPECTED'],
  ['an intent of test mode', intentOf('acc_berlin', false), 'ERR_MODE_UNEXPECTED'],
  ['an unrecognized event without an account', payoutOf({}), 'ERR_ACCOUNT_UNEXPECTED'],
  ['one of another account', payoutOf({ account: { id: 'acc_madrid' } }), 'ERR_ACCOUNT_UNEXPECTED'],
  [
    'one of an intent of test mode',
    payoutOf({ data: { intent: { account: 'acc_berlin', is_live: false } } }),
    'ERR_MODE_UNEXPECTED',
  ],
]

/** Whose deliveries an endpoint accepts: a valid signature does not say. */
export function expectations(host: Host): void {
  describe.each(FORMS)('with expect as %s', (_form, option) => {
    it('accepts the deliveries of its account and mode', async () => {
      const endpoint = await serve(host, { options: { secret, now, expect: option } })
      await endpoint.accepts(transactionOf('acc_berlin'))
      await endpoint.accepts(intentOf('acc_berlin', true))
      await endpoint.accepts(payoutOf({ account: { id: 'acc_berlin' } }))
      await endpoint.accepts(payoutOf({ data: { intent: { account: 'acc_berlin', is_live: true } } }))
    })

    it('refuses all others, with one answer, before they are claimed', async () => {
      const store = memoryReplayStore({ now })
      const claim = vi.spyOn(store, 'claim')
      const endpoint = await serve(host, { options: { secret, now, expect: option, replay: store } })
      const reports = listenToReports()
      const answers = new Set<string>()
      for (const [what, request, code] of OTHERS) {
        const outcome = await endpoint.refuses(request, code)
        expect(outcome, what).toMatchObject({ handlerRan: 0, status: 403 })
        answers.add(outcome.body)
      }
      expect(answers.size).toBe(1)
      expect(claim).not.toHaveBeenCalled()
      expect(reports.map(({ outcome, status }) => [outcome, status])).toEqual(
        OTHERS.map(() => ['refused', 403]),
      )
    })
  })

  it('refuses a delivery of another account before the dispatcher gets it', async () => {
    const dispatch = vi.fn(() => Promise.resolve())
    const options = { secret, now, expect: { account: 'acc_berlin' }, dispatcher: { dispatch } }
    const endpoint = await serve(host, { options })
    await endpoint.refuses(transactionOf('acc_madrid'), 'ERR_ACCOUNT_UNEXPECTED')
    expect(dispatch).not.toHaveBeenCalled()
    await endpoint.accepts(transactionOf('acc_berlin'))
    expect(dispatch).toHaveBeenCalledOnce()
  })

  it('takes v1 as the proof of account and mode where the event does not say them', async () => {
    const options = { secret, apiKey, now, versions: ['v3', 'v1'], expect: { live: true } } as const
    const endpoint = await serve(host, { options })
    await endpoint.accepts(transactionOf('acc_berlin'))
    await endpoint.accepts(payoutOf({}))
    await endpoint.refuses(intentOf('acc_berlin', false), 'ERR_MODE_UNEXPECTED')
    const body = Buffer.from(JSON.stringify(transactionEvent()))
    const otherAccount = sign(body, { versions: ['v1', 'v3'], apiKey: 'key_of_madrid' })
    await endpoint.refuses(delivery({ body, signature: [otherAccount] }), 'ERR_SIGNATURE_MISMATCH')
  })

  it('takes v1 with one of several API keys as the proof only if all are of the account', async () => {
    const keys = { secret, apiKey: ['key_of_madrid', apiKey], now, versions: ['v3', 'v1'] } as const
    const account = 'acc_berlin'
    const endpoint = await serve(host, { options: { ...keys, expect: { account } } })
    await endpoint.accepts(transactionOf(account))
    await endpoint.refuses(payoutOf({}), 'ERR_ACCOUNT_UNEXPECTED')
    const ours = await serve(host, { options: { ...keys, expect: { account, apiKeys: 'ours' } } })
    await ours.accepts(payoutOf({}))
  })

  it('answers 500 if the function returns nothing that can be compared', async () => {
    const several = { apiKey: ['key_of_test_mode', apiKey], versions: ['v3', 'v1'] } as const
    for (const [option, keys] of [
      [() => undefined, {}],
      [() => ({}), {}],
      [() => Promise.reject(new Error('no database')), {}],
      [() => ({ live: true }), {}],
      // One of the keys may be of the other mode.
      [() => ({ live: true }), several],
    ] as const) {
      const dispatch = vi.fn(() => Promise.resolve())
      const endpoint = await serve(host, {
        options: { secret, ...keys, now, expect: option as unknown as Expect, dispatcher: { dispatch } },
      })
      const client = await endpoint.connect()
      void client.send(transactionOf('acc_berlin'))
      // Lambda's invocation fails, which the gateway answers with 502.
      expect((await client.answer()).status).toBeGreaterThanOrEqual(500)
      endpoint.wentPast(1)
      expect(dispatch).not.toHaveBeenCalled()
    }
  })

  it('accepts the deliveries of every account and mode without it', async () => {
    const endpoint = await serve(host)
    for (const [, request] of OTHERS) await endpoint.accepts(request)
  })
}
