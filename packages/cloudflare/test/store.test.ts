import { d1Inbox, durableObjectReplayStore, ReplayObject } from '@service-signature/cloudflare'
import type { ReplayStore } from '@service-signature/core'
import { replayStoreCases } from '@service-signature/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newWebhook } from '@service-signature/contract/inbox-cases'
import { BOOK } from '../../../test/contract/test/protocol/stores/fake-database.js'
import { FakeD1 } from '../../../test/contract/test/protocol/stores/fake-d1.js'
import { FakeObjects, type SendRequest } from '../../../test/contract/test/protocol/stores/fake-objects.js'

describe('ReplayObject', () => {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  })
  afterAll(() => {
    vi.useRealTimers()
  })

  for (const { name, run } of replayStoreCases((times) => {
    const objects = new FakeObjects()
    const open = () => durableObjectReplayStore(objects.connect(), times)
    return {
      store: open(),
      other: open(),
      advance: (seconds) => vi.advanceTimersByTimeAsync(seconds * 1000),
    }
  })) {
    it(name, run)
  }

  it('deletes its state by its alarm, and leaves nothing after a release', async () => {
    const objects = new FakeObjects()
    const store = durableObjectReplayStore(objects.connect(), { leaseSeconds: 10, ttlSeconds: 100 })
    const object = objects.object('key')
    const { token } = await store.claim('key')
    expect(object.hasAlarm).toBe(true)
    await store.release('key', token)
    expect([object.entries.size, object.hasAlarm]).toEqual([0, false])

    await store.commit('key', (await store.claim('key')).token)
    await vi.advanceTimersByTimeAsync(11_000)
    expect([object.entries.size, object.hasAlarm]).toEqual([1, true])
    await vi.advanceTimersByTimeAsync(90_000)
    expect([object.entries.size, object.hasAlarm]).toEqual([0, false])
  })

  it('sets its alarm again if it comes too early, and does nothing without a state', async () => {
    const objects = new FakeObjects()
    const store = durableObjectReplayStore(objects.connect())
    const object = objects.object('key')
    await store.claim('key')
    await object.alarm()
    expect([object.entries.size, object.hasAlarm]).toEqual([1, true])
    await objects.object('another').alarm()
    expect(objects.object('another').hasAlarm).toBe(false)
  })

  it('answers a claim that is sent twice with its token in the same way', async () => {
    const object = new FakeObjects().object('key')
    const claim = async (token: string) =>
      (await object.fetch(`https://test/claim?token=${token}&seconds=60`)).text()
    expect([await claim('a'), await claim('a'), await claim('b')]).toEqual(['new', 'new', 'in-progress'])
  })

  it('answers any other request with 404', async () => {
    const object = new ReplayObject({ storage: { get: () => Promise.resolve(undefined) } as never })
    expect((await object.fetch({ url: 'https://test/' })).status).toBe(404)
  })
})

const LOST = 'D1_ERROR: Network connection lost.'

type Fault = 'none' | 'request lost' | 'answer lost' | 'no answer'

/** Each store, over a network that has one fault. */
const STORES: Readonly<Record<string, (fault: () => Fault) => ReplayStore>> = {
  d1Inbox: (fault) =>
    d1Inbox(
      new FakeD1().connect((_name, run) => pass(fault(), run)),
      { ttlSeconds: 86_400, timeoutSeconds: 0.01 },
    ),
  durableObjectReplayStore: (fault) =>
    durableObjectReplayStore(
      new FakeObjects().connect((_step, run) => pass(fault(), run)),
      {
        timeoutSeconds: 0.01,
      },
    ),
}

async function pass<Answer>(fault: Fault, run: () => Answer | Promise<Answer>): Promise<Answer> {
  if (fault === 'request lost') throw new Error(LOST)
  const answer = await run()
  if (fault === 'answer lost') throw new Error(LOST)
  return fault === 'no answer' ? new Promise(() => undefined) : answer
}

