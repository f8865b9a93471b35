import { createVerifier, type ReplayStore } from '@service-signature/core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Host, Setup } from '../host.js'
import { lacks } from '../support/ability.js'
import {
  apiKey,
  delivery,
  deliverySigned,
  intent,
  now,
  secret,
  sign,
  timestamp,
  transaction,
} from '../support/deliveries.js'
import { serve, type Endpoint } from '../support/endpoint.js'
import { listenToReports } from '../support/reports.js'
import { watched, type StoreKind, type StoreSupply } from '../support/stores.js'

type Work = () => unknown

/** Where the work runs that decides whether a delivery was handled. */
const PLACES: readonly { readonly place: string; readonly setup: (work: Work) => Partial<Setup> }[] = [
  { place: 'a handler', setup: (work) => ({ handler: work }) },
  {
    place: 'a dispatcher',
    setup: (work) => ({
      options: {
        dispatcher: {
          async dispatch() {
            await work()
          },
        },
      },
    }),
  },
]

/** The results of a delivery that is sent again. */
export function replays(host: Host, kind: StoreKind): void {
  let supply: StoreSupply
  beforeAll(async () => {
    supply = await kind.start()
  })
  afterAll(() => supply.stop())

  describe.each(PLACES)('with $place, a delivery', ({ setup }) => {
    /** An endpoint with the store. `ended` resolves when the store has recorded the end of this many deliveries. */
    async function start(
      work: Work = () => undefined,
      options: Setup['options'] = {},
    ): Promise<{
      endpoint: Endpoint
      ended: (count: number) => Promise<void>
      endLeases: () => unknown
    }> {
      const opened = supply.open()
      const { store, ended } = watched(opened)
      const place = setup(work)
      const endpoint = await serve(host, {
        ...place,
        options: { replay: store, ...place.options, ...options },
      })
      return { endpoint, ended, endLeases: opened.endLeases }
    }

    it('is handled once, and acknowledged each time', async () => {
      const { endpoint, ended } = await start()
      const client = await endpoint.connect()
      await endpoint.accepts(delivery(), client)
      await ended(1)
      await endpoint.acknowledges(delivery(), client)
      await endpoint.acknowledges(delivery())
      await endpoint.accepts(delivery({ body: intent }), client)
      await ended(2)
      await endpoint.acknowledges(delivery({ body: intent }))
    })

    it('is a duplicate if only its time of signing differs', async () => {
      const { endpoint, ended } = await start()
      await endpoint.accepts(delivery())
      await ended(1)
      const { body } = delivery()
      await endpoint.acknowledges(delivery({ signature: [sign(body, { timestamp: timestamp - 60 })] }))
    })

    it.each([['v1'], ['v2'], ['v1', 'v2']] as const)(
      'is handled once in all variants that %s accepts, wherever they have spaces',
      async (...versions) => {
        const { endpoint, ended } = await start(undefined, { secret, apiKey, now, versions })
        const signature = [sign(transaction, { versions: ['v1', 'v2'] })]
        const type = 'transaction.purchase.successful'
        const text = transaction.toString()
        const variants = Array.from(type, (_, i) =>
          text.replace(type, `${type.slice(0, i)} ${type.slice(i)}`),
        )
        variants.push(
          text.replace('"type"', '"ty pe"'),
          text.replace('{', '{ '),
          text.replace('"int_', '"int _'),
        )
        await endpoint.accepts(delivery({ signature }))
        await ended(1)
        const client = await endpoint.connect()
        for (const variant of variants) {
          void client.send(delivery({ body: Buffer.from(variant), signature }))
          expect((await client.answer()).status).toBeLessThan(300)
          // A handler may answer before the store has recorded the end; until then the next variant is one in progress.
          await ended(endpoint.handled.length)
        }
        // One more, for all those that are not recognized, which no pattern of a dispatcher matches.
        expect(endpoint.handled.map(({ event }) => event.shape)).toEqual(['transaction', 'unrecognized'])
        endpoint.wentPast(variants.length - 1)
      },
    )

    it('that was handled does not let unsigned copies of it pass', async () => {
      const { endpoint, ended } = await start()
      await endpoint.accepts(delivery())
      await ended(1)
      await endpoint.refuses(deliverySigned(), 'ERR_SIGNATURE_MISSING')
      await endpoint.refuses(deliverySigned(`t=${timestamp},v3=${'0'.repeat(64)}`), 'ERR_SIGNATURE_MISMATCH')
    })

    it('that failed is handled when it is retried', async () => {
      const work = vi.fn<Work>().mockRejectedValueOnce(new Error('the handler failed'))
      const { endpoint, ended } = await start(work)
      expect(await endpoint.send(delivery())).toMatchObject({ status: 500, handlerRan: 1 })
      await ended(1)
      await endpoint.accepts(delivery())
      await ended(2)
      await endpoint.acknowledges(delivery())
    })

    it('with an empty replay key is an error of the server, not of the sender', async () => {
      const { endpoint } = await start(undefined, { replayKey: () => '' })
      const client = await endpoint.connect()
      await client.send(delivery())
      expect((await client.answer()).status).toBe(500)
      expect(endpoint.handled).toEqual([])
      expect(endpoint.rejected).toEqual([])
      endpoint.wentPast(1)
    })

    it('that is being handled is refused with a Retry-After', async () => {
      let finish!: () => void
      const { endpoint, ended } = await start(() => new Promise<void>((resolve) => (finish = resolve)))
      const client = await endpoint.connect()
      await client.send(delivery())
      await endpoint.until(1, 'handled')
      const { status, headers } = await endpoint.refuses(delivery(), 'ERR_DELIVERY_IN_PROGRESS')
      expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 409, retryAfter: '10' })
      finish()
      expect((await client.answer()).status).toBeLessThan(300)
      await ended(1)
      await endpoint.acknowledges(delivery())
    })

    it('sent many times at once is handled once', async () => {
      const { endpoint, ended } = await start(() => new Promise(setImmediate))
      const clients = await Promise.all(Array.from({ length: 20 }, () => endpoint.connect()))
      for (const client of clients) void client.send(delivery())
      const answers = await Promise.all(clients.map((client) => client.answer()))
      await ended(1)
      expect(endpoint.handled).toHaveLength(1)
      const refused = answers.filter(({ status }) => status === 409)
      expect(endpoint.codes).toEqual(refused.map(() => 'ERR_DELIVERY_IN_PROGRESS'))
      endpoint.wentPast(answers.length - 1 - refused.length)
      await endpoint.acknowledges(delivery())
    })

    describe.skipIf(lacks(host, 'streaming'))('whose sender hangs up while it is handled', () => {
      /** Resolves when the work has begun, the sender is gone, and retries are answered with 409. */
      async function hangUp(endpoint: Endpoint): Promise<void> {
        const client = await endpoint.connect()
        await client.send(delivery())
        await endpoint.until(1, 'handled')
        await client.leave()
        // Several, so that the host has seen by now that the sender is gone.
        for (let retry = 0; retry < 3; retry++) {
          await endpoint.refuses(delivery(), 'ERR_DELIVERY_IN_PROGRESS')
        }
      }

      it('is answered with 409 until the work is done, and then acknowledged', async () => {
        let finish!: () => void
        const { endpoint, ended } = await start(() => new Promise<void>((resolve) => (finish = resolve)))
        await hangUp(endpoint)
        finish()
        await ended(1)
        await endpoint.acknowledges(delivery())
        expect(endpoint.handled).toHaveLength(1)
      })

      it('is handled again once the work has failed', async () => {
        let fail!: (error: Error) => void
        const work = vi.fn<Work>()
        work.mockReturnValueOnce(new Promise((_resolve, reject) => (fail = reject)))
        const { endpoint, ended } = await start(work)
        await hangUp(endpoint)
        fail(new Error('the handler failed'))
        await ended(1)
        await endpoint.accepts(delivery())
        await ended(2)
        await endpoint.acknowledges(delivery())
      })

      it('is handled again after the lease, if the work never ends', async () => {
        const work = vi.fn<Work>().mockReturnValueOnce(new Promise(() => undefined))
        const { endpoint, ended, endLeases } = await start(work)
        await hangUp(endpoint)
        await endLeases()
        await endpoint.accepts(delivery())
        await ended(1)
        await endpoint.acknowledges(delivery())
      })
    })

    it.each([['v1'], ['v2']] as const)(
      'is handled after a variant of it with a space in a key, which %s does not protect',
      async (version) => {
        const body = Buffer.from(transaction.toString().replace('"type"', '"ty pe"'))
        const options = { secret, apiKey, versions: [version] }
        const { endpoint, ended } = await start(undefined, options)
        const signature = [sign(transaction, options)]
        expect((await endpoint.accepts(delivery({ body, signature }))).event.shape).toBe('unrecognized')
        await ended(1)
        await endpoint.accepts(delivery({ signature }))
        await ended(2)
        await endpoint.acknowledges(delivery({ signature }))
      },
    )

    it('is identified by the replayKey of the operator', async () => {
      const { endpoint, ended } = await start(undefined, {
        replayKey: ({ event }) => event.type.split('.')[0]!,
      })
      await endpoint.accepts(delivery())
      await ended(1)
      const another = Buffer.from(transaction.toString().replace('purchase.successful', 'refund.successful'))
      await endpoint.acknowledges(delivery({ body: another }))
      await endpoint.accepts(delivery({ body: intent }))
    })
  })

  it.each([301, 302, 304, 399, 404, 500])('a delivery answered with %i is handled again', async (status) => {
    const { store: replay, ended } = watched(supply.open())
    const answers = vi.fn(() => 200).mockReturnValueOnce(status)
    const endpoint = await serve(host, { options: { replay }, status: answers })
    expect(await endpoint.send(delivery())).toMatchObject({ status, handlerRan: 1 })
    await ended(1)
    await endpoint.accepts(delivery())
    await ended(2)
    await endpoint.acknowledges(delivery())
  })

  it.each([201, 202, 204])('a delivery answered with %i is not handled again', async (status) => {
    const { store: replay, ended } = watched(supply.open())
    const endpoint = await serve(host, { options: { replay }, status: () => status })
    expect(await endpoint.send(delivery())).toMatchObject({ status, handlerRan: 1 })
    await ended(1)
    await endpoint.acknowledges(delivery())
  })

  it('a retried delivery is reported as a duplicate', async () => {
    const reports = listenToReports()
    const { store: replay, ended } = watched(supply.open())
    const endpoint = await serve(host, { options: { replay } })
    await endpoint.accepts(delivery())
    await ended(1)
    await endpoint.acknowledges(delivery())
    await endpoint.refuses(deliverySigned(), 'ERR_SIGNATURE_MISSING')
    expect(reports.map(({ outcome }) => outcome)).toEqual(['handled', 'duplicate', 'refused'])
  })

  it.each(['with the store in the verifier', 'with the store next to it'])(
    'an existing verifier can be passed, %s',
    async (which) => {
      const { store: replay, ended } = watched(supply.open())
      const options =
        which === 'with the memory in the verifier'
          ? { verifier: createVerifier({ secret, now, replay }) }
          : { verifier: createVerifier({ secret, now }), replay }
      const endpoint = await serve(host, { options })
      await endpoint.accepts(delivery())
      await ended(1)
      await endpoint.acknowledges(delivery())
    },
  )
}

