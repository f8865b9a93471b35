import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createDispatcher,
  memoryReplayStore,
  type ReplayClaim,
  type ReplayOptions,
  type ReplayStore,
  type VerifiedWebhook,
  type VerifierOptions,
  WebhookError,
} from '../../src/entries/index.js'
import { transactionEvent } from '../../src/entries/testing.js'
import { apiKey, hmac, known, now, plain, secret, timestamp, v3Message } from '../support/deliveries.js'
import { entries } from '../support/entries.js'
import { refusalOf } from '../support/refusal.js'

afterEach(() => {
  vi.useRealTimers()
})

function fakeTimeouts(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

/** Resolves when the verifier waits for the store. */
async function aTimeout(): Promise<void> {
  while (vi.getTimerCount() === 0) await new Promise(setImmediate)
}

const sha256 = (...parts: readonly (string | Uint8Array)[]) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
    .digest('hex')
/** SHA-256 of the key's SHA-256, the version, why it is not recognized (if so) and the signed text. */
const keyOf = (key: string, version: string, signed: string | Uint8Array, reason = '') =>
  sha256(`${sha256(key)}\n${version}\n${reason}\n`, signed)

// Found by trying.
const KEYS_OF_ONE_FINGERPRINT = ['collision_key_13768', 'collision_key_15090'] as const
const ONE_FINGERPRINT = 'sha256:b44a1dc3'

const keyOfKnown = keyOf(secret, 'v3', known.body, 'invalid-payload')
const other = { body: plain, header: `t=${timestamp},v3=${hmac(secret, v3Message(plain))}` }

// All bodies that a version accepts as one delivery: the signed one, and variants that an attacker can replay.
const event = JSON.stringify(transactionEvent({ transaction: { custom_message: 'Jane Doe' } }))
const v1Text = event.replace(/[ \n\r]/g, '')
const v2Text = sorted(JSON.parse(event)).replace(/[ \n\r]/g, '')
const v1 = `v1=${hmac(apiKey, v1Text + String(timestamp))}`
const v2 = `v2=${hmac(secret, v2Text + String(timestamp))}`
const purchase = 'transaction.purchase.successful'
const spaced = event.replace('Jane Doe', 'JaneDoe')
const SAME_TO = [
  {
    versions: ['v1'],
    header: v1,
    key: keyOf(apiKey, 'v1', v1Text),
    bodies: [event, spaced, event.replace('{', '{ \n'), event.replace('Jane Doe', 'J ane Doe')],
  },
  {
    versions: ['v2'],
    header: v2,
    key: keyOf(secret, 'v2', v2Text),
    bodies: [
      event,
      spaced,
      event.replace('{', '{"type":"another",'),
      JSON.stringify(JSON.parse(event), null, 4),
    ],
  },
  {
    versions: ['v1', 'v2'],
    header: `${v1},${v2}`,
    key: keyOf(secret, 'v2', v2Text),
    bodies: [event, spaced, event.replace('{', '{ \n')],
  },
] as const

/** The text that v2 signs, as in the specification. */
function sorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sorted(member)}`).join()}}`
}

type Step = 'claim' | 'commit' | 'release'

/** A store that records its calls, and returns the answers of the test. */
function storeWith(answers: Partial<Record<Step, () => unknown>> = {}) {
  const calls: unknown[] = []
  const step = (name: Step, otherwise?: unknown) =>
    vi.fn((...args: readonly string[]) => {
      calls.push([name, ...args])
      return answers[name] === undefined ? otherwise : answers[name]()
    })
  const store = {
    claim: step('claim', { status: 'new', token: 'mine' }),
    commit: step('commit'),
    release: step('release'),
  } as unknown as ReplayStore
  return { store, calls }
}

const down = () => Promise.reject(new Error('connection lost'))
const deaf = () => new Promise<never>(() => undefined)

