import { createDispatcher, createVerifier, memoryReplayStore, WebhookError } from '@service-signature/core'
import type { RejectionContext } from '@service-signature/core/receiver'
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { tracingChannel } from 'node:diagnostics_channel'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Host, Setup } from '../host.js'
import { lacks } from '../support/ability.js'
import {
  apiKey,
  delivery,
  deliverySigned,
  now,
  secret,
  sign,
  timestamp,
  transaction,
} from '../support/deliveries.js'
import { Client } from '../support/client.js'
import { serve, type Endpoint } from '../support/endpoint.js'
import { listenToReports } from '../support/reports.js'
import { watched } from '../support/stores.js'

const forged = deliverySigned(sign(transaction, { secret: 'another_key' }))

const failingHooks = [
  [
    'throws',
    () => {
      throw new Error('the hook failed')
    },
  ],
  ['rejects', () => Promise.reject(new Error('the hook failed'))],
  ['throws an error whose stack cannot be read', throwBrokenStack],
] as const

function throwBrokenStack(): never {
  throw Object.defineProperty(new Error('the hook failed'), 'stack', {
    get() {
      throw new Error('the source map is broken')
    },
  })
}

/** The warnings of the process, which are not printed until the test ends. */
function watchWarnings() {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  onTestFinished(() => {
    warn.mockRestore()
  })
  return warn
}