/** The results of deliveries while the store is down. */
export function storeFailures(host: Host): void {
  const down = () => Promise.reject(new Error('connection lost'))
  const storeWith = (failing: Partial<ReplayStore>): ReplayStore => ({
    claim: () => ({ status: 'new', token: 'mine' }),
    commit: () => undefined,
    release: () => undefined,
    ...failing,
  })

  /** The warnings that the operator gets. */
  function warnings() {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    onTestFinished(() => {
      warn.mockRestore()
    })
    return warn.mock.calls
  }

  describe.each(PLACES)('with $place, a store that is down', ({ setup }) => {
    const start = (options: Setup['options'], work: Work = () => undefined) => {
      const place = setup(work)
      return serve(host, { ...place, options: { ...place.options, ...options } })
    }

    it('answers so that the sender retries', async () => {
      const endpoint = await start({ replay: storeWith({ claim: down }) })
      const { status, headers } = await endpoint.refuses(delivery(), 'ERR_REPLAY_STORE_UNAVAILABLE')
      expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '10' })
    })

    it('lets the delivery reach its handler with onStoreError "accept", and warns', async () => {
      const calls = warnings()
      const reports = listenToReports()
      const endpoint = await start({ replay: storeWith({ claim: down }), onStoreError: 'accept' })
      await endpoint.accepts(delivery())
      await endpoint.accepts(delivery())
      expect(calls).toHaveLength(1)
      expect(reports).toMatchObject(Array(2).fill({ outcome: 'handled', isUnprotected: true }))
      expect(calls[0]![0]).toContain('may be handled again')
    })

    it('does not change the answer after the delivery was handled, and warns', async () => {
      const calls = warnings()
      const endpoint = await start({ replay: storeWith({ commit: down }) })
      await endpoint.accepts(delivery())
      await expect.poll(() => calls.length).toBeGreaterThan(0)
      expect(calls[0]![0]).toContain('may be handled again')
    })

    it('leaves the answer to the host after the handler failed', async () => {
      warnings()
      const work = () => Promise.reject(new Error('the handler failed'))
      const endpoint = await start({ replay: storeWith({ release: down }) }, work)
      expect(await endpoint.send(delivery())).toMatchObject({ status: 500, handlerRan: 1 })
    })
  })
}