describe.each(entries)('receive on $digest', ({ createVerifier, deliveryKey, verify, verifySignature }) => {
  const receiverWith = (replay: ReplayStore, options: Partial<ReplayOptions & VerifierOptions> = {}) => {
    const verifier = createVerifier({ secret, now, replay, ...options })
    const handler = vi.fn((): unknown => 'a result')
    return { handler, receive: () => verifier.receive(known.body, known.header, handler) }
  }

  it('handles a delivery once, and acknowledges it every time', async () => {
    const { handler, receive } = receiverWith(memoryReplayStore())
    const first = await receive()
    expect(first).toEqual({
      status: 200,
      outcome: 'handled',
      result: 'a result',
      webhook: await verify(known.body, known.header, { secret, now }),
    })
    expect(handler.mock.calls).toEqual([[first.webhook]])
    expect(await receive()).toEqual({ status: 200, outcome: 'duplicate', webhook: first.webhook })
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it.each(['a pool writes the next body into it', 'it is given to another thread'])(
    'works on a copy of a buffer that the caller reuses: %s',
    async (use) => {
      const handler = vi.fn(({ rawBody }: VerifiedWebhook) => Buffer.from(rawBody).toString())
      const sentTwice = createVerifier({ secret, now, replay: memoryReplayStore() })
      const results = []
      for (const { body, header } of [known, other, known]) {
        const buffer = new TextEncoder().encode(body)
        const received = sentTwice.receive(buffer, header, handler)
        if (use.startsWith('a pool')) buffer.fill(65)
        else structuredClone(buffer.buffer, { transfer: [buffer.buffer] })
        const { outcome, webhook } = await received
        results.push([outcome, Buffer.from(webhook.rawBody).toString()])
      }
      expect(results).toEqual([
        ['handled', known.body],
        ['handled', plain],
        ['duplicate', known.body],
      ])
      expect(handler.mock.results.map(({ value }) => value as string)).toEqual([known.body, plain])
    },
  )

  it('distinguishes deliveries', async () => {
    const verifier = createVerifier({ secret, now, replay: memoryReplayStore() })
    const handler = vi.fn()
    for (const { body, header } of [known, other, known, other]) await verifier.receive(body, header, handler)
    expect(handler).toHaveBeenCalledTimes(2)
  })

  it.each(SAME_TO)(
    'handles all variants that $versions accepts as one delivery only once: $bodies',
    async ({ versions, header, key, bodies }) => {
      const options = { secret, apiKey, versions, now }
      const verifier = createVerifier({ ...options, replay: memoryReplayStore() })
      const handler = vi.fn()
      const outcomes = []
      for (const body of bodies) {
        const { outcome, webhook } = await verifier.receive(body, `t=${timestamp},${header}`, handler)
        expect(webhook.event.shape).toBe('transaction')
        outcomes.push([outcome, await deliveryKey(webhook)])
      }
      expect(outcomes).toEqual([['handled', key], ...bodies.slice(1).map(() => ['duplicate', key])])
      expect(handler).toHaveBeenCalledTimes(1)
    },
  )

  const places = ['a handler', 'a dispatcher']
  const variants = [
    ['a key', event.replace('"type"', '"ty pe"')],
    ['another key', event.replace('"amount"', '"amo unt"')],
    ['the type', event.replace(purchase, 'transaction.purchase. successful')],
  ] as const
  const required = [['v1'], ['v2'], ['v1', 'v2']] as const
  it.each(
    places.flatMap((place) =>
      variants.flatMap(([where, variant]) =>
        required.map((versions) => ({ place, where, variant, versions })),
      ),
    ),
  )(
    'passes the original delivery to $place after a variant with a space in $where, under $versions',
    async ({ place, where, variant, versions }) => {
      const verifier = createVerifier({ secret, apiKey, versions, now, replay: memoryReplayStore() })
      const paid = vi.fn()
      const dispatcher = createDispatcher().on('transaction.purchase.successful', paid)
      const handler =
        place === 'a dispatcher'
          ? (webhook: VerifiedWebhook) => dispatcher.dispatch(webhook)
          : ({ event }: VerifiedWebhook) => {
              if (event.type === purchase) paid()
            }
      const header = `t=${timestamp},${v1},${v2}`
      const first = verifier.receive(variant, header, handler)
      // A handler waits for its type, so the dispatcher has the sender retry it.
      await (place === 'a dispatcher' && where === 'another key'
        ? expect(first).rejects.toMatchObject({ code: 'ERR_EVENT_INVALID' })
        : expect(first).resolves.toMatchObject({ outcome: 'handled' }))
      expect(paid).not.toHaveBeenCalled()
      expect(await verifier.receive(event, header, handler)).toMatchObject({ outcome: 'handled' })
      expect(paid).toHaveBeenCalledOnce()
      expect(await verifier.receive(event, header, handler)).toMatchObject({ outcome: 'duplicate' })
    },
  )

  it('gives a recognized and an unrecognized event of one signed text two keys, and no more', async () => {
    const verifier = createVerifier({ apiKey, versions: ['v1'], now })
    const keyOfBody = async (body: string) => deliveryKey(await verifier.verify(body, `t=${timestamp},${v1}`))
    const unrecognized = await keyOfBody(event.replace('"type"', '"ty pe"'))
    expect(await keyOfBody(event.replace('"type"', '"typ e"'))).toBe(unrecognized)
    expect(await keyOfBody(event)).not.toBe(unrecognized)
    expect(await keyOfBody(v1Text)).toBe(await keyOfBody(event))
  })

  // What is signed is the same for all of them: spaces and line feeds at every place of the text, in 1,000 ways.
  const spacedOut = Array.from({ length: 1000 }, (_, i) => {
    const at = i < 60 ? event.indexOf(purchase) + (i % purchase.length) : (i * 37) % event.length
    return event.slice(0, at) + (i % 10 === 0 ? '\n' : ' ').repeat(1 + (i % 3)) + event.slice(at)
  })
  it.each(required.flatMap((versions) => ['transaction.*', '*'].map((on) => ({ versions, on }))))(
    'handles 1,000 variants of one delivery under $versions once, with a handler for $on and two entries in the store',
    async ({ versions, on }) => {
      const claimed = new Set<string>()
      const memory = memoryReplayStore()
      const replay = {
        ...memory,
        claim(key: string) {
          claimed.add(key)
          return memory.claim(key)
        },
      }
      const verifier = createVerifier({ secret, apiKey, versions, now, replay })
      const paid = vi.fn()
      const dispatcher = createDispatcher().on(on as '*', paid)
      const header = `t=${timestamp},${v1},${v2}`
      for (const body of [...spacedOut, event, ...spacedOut]) {
        await verifier
          .receive(body, header, (webhook) => dispatcher.dispatch(webhook))
          // A space in a number leaves invalid JSON, and one in a key changes the order that v2 signs.
          .catch((error: unknown) => {
            if (!WebhookError.is(error)) throw error
          })
      }
      expect(paid).toHaveBeenCalledOnce()
      expect(claimed.size).toBe(2)
    },
  )

  it('handles a delivery once in all bodies that one signature of v2 covers, in whichever form', async () => {
    const verifier = createVerifier({ secret, versions: ['v2'], now, replay: memoryReplayStore() })
    const header = `t=${timestamp},v2=${hmac(secret, `{"n":50.5,"type":"any"}${timestamp}`)}`
    const outcomes = []
    for (const number of ['50.50', '50.5', '5.05e1']) {
      const body = `{"type":"any","n":${number}}`
      const { outcome, webhook } = await verifier.receive(body, header, () => undefined)
      outcomes.push([outcome, webhook.canonicalForm])
    }
    expect(outcomes).toEqual([
      ['handled', 'ecmascript'],
      ['duplicate', 'source'],
      ['duplicate', 'ecmascript'],
    ])
  })

  it.each([
    ['v3', 'secret'],
    ['v2', 'secret'],
    ['v1', 'apiKey'],
  ] as const)(
    'handles the same body once for each account of one endpoint, under %s',
    async (version, kind) => {
      const replay = memoryReplayStore()
      const t = String(timestamp)
      const signed = { v1: v1Text + t, v2: v2Text + t, v3: v3Message(event) }[version]
      const outcomes = []
      for (const account of ['key_of_berlin', 'key_of_madrid', 'key_of_berlin']) {
        const verifier = createVerifier({ [kind]: () => account, versions: [version], now, replay })
        const header = `t=${timestamp},${version}=${hmac(account, signed)}`
        const { outcome, webhook } = await verifier.receive(event, header, () => undefined)
        outcomes.push([outcome, webhook.keyFingerprint])
      }
      const [berlin, madrid] = ['key_of_berlin', 'key_of_madrid'].map(
        (key) => `sha256:${sha256(key).slice(0, 8)}`,
      )
      expect(outcomes).toEqual([
        ['handled', berlin],
        ['handled', madrid],
        ['duplicate', berlin],
      ])
    },
  )

  it('handles the retry of a delivery whose handler failed', async () => {
    const { handler, receive } = receiverWith(memoryReplayStore())
    const reason = new Error('database down')
    handler.mockImplementationOnce(() => {
      throw reason
    })
    handler.mockImplementationOnce(() => Promise.reject(reason))
    await expect(receive()).rejects.toBe(reason)
    await expect(receive()).rejects.toBe(reason)
    expect(await receive()).toMatchObject({ outcome: 'handled' })
    expect(handler).toHaveBeenCalledTimes(3)
  })

  it('refuses a delivery while another request handles it', async () => {
    const { handler, receive } = receiverWith(memoryReplayStore())
    let finish!: (result: string) => void
    handler.mockImplementationOnce(() => new Promise((resolve) => (finish = resolve)))
    const first = receive()
    await expect.poll(() => handler.mock.calls.length).toBeGreaterThan(0)
    const refusal = await refusalOf(receive)
    expect(refusal).toMatchObject({ code: 'ERR_DELIVERY_IN_PROGRESS', status: 409, retryable: true })
    expect(refusal.headers).toEqual({ 'Retry-After': '10' })
    finish('slow')
    expect(await first).toMatchObject({ outcome: 'handled', result: 'slow' })
    expect(await receive()).toMatchObject({ outcome: 'duplicate' })
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['forged', `t=${timestamp},v3=${'0'.repeat(64)}`, 'ERR_SIGNATURE_MISMATCH'],
    ['stale', known.header.replace(String(timestamp), String(timestamp - 301)), 'ERR_TIMESTAMP_TOO_OLD'],
    ['unsigned', undefined, 'ERR_SIGNATURE_MISSING'],
  ])('does not call the store for a delivery that is %s', async (_name, header, code) => {
    const { store, calls } = storeWith()
    const handler = vi.fn()
    const verifier = createVerifier({ secret, now, replay: store })
    expect((await refusalOf(() => verifier.receive(known.body, header, handler))).code).toBe(code)
    expect(calls).toEqual([])
    expect(handler).not.toHaveBeenCalled()
  })

  it('identifies a delivery by the matching key and its body, and its claim by the token', async () => {
    const { store, calls } = storeWith()
    const { handler, receive } = receiverWith(store)
    const { webhook } = await receive()
    handler.mockRejectedValueOnce(new Error())
    await expect(receive()).rejects.toThrow()
    expect(calls).toEqual([
      ['claim', keyOfKnown],
      ['commit', keyOfKnown, 'mine'],
      ['claim', keyOfKnown],
      ['release', keyOfKnown, 'mine'],
    ])
    expect(await deliveryKey(webhook)).toBe(keyOfKnown)
  })

  it('identifies a v2 proof without a parsed body by the matching key and the signed text', async () => {
    const options = { secret, versions: ['v2'], now } as const
    const proof = await verifySignature(event, `t=${timestamp},${v2}`, options)
    expect(await deliveryKey(proof)).toBe(keyOf(secret, 'v2', v2Text))
  })

  it.each([
    ['a spread', (webhook: VerifiedWebhook) => ({ ...webhook })],
    ['what a queue made of it', (webhook: VerifiedWebhook) => JSON.parse(JSON.stringify(webhook)) as never],
    ['its bytes', ({ rawBody }: VerifiedWebhook) => ({ rawBody }) as never],
    ['nothing', () => undefined as never],
  ])('makes no other key of %s in place of a webhook', async (_what, copyOf) => {
    const webhook = await createVerifier({ secret, now }).verify(known.body, known.header)
    await expect(deliveryKey(copyOf(webhook))).rejects.toThrow(TypeError)
    await expect(deliveryKey(copyOf(webhook))).rejects.toThrow('expected a webhook as verify() returned it')
  })

  it('keeps the deliveries of two keys apart whose fingerprints are the same', async () => {
    const [victim, attacker] = KEYS_OF_ONE_FINGERPRINT
    const booked: string[] = []
    const verifier = createVerifier({
      secret: ({ request }) => request as string,
      replay: memoryReplayStore(),
      now,
    })
    const receive = (key: string) =>
      verifier.receive(
        plain,
        `t=${timestamp},v3=${hmac(key, v3Message(plain))}`,
        ({ keyFingerprint }) => booked.push(`${key} ${keyFingerprint}`),
        { request: key },
      )
    expect(await receive(attacker)).toMatchObject({ outcome: 'handled' })
    expect(await receive(victim)).toMatchObject({ outcome: 'handled' })
    expect(booked).toEqual([`${attacker} ${ONE_FINGERPRINT}`, `${victim} ${ONE_FINGERPRINT}`])
    expect(await receive(victim)).toMatchObject({ outcome: 'duplicate' })
  })

  it('shows the whole digest of the key nowhere', async () => {
    const verifier = createVerifier({ secret, now })
    const webhook = await verifier.verify(known.body, known.header)
    const shown = [
      inspect(webhook, { depth: Infinity }),
      inspect(verifier, { depth: Infinity, showHidden: true }),
      JSON.stringify(webhook),
      JSON.stringify({ ...webhook }),
    ].join('\n')
    expect(shown).toContain(sha256(secret).slice(0, 8))
    expect(shown).not.toContain(sha256(secret).slice(8, 16))
    // Another copy of the package finds it by the name of the symbol.
    const origin: unknown = Reflect.get(webhook, Symbol.for('@service-signature/origin'))
    expect(origin).toEqual({ keyDigest: sha256(secret), acceptedSeconds: 360 })
  })

  it('identifies a delivery by the replayKey of the operator', async () => {
    const { store, calls } = storeWith()
    const replayKey = vi.fn(({ event }: { event: { payload: unknown } }) => String(event.payload))
    const { receive } = receiverWith(store, { replayKey })
    const { webhook } = await receive()
    expect(calls[0]).toEqual(['claim', 'webhook_payload'])
    expect(replayKey.mock.calls).toEqual([[webhook]])
  })

  it.each([undefined, '', 5, {}, 'a\ud800', '\udc00b'])(
    'refuses a key that is not a valid string: %o',
    async (key) => {
      const { store, calls } = storeWith()
      const { handler, receive } = receiverWith(store, { replayKey: () => key as string })
      await expect(receive()).rejects.toThrow(
        new TypeError('"replayKey" must return a string that is not empty and has no unpaired surrogates'),
      )
      expect(calls).toEqual([])
      expect(handler).not.toHaveBeenCalled()
    },
  )

  it('runs the handler each time without a replay store', async () => {
    const verifier = createVerifier({ secret, now })
    const handler = vi.fn(() => 1)
    const receive = () => verifier.receive(known.body, known.header, handler)
    expect(await Promise.all([receive(), receive()])).toMatchObject([
      { outcome: 'handled' },
      { outcome: 'handled' },
    ])
    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('passes the context to the source of the secret', async () => {
    const source = vi.fn(() => secret)
    const context = { request: {} }
    await createVerifier({ secret: source, now }).receive(known.body, known.header, () => 1, context)
    expect(source.mock.calls).toEqual([[context]])
  })

  it('rejects with the same error that the handler threw, with and without a store', async () => {
    const failure = new Error('the booking failed')
    const verifier = createVerifier({ secret, now })
    const received = verifier.receive(known.body, known.header, () => Promise.reject(failure))
    await expect(received).rejects.toBe(failure)
  })

  it('starts no timer for a store that answers at once', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const { receive } = receiverWith(memoryReplayStore())
    await receive()
    await receive()
    expect(timers).not.toHaveBeenCalled()
    timers.mockRestore()
  })

  describe('when the store fails to claim', () => {
    const failures: [name: string, claim: () => unknown][] = [
      ['rejects', down],
      [
        'throws',
        () => {
          throw new Error('connection lost')
        },
      ],
      ['answers nothing', () => undefined],
      ['answers null', () => Promise.resolve(null)],
      ['answers an unknown status', () => ({ status: 'free', token: 'mine' })],
      ['answers the name of a method', () => ({ status: 'constructor', token: 'mine' })],
      ['answers without a token', () => ({ status: 'new' })],
    ]

    it.each(failures)('and %s, the sender must retry', async (_name, claim) => {
      const { store, calls } = storeWith({ claim })
      const { handler, receive } = receiverWith(store)
      expect(await refusalOf(receive)).toMatchObject({
        code: 'ERR_REPLAY_STORE_UNAVAILABLE',
        status: 503,
        retryable: true,
        headers: { 'Retry-After': '10' },
      })
      expect(handler).not.toHaveBeenCalled()
      expect(calls).toHaveLength(1)
    })

    it.each(failures)(
      'and %s, the delivery is handled anyway with onStoreError "accept"',
      async (_name, claim) => {
        const { store, calls } = storeWith({ claim })
        const { handler, receive } = receiverWith(store, { onStoreError: 'accept' })
        const { storeError, ...answer } = (await receive()) as { storeError?: unknown }
        expect(answer).toMatchObject({ outcome: 'handled', result: 'a result' })
        expect(storeError).toMatchObject({ code: 'ERR_REPLAY_STORE_UNAVAILABLE' })
        expect(handler).toHaveBeenCalledTimes(1)
        expect(calls).toHaveLength(1)
      },
    )

    it('the error lists the valid answers', async () => {
      const { message } = await refusalOf(receiverWith(storeWith({ claim: () => 'new' }).store).receive)
      expect(message).toContain('one of the statuses new, in-progress, done, and a token')
    })

    it('the error contains the reason', async () => {
      const { message, cause } = await refusalOf(receiverWith(storeWith({ claim: down }).store).receive)
      expect(message).toContain('claim failed')
      expect(cause).toMatchObject({ message: 'connection lost' })
    })

    it.each([
      [undefined, 5],
      [0.25, 0.25],
    ])(
      'by not answering, the verifier waits no longer than allowed: %s',
      async (storeTimeoutSeconds, seconds) => {
        fakeTimeouts()
        const { store } = storeWith({ claim: deaf })
        const { handler, receive } = receiverWith(store, storeTimeoutSeconds ? { storeTimeoutSeconds } : {})
        const refused = vi.fn()
        const refusal = refusalOf(receive).then((error) => {
          refused()
          return error
        })
        await aTimeout()
        await vi.advanceTimersByTimeAsync(seconds * 1000 - 1)
        expect(refused).not.toHaveBeenCalled()
        await vi.advanceTimersByTimeAsync(1)
        expect((await refusal).cause).toMatchObject({ message: `There was no answer within ${seconds} s` })
        expect(handler).not.toHaveBeenCalled()
        expect(vi.getTimerCount()).toBe(0)
      },
    )

    it.each<[status: ReplayClaim['status'], calls: unknown[]]>([
      ['new', [['release', keyOfKnown, 'late']]],
      ['done', []],
      ['in-progress', []],
    ])(
      'and answers too late with %s, no retry has to wait for the end of a lease',
      async (status, released) => {
        fakeTimeouts()
        let answer!: (claim: ReplayClaim) => void
        const { store, calls } = storeWith({
          claim: () => new Promise<ReplayClaim>((resolve) => (answer = resolve)),
          release: down,
        })
        const refusal = refusalOf(receiverWith(store).receive)
        await aTimeout()
        await vi.advanceTimersByTimeAsync(5000)
        await refusal
        answer({ status, token: 'late' })
        await vi.advanceTimersByTimeAsync(0)
        expect(calls.slice(1)).toEqual(released)
      },
    )

    it('and fails too late as well, the late error is ignored', async () => {
      fakeTimeouts()
      let fail!: (error: Error) => void
      const { store, calls } = storeWith({ claim: () => new Promise((_, reject) => (fail = reject)) })
      const refusal = refusalOf(receiverWith(store).receive)
      await aTimeout()
      await vi.advanceTimersByTimeAsync(5000)
      await refusal
      fail(new Error('too late'))
      await vi.advanceTimersByTimeAsync(0)
      expect(calls).toHaveLength(1)
    })
  })

  describe('when the store fails afterwards', () => {
    const failures: [string, () => unknown][] = [
      ['rejects', down],
      [
        'throws',
        () => {
          throw new Error('connection lost')
        },
      ],
    ]

    it.each(failures)('and %s, a handled delivery is acknowledged', async (_name, commit) => {
      const { handler, receive } = receiverWith(storeWith({ commit }).store)
      expect(await receive()).toMatchObject({
        outcome: 'handled',
        result: 'a result',
        storeError: {
          code: 'ERR_REPLAY_STORE_UNAVAILABLE',
          message: expect.stringContaining('commit failed') as unknown,
        },
      })
      expect(handler).toHaveBeenCalledTimes(1)
    })

    it('or does not answer, a handled delivery is acknowledged after the time-out', async () => {
      fakeTimeouts()
      let answer!: () => void
      const commit = () => new Promise<void>((resolve) => (answer = resolve))
      const { store, calls } = storeWith({ commit })
      const { handler, receive } = receiverWith(store)
      const received = receive()
      await aTimeout()
      await vi.advanceTimersByTimeAsync(5000)
      expect(await received).toMatchObject({ outcome: 'handled', storeError: {} })
      answer()
      await vi.advanceTimersByTimeAsync(0)
      expect(handler).toHaveBeenCalledTimes(1)
      expect(calls).toHaveLength(2)
    })

    it.each(failures)('and %s, the error of the handler is reported', async (_name, release) => {
      const { handler, receive } = receiverWith(storeWith({ release }).store)
      const reason = new Error('database down')
      handler.mockRejectedValueOnce(reason)
      await expect(receive()).rejects.toBe(reason)
    })
  })

  it('lets many deliveries wait for the store without a warning', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    let answer!: () => void
    const gate = new Promise<void>((resolve) => (answer = resolve))
    const { store } = storeWith({ claim: () => gate.then(() => ({ status: 'new', token: 'mine' })) })
    const { handler, receive } = receiverWith(store)
    const received = Promise.all(Array.from({ length: 20 }, receive))
    await expect.poll(() => vi.mocked(store.claim).mock.calls).toHaveLength(20)
    answer()
    await received
    expect(warn.mock.calls).toEqual([])
    warn.mockRestore()
    expect(handler).toHaveBeenCalledTimes(20)
  })

  it('waits for the store before it acknowledges', async () => {
    let finish!: () => void
    const { store } = storeWith({ commit: () => new Promise<void>((resolve) => (finish = resolve)) })
    const { handler, receive } = receiverWith(store)
    const acknowledged = vi.fn()
    const received = receive().then(acknowledged)
    await expect.poll(() => handler.mock.calls.length).toBeGreaterThan(0)
    await new Promise(setImmediate)
    expect(acknowledged).not.toHaveBeenCalled()
    finish()
    await received
    expect(acknowledged).toHaveBeenCalledTimes(1)
  })

  it.each<[name: string, options: object]>([
    ['replay', { replay: memoryReplayStore() }],
    ['replayKey', { replayKey: () => 'id' }],
    ['onStoreError', { onStoreError: 'accept' }],
    ['storeTimeoutSeconds', { storeTimeoutSeconds: 5 }],
  ])('needs a verifier: a single call has no store, and rejects the option "%s"', async (name, more) => {
    const expected = new TypeError(
      `"${name}" is for createVerifier(options).receive and the adapters: verify alone remembers nothing`,
    )
    const options = { secret, now, ...more }
    for (const call of [verify, verifySignature]) {
      await expect(call(known.body, known.header, options)).rejects.toThrow(expected)
    }
  })

  it('may be undefined in the options of a single call', async () => {
    const options = { secret, now, replay: undefined }
    expect((await verify(known.body, known.header, options)).timestamp).toBe(timestamp)
  })
})

describe('the options of replay protection', () => {
  const replay = memoryReplayStore()
  const make = (options: object) => () => entries[0]!.createVerifier({ secret, ...options })

  it.each<[message: string, options: object]>([
    ['"replay" must be a store with claim, commit and release, got null', { replay: null }],
    ['"replay" must be a store with claim, commit and release, got function', { replay: memoryReplayStore }],
    ['"replay" must be a store with claim, commit and release, got object', { replay: new Map() }],
    [
      '"replay" must be a store with claim, commit and release',
      { replay: { ...replay, release: undefined } },
    ],
    [
      '"replayKey" must be a function that makes a key of a delivery, got string',
      { replay, replayKey: 'id' },
    ],
    [`"onStoreError" must be 'reject' or 'accept'`, { replay, onStoreError: 'retry' }],
    [`"onStoreError" must be 'reject' or 'accept'`, { replay, onStoreError: null }],
    ['"storeTimeoutSeconds" must be greater than 0', { replay, storeTimeoutSeconds: '5' }],
    ['"replayKey" has no effect without "replay"', { replayKey: () => 'id' }],
    ['"onStoreError" has no effect without "replay"', { onStoreError: 'accept' }],
    ['"storeTimeoutSeconds" has no effect without "replay"', { storeTimeoutSeconds: 5 }],
  ])('are rejected: %s', (message, options) => {
    expect(make(options)).toThrow(TypeError)
    expect(make(options)).toThrow(message)
  })

  it.each<[message: string, options: object]>([
    ['"storeTimeoutSeconds" must be', { replay, storeTimeoutSeconds: 0 }],
    ['"storeTimeoutSeconds" must be', { replay, storeTimeoutSeconds: Infinity }],
    [
      '"ttlSeconds" of the replay store must be at least 360 (toleranceSeconds + futureToleranceSeconds), got 359. ' +
        'A delivery is accepted for so long, and would be handled again',
      { replay: memoryReplayStore({ ttlSeconds: 359 }) },
    ],
    ['must be at least 90060 (', { replay, toleranceSeconds: 90_000 }],
  ])('are rejected if out of bounds: %s', (message, options) => {
    expect(make(options)).toThrow(RangeError)
    expect(make(options)).toThrow(message)
  })

  it.each<[name: string, options: object]>([
    ['a store that remembers just long enough', { replay: memoryReplayStore({ ttlSeconds: 360 }) }],
    ['a store without ttlSeconds', { replay: { ...storeWith().store } }],
    ['any age, which is longer than any store remembers', { replay, toleranceSeconds: Infinity }],
    ['all options', { replay, replayKey: String, onStoreError: 'accept', storeTimeoutSeconds: 3600 }],
    ['undefined for unused options', { replay: undefined, onStoreError: undefined }],
  ])('are accepted: %s', (_name, options) => {
    expect(make(options)).not.toThrow()
  })
})
