import { d1Inbox } from '@service-signature/cloudflare'
import { newWebhook } from '@service-signature/contract/inbox-cases'
import { describe, expect, it } from 'vitest'
import { BOOK } from '../../../test/contract/test/protocol/stores/fake-database.js'
import { FakeD1 } from '../../../test/contract/test/protocol/stores/fake-d1.js'
import { pass, type Fault } from './support/faults.js'

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