export function observers(host: Host): void {
  describe('a hook', () => {
    it('is called with each verified delivery once, before it is handled', async () => {
      const seen: unknown[] = []
      const endpoint = await serve(host, {
        options: { onVerified: (webhook, { request }) => seen.push(webhook, typeof request) },
        handler: () => seen.push('handled'),
      })
      const webhook = await endpoint.accepts(delivery())
      expect(seen).toEqual([webhook, 'object', 'handled'])
      await endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')
      expect(seen).toHaveLength(3)
    })

    it('is called with the precise error of each refusal once', async () => {
      const onRejected = vi.fn<NonNullable<Setup['options']['onRejected']>>()
      const endpoint = await serve(host, { options: { onRejected } })
      await endpoint.accepts(delivery())
      expect(onRejected).not.toHaveBeenCalled()
      await endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')
      expect(onRejected).toHaveBeenCalledOnce()
      const [error, { request }] = onRejected.mock.lastCall!
      expect(WebhookError.is(error)).toBe(true)
      expect(request).toBeTypeOf('object')
    })

    it('gets the header and the body of a refusal, as explain needs them', async () => {
      const onRejected = vi.fn<NonNullable<Setup['options']['onRejected']>>()
      const endpoint = await serve(host, { options: { onRejected } })
      await endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')
      await endpoint.refuses(deliverySigned(), 'ERR_SIGNATURE_MISSING')
      const [[, mismatch], [, missing]] = onRejected.mock.calls as [unknown, RejectionContext<unknown>][] as [
        [unknown, RejectionContext<unknown>],
        [unknown, RejectionContext<unknown>],
      ]
      expect([mismatch.header].flat()).toEqual(forged.signature)
      expect(Buffer.from(mismatch.body!)).toEqual(transaction)
      expect(missing.header ?? undefined).toBeUndefined()
      expect(missing).not.toHaveProperty('body')
    })

    it('is called for a duplicate, and not onVerified a second time', async () => {
      const calls: unknown[] = []
      const endpoint = await serve(host, {
        options: {
          replay: memoryReplayStore({ now }),
          onVerified: ({ event }) => calls.push(['onVerified', event.type]),
          onDuplicate: ({ event }, { request }) => calls.push(['onDuplicate', event.type, typeof request]),
        },
      })
      await endpoint.accepts(delivery())
      await endpoint.acknowledges(delivery())
      const type = 'transaction.purchase.successful'
      expect(calls).toEqual([
        ['onVerified', type],
        ['onDuplicate', type, 'object'],
      ])
    })

    it('gets the same error that a handler of the dispatcher throws', async () => {
      const failure = new Error('the booking failed')
      const onFailed = vi.fn()
      const dispatcher = { dispatch: () => Promise.reject(failure) }
      const endpoint = await serve(host, { options: { dispatcher, onFailed } })
      expect((await endpoint.send(delivery())).status).toBeGreaterThanOrEqual(500)
      expect(onFailed.mock.calls).toEqual([[failure, expect.anything(), expect.anything()]])
    })

    it.each(failingHooks)(
      'that %s does not change the response, and the operator is warned',
      async (_how, fail) => {
        const warn = watchWarnings()
        for (const [name, send] of [
          ['onVerified', (endpoint) => endpoint.accepts(delivery())],
          ['onRejected', (endpoint) => endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')],
        ] as const satisfies readonly (readonly [string, (endpoint: Endpoint) => Promise<unknown>])[]) {
          warn.mockClear()
          const endpoint = await serve(host, { options: { [name]: fail } })
          await send(endpoint)
          await send(endpoint)
          expect(warn).toHaveBeenCalledOnce()
          expect(warn.mock.lastCall![0]).toContain(name)
        }
      },
    )
  })

  it('a refusal without onRejected is a warning with the precise error, once for each code', async () => {
    const warn = watchWarnings()
    const handler = vi.fn()
    // Not by `serve`, which sets the hook.
    const running = await host.start({ options: { secret, now }, handler })
    const client = await Client.connect(running.port, () => undefined)
    for (const request of [forged, deliverySigned(), forged, deliverySigned()]) {
      await client.send(request)
      expect(await client.answer()).toMatchObject({ status: 401 })
    }
    await client.leave()
    await running.close()
    expect(handler).not.toHaveBeenCalled()
    expect(warn.mock.calls).toEqual([
      [
        expect.stringContaining('ERR_SIGNATURE_MISMATCH: The signature does not match the body'),
        { type: 'ServiceSignatureWarning', detail: expect.stringContaining('"onRejected"') as string },
      ],
      [
        expect.stringContaining('ERR_SIGNATURE_MISSING: The request has no Service-Signature header'),
        expect.anything(),
      ],
    ])
    const printed = JSON.stringify(warn.mock.calls)
    for (const word of [secret, 'Jane', ...forged.signature[0]!.match(/[0-9a-f]{64}/g)!]) {
      expect(printed).not.toContain(word)
    }
  })

  it('a refusal with onRejected causes no warning', async () => {
    const warn = watchWarnings()
    const endpoint = await serve(host)
    await endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')
    expect(warn).not.toHaveBeenCalled()
  })

  it('an event that nothing handles is a warning, once for each type, unless the operator asked for it', async () => {
    const warn = watchWarnings()
    const other = (type: string) => delivery({ body: Buffer.from(JSON.stringify({ type })) })
    const silent = createDispatcher().on('intent.*', () => undefined)
    const endpoint = await serve(host, { options: { dispatcher: silent } })
    for (const request of [
      delivery(),
      delivery(),
      other('card_token.created'),
      other('card_token.created'),
    ]) {
      await endpoint.accepts(request)
    }
    const warned = warn.mock.calls.map(([message]) => String(message))
    expect(warned).toHaveLength(2)
    expect(warned[0]).toContain('"transaction.purchase.successful"')
    expect(warned[1]).toContain('"card_token.created"')

    warn.mockClear()
    const asked = await serve(host, { options: { dispatcher: silent, onUnhandled: () => undefined } })
    await asked.accepts(delivery())
    const others = createDispatcher().otherwise(() => undefined)
    const caught = await serve(host, { options: { dispatcher: others } })
    await caught.accepts(delivery())
    expect(warn).not.toHaveBeenCalled()
  })

  describe('the tracing channel', () => {
    it.skipIf(lacks(host, 'tracing the next handler'))(
      'has a store that the handler can read, and the facts that are known before it runs',
      async () => {
        const storage = new AsyncLocalStorage<unknown>()
        const { start } = tracingChannel('service-signature')
        start.bindStore(storage, (message) => message)
        onTestFinished(() => void start.unbindStore(storage))
        const seen: unknown[] = []
        const endpoint = await serve(host, {
          options: { name: 'payments' },
          handler: async () => {
            await new Promise(setImmediate)
            seen.push(storage.getStore())
          },
        })
        await endpoint.accepts(delivery())
        expect(seen).toMatchObject([{ endpoint: 'payments', eventType: 'transaction.purchase.successful' }])
      },
    )

    it('has a store that a handler of the dispatcher can read', async () => {
      const storage = new AsyncLocalStorage<unknown>()
      const { start } = tracingChannel('service-signature')
      start.bindStore(storage, (message) => message)
      onTestFinished(() => void start.unbindStore(storage))
      const seen: unknown[] = []
      const dispatcher = createDispatcher().on('*', async () => {
        await new Promise(setImmediate)
        seen.push(storage.getStore())
      })
      const endpoint = await serve(host, { options: { dispatcher } })
      await endpoint.accepts(delivery())
      expect(seen).toMatchObject([
        { eventType: 'transaction.purchase.successful', bodyBytes: transaction.length },
      ])
    })
  })

  describe('the diagnostics channel', () => {
    const eventType = 'transaction.purchase.successful'
    const durationMs = expect.any(Number) as number
    const keyFingerprint = `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`
    const ofValid = {
      eventType,
      versions: ['v3'],
      keyFingerprint,
      ageSeconds: 0,
      bodyBytes: transaction.length,
      durationMs,
    }

    it('reports a delivery that the next handler answered', async () => {
      const reports = listenToReports()
      const endpoint = await serve(host)
      await endpoint.accepts(deliverySigned(sign(transaction, { timestamp: timestamp - 2 })))
      await expect.poll(() => reports).toHaveLength(1)
      const status = expect.toSatisfy((value: number) => value >= 200 && value < 300) as number
      expect(reports).toEqual([{ ...ofValid, outcome: 'handled', status, ageSeconds: 2 }])
    })

    it.each([
      ['handled', 204, () => Promise.resolve('handled' as const)],
      ['unhandled', 204, () => Promise.resolve('unhandled' as const)],
      ['failed', 500, () => Promise.reject(new Error('the booking failed'))],
    ] as const)('reports a dispatched delivery as %s', async (outcome, status, dispatch) => {
      const reports = listenToReports()
      const endpoint = await serve(host, { options: { dispatcher: { dispatch } } })
      await endpoint.send(delivery())
      expect(reports).toEqual([{ ...ofValid, outcome, status }])
    })

    it.each(['ERR_REPLAY_STORE_UNAVAILABLE', 'ERR_SIGNATURE_MISMATCH'] as const)(
      'reports the status that the caller got, where a handler failed with %s',
      async (code) => {
        const reports = listenToReports()
        const dispatch = () => Promise.reject(new WebhookError(code))
        const endpoint = await serve(host, { options: { dispatcher: { dispatch } } })
        const { status } = await endpoint.send(delivery())
        await expect.poll(() => reports).toHaveLength(1)
        expect(reports).toEqual([{ ...ofValid, outcome: 'failed', status, code }])
      },
    )

    it('has the name of the endpoint in each report', async () => {
      const reports = listenToReports()
      const endpoint = await serve(host, { options: { name: 'payments', dispatcher: createDispatcher() } })
      await endpoint.accepts(delivery())
      await endpoint.refuses(deliverySigned(), 'ERR_SIGNATURE_MISSING')
      expect(reports.map((report) => report.endpoint)).toEqual(['payments', 'payments'])
    })

    it('reports a duplicate', async () => {
      const endpoint = await serve(host, {
        options: { replay: memoryReplayStore({ now }), dispatcher: createDispatcher().on('*', () => 1) },
      })
      await endpoint.send(delivery())
      const reports = listenToReports()
      await endpoint.acknowledges(delivery())
      expect(reports).toEqual([{ ...ofValid, outcome: 'duplicate', status: 200 }])
    })

    it.skipIf(lacks(host, 'streaming'))(
      'reports a delivery as abandoned if its handler has not answered within the lease after the sender left',
      async () => {
        const reports = listenToReports()
        let finish!: () => void
        const { store, ended } = watched(memoryReplayStore({ now }))
        const endpoint = await serve(host, {
          options: { replay: { ...store, leaseSeconds: 0.02 } },
          handler: () => new Promise<void>((resolve) => (finish = resolve)),
        })
        const client = await endpoint.connect()
        await client.send(delivery())
        await endpoint.until(1, 'handled')
        await client.leave()
        await expect.poll(() => reports).toHaveLength(1)
        expect(reports).toEqual([{ ...ofValid, outcome: 'abandoned' }])
        // The handler still decides whether a retry is handled, without a second report.
        finish()
        await ended(1)
        await endpoint.acknowledges(delivery())
        expect(reports.map(({ outcome }) => outcome)).toEqual(['abandoned', 'duplicate'])
      },
    )

    it('reports each refused delivery, and why', async () => {
      const reports = listenToReports()
      const endpoint = await serve(host)
      await endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')
      await endpoint.refuses(deliverySigned(), 'ERR_SIGNATURE_MISSING')
      expect(reports).toEqual([
        {
          outcome: 'refused',
          status: 401,
          code: 'ERR_SIGNATURE_MISMATCH',
          ageSeconds: 0,
          bodyBytes: transaction.length,
          durationMs,
        },
        { outcome: 'refused', status: 401, code: 'ERR_SIGNATURE_MISSING', durationMs },
      ])
    })

    it('contains nothing sensitive', async () => {
      const reports = listenToReports()
      const versions = ['v1', 'v3'] as const
      const endpoint = await serve(host, { options: { secret, apiKey, versions } })
      const signature = sign(transaction, { versions })
      await endpoint.accepts(deliverySigned(signature))
      await endpoint.refuses(
        delivery({ signature: [signature.replace(/.$/, '!')] }),
        'ERR_SIGNATURE_MALFORMED',
      )
      const text = JSON.stringify(reports)
      for (const word of [secret, apiKey, ...signature.match(/[0-9a-f]{64}/g)!, 'Jane', 'int_']) {
        expect(text).not.toContain(word)
      }
    })
  })

  it('a verifier can be shared by two endpoints', async () => {
    const verifier = createVerifier({ secret, now })
    for (const endpoint of [
      await serve(host, { options: { verifier } }),
      await serve(host, { options: { verifier, bodyLimit: transaction.length } }),
    ]) {
      await endpoint.accepts(delivery())
      await endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')
    }
  })
}