describe('a batch of D1', () => {
  const booked = (d1: FakeD1) => d1.bookings

  it.each([
    [
      'request lost',
      'handled',
      'the connection to D1 was lost. Nothing to do: a retry finds out what was written.',
    ],
    [
      'answer lost',
      'duplicate',
      'the connection to D1 was lost. Nothing to do: a retry finds out what was written.',
    ],
    [
      'no answer',
      'duplicate',
      'there was no answer within 0.01 s. Look for locks, a slow disk or a lost connection;',
    ],
  ] as const)('is refused with 503 if there is %s, and its retry is %s', async (fault, outcome, message) => {
    const d1 = new FakeD1()
    let next: Fault = fault
    const db = d1.connect((_name, run) => pass(next, run))
    const inbox = d1Inbox(db, { timeoutSeconds: 0.01, replayKey: () => 'key' })
    const webhook = newWebhook()
    const statements = () => [db.prepare(BOOK).bind('a payment')]
    await expect(inbox.handle(webhook, statements)).rejects.toMatchObject({
      code: 'ERR_REPLAY_STORE_UNAVAILABLE',
      status: 503,
      message: expect.stringContaining(`The database of the inbox failed: ${message}`) as string,
    })
    next = 'none'
    expect((await inbox.handle(webhook, statements)).outcome).toBe(outcome)
    expect(booked(d1)).toEqual(['a payment'])
  })

  it.each([
    ['D1 DB is overloaded. Too many requests queued.', 'D1 is overloaded'],
    ['D1 DB is overloaded. Requests queued for too long.', 'D1 is overloaded'],
    ['D1 DB reset because its code was updated.', 'D1 restarted the database'],
    [
      'Internal error while starting up D1 DB storage caused object to be reset.',
      'D1 restarted the database',
    ],
    [
      'D1 DB storage operation exceeded timeout which caused object to be reset.',
      'D1 restarted the database',
    ],
    ["D1 DB's isolate exceeded its memory limit and was reset.", 'a query took too much memory or time'],
    ['D1 DB exceeded its CPU time limit and was reset.', 'a query took too much memory or time'],
    ['Cannot resolve D1 DB due to transient issue on remote node.', 'D1 could not be reached'],
    ["Can't read from request stream because client disconnected.", 'the connection to D1 was closed'],
    ['internal error; reference = abc', 'D1 had an internal error'],
  ])('is refused with 503 after "%s"', async (text, what) => {
    const inbox = failing(`D1_ERROR: ${text}`)
    const message = expect.stringContaining(what) as string
    for (const refused of [inbox.handle(newWebhook(), []), inbox.once('key', []), inbox.claim('key')])
      await expect(refused).rejects.toMatchObject({ code: 'ERR_REPLAY_STORE_UNAVAILABLE', message })
  })

  it.each([
    'D1_ERROR: UNIQUE constraint failed: payments.id: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_PRIMARYKEY)',
    "D1_ERROR: bad JSON path: 'Network connection lost.': SQLITE_ERROR",
    'D1_ERROR: Wrong number of parameter bindings for SQL query.',
    'D1_ERROR: database or disk is full: SQLITE_FULL',
    'D1_ERROR: NOT NULL constraint failed: my_service_signature_inbox.key: SQLITE_CONSTRAINT',
    'D1_ERROR: NOT NULL constraint failed: service_signature_inbox_2.key: SQLITE_CONSTRAINT',
    'D1_ERROR: NOT NULL constraint failed: service_signature_inbox.key_id: SQLITE_CONSTRAINT',
    'D1_ERROR: UNIQUE constraint failed: service_signature_inbox.key: SQLITE_CONSTRAINT',
  ])('passes on the error of a statement "%s"', async (text) => {
    await expect(failing(text).once('key', [])).rejects.toThrow(new Error(text))
    await expect(failing(text).handle(newWebhook(), [])).rejects.toThrow(new Error(text))
  })

  it('says that a claim failed because the database is full', async () => {
    await expect(failing('D1_ERROR: database or disk is full: SQLITE_FULL').claim('key')).rejects.toThrow(
      'The database of the inbox failed: the database has reached its largest size. Delete rows; inbox.prune() deletes old keys.',
    )
  })

  function failing(text: string) {
    return d1Inbox(new FakeD1().connect(() => Promise.reject(new Error(text))))
  }
})

it('says that the store of Durable Objects failed, and what decides about deliveries meanwhile', async () => {
  const failing = (send: SendRequest) =>
    durableObjectReplayStore(new FakeObjects().connect(send), { timeoutSeconds: 0.01 }).claim('key')
  await expect(failing(() => Promise.reject(new Error('Durable Object is overloaded.')))).rejects.toThrow(
    'The replay store failed: the Durable Object failed. The reason is in "cause". ' +
      '"onStoreError" decides whether deliveries are accepted meanwhile.',
  )
  await expect(failing(() => new Promise(() => undefined))).rejects.toThrow(
    'The replay store failed: there was no answer within 0.01 s. "timeoutSeconds" sets the limit. "onStoreError"',
  )
})

describe.each(Object.entries(STORES))('%s', (_name, open) => {
  it.each(['request lost', 'answer lost', 'no answer'] as const)(
    'refuses a claim with 503 if there is %s, and frees the key for the retry',
    async (fault) => {
      let next: Fault = fault
      const store = open(() => {
        const now = next
        next = 'none'
        return now
      })
      await expect(store.claim('key')).rejects.toMatchObject({
        code: 'ERR_REPLAY_STORE_UNAVAILABLE',
        status: 503,
        retryAfterSeconds: 10,
        cause: {
          message:
            fault === 'no answer'
              ? (expect.stringMatching(/^there was no answer within 0.01 s/) as string)
              : LOST,
        },
      })
      await expect.poll(async () => (await store.claim('key')).status).toBe('new')
    },
  )

  it.each(['claim', 'commit', 'release'] as const)('has a time limit for %s', async (step) => {
    const store = open(() => 'no answer')
    await expect(Promise.resolve(store[step]('key', 'token'))).rejects.toThrow()
  })

  it('claims a key again after its release was lost and its lease ended', async () => {
    const now = vi.spyOn(Date, 'now')
    let next: Fault = 'none'
    const store = open(() => next)
    const { token } = await store.claim('key')
    next = 'request lost'
    await expect(Promise.resolve(store.release('key', token))).rejects.toMatchObject({
      cause: { message: LOST },
    })
    next = 'none'
    expect((await store.claim('key')).status).toBe('in-progress')
    const later = Date.now() + 61_000
    now.mockReturnValue(later)
    expect((await store.claim('key')).status).toBe('new')
    now.mockRestore()
  })
})
