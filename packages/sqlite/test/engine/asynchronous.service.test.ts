import { Gate, newWebhook, open, sentAgain } from '@service-signature/contract/inbox-cases'
import { sqliteInbox, type LibsqlTransaction } from '@service-signature/sqlite'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { HAS_LIBSQL, overClient, runOn, SYNCHRONOUS, useFile } from './support/drivers.js'
import { isMissing } from '@service-signature/contract/services'

const UNAVAILABLE = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503, retryAfterSeconds: 10 }
const ENDED = /^The handler ended the transaction itself\. Remove COMMIT, ROLLBACK/

/** A handler that holds its transaction until `end` is opened. */
function held() {
  const [began, end] = [new Gate(), new Gate()]
  const handler = async () => {
    began.open()
    await end.promise
  }
  return { began: began.promise, end, handler }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The library of the client: another copy of SQLite in this process would not see its locks. */
const driver = SYNCHRONOUS.at(-1)!

describe.skipIf(isMissing('drivers') || !HAS_LIBSQL)('over @libsql/client', () => {
  const file = useFile()
  let begun = 0
  const database = overClient(file, () => begun++)

  /** Resolves when an inbox has found the file locked. */
  async function hasRetried() {
    const before = begun
    await expect.poll(() => begun).toBeGreaterThan(before + 1)
  }

  it('waits for another process, and leaves connections that can commit', async () => {
    const { inbox, book, booked } = await open(database)
    const client = file.client()
    const holder = file.open(driver)
    holder.exec('BEGIN IMMEDIATE')
    const handler = vi.fn((transaction: unknown) => book(transaction))
    const handling = inbox.handle(newWebhook(), handler)
    await hasRetried()
    expect(handler).not.toHaveBeenCalled()
    holder.exec('COMMIT')
    expect((await handling).outcome).toBe('handled')
    expect(await booked()).toEqual(['a payment'])
    const transaction = await client.transaction('write')
    await transaction.commit()
  })

  it('commits on the connection that found the file locked before', async () => {
    const client = file.client()
    const table = database.name('inbox')
    const inbox = sqliteInbox(client, { table, waitSeconds: 0.05 })
    await inbox.migrate()
    const holder = file.open(driver)
    holder.exec('BEGIN IMMEDIATE')
    const handler = vi.fn()
    await expect(inbox.handle(newWebhook(), handler)).rejects.toMatchObject(UNAVAILABLE)
    await expect(inbox.handle(newWebhook(), handler)).rejects.toThrow(
      'another connection locked the file for 0.05 s',
    )
    expect(handler).not.toHaveBeenCalled()
    holder.exec('COMMIT')
    const transaction = await client.transaction('write')
    await transaction.execute({ sql: `INSERT INTO ${table} (key) VALUES (?)`, args: ['own'] })
    await transaction.commit()
    expect((await inbox.claim('own')).status).toBe('in-progress')
  })

  it('lets a delivery wait for the others of its process, up to waitSeconds', async () => {
    const { inbox, booked, book } = await open(database, { waitSeconds: 0.05 })
    const first = held()
    const handling = inbox.handle(newWebhook(), first.handler)
    await first.began
    const handler = vi.fn()
    const refused = inbox.handle(newWebhook(), handler)
    await expect(refused).rejects.toMatchObject(UNAVAILABLE)
    await expect(refused).rejects.toThrow('other deliveries used it for 0.05 s')
    expect(handler).not.toHaveBeenCalled()
    const waiting = inbox.handle(newWebhook(), (transaction) => book(transaction))
    first.end.open()
    expect((await handling).outcome).toBe('handled')
    expect((await waiting).outcome).toBe('handled')
    expect(await booked()).toEqual(['a payment'])
  })

  it('keeps statements of other requests out of the transaction', async () => {
    const client = file.client()
    const table = database.name('inbox')
    const inbox = sqliteInbox(client, { table })
    await inbox.migrate()
    const handling = inbox.handle(newWebhook(), async () => {
      const { rows } = await client.execute(`SELECT * FROM ${table}`)
      expect(rows).toEqual([])
      throw new Error('no')
    })
    await expect(handling).rejects.toThrow('no')
  })

  it.each<[how: string, end: (transaction: LibsqlTransaction) => unknown]>([
    ['commit()', (transaction) => transaction.commit()],
    ['the statement COMMIT', (transaction) => transaction.executeMultiple('COMMIT')],
    ['COMMIT and BEGIN', (transaction) => transaction.executeMultiple('COMMIT;BEGIN')],
  ])('fails if the handler ends the transaction by %s, and records the delivery', async (_how, end) => {
    const { inbox, book, booked } = await open(database)
    const webhook = newWebhook()
    const ending = inbox.handle(webhook, async (transaction) => {
      await book(transaction)
      await end(transaction as LibsqlTransaction)
    })
    await expect(ending).rejects.toThrow(ENDED)
    const handler = vi.fn()
    expect((await inbox.handle(webhook, handler)).outcome).toBe('duplicate')
    expect(handler).not.toHaveBeenCalled()
    expect(await booked()).toEqual(['a payment'])
  })

  it.each<[how: string, end: (transaction: LibsqlTransaction) => unknown]>([
    [
      'close()',
      (transaction) => {
        transaction.close()
      },
    ],
    ['the statement ROLLBACK', (transaction) => transaction.executeMultiple('ROLLBACK')],
  ])('fails if the handler ends the transaction by %s, and handles the retry', async (_how, end) => {
    const { inbox, book, booked } = await open(database)
    const webhook = newWebhook()
    const ending = inbox.handle(webhook, async (transaction) => {
      await book(transaction, 'too early')
      await end(transaction as LibsqlTransaction)
    })
    await expect(ending).rejects.toThrow(ENDED)
    expect((await inbox.handle(webhook, (transaction) => book(transaction))).outcome).toBe('handled')
    expect(await booked()).toEqual(['a payment'])
  })

  it('commits the rest, if the handler swallows the error of a statement', async () => {
    const { inbox, book, booked } = await open(database)
    const handling = inbox.handle(newWebhook(), async (transaction) => {
      await book(transaction, 'before')
      await expect(database.on(transaction, 'INSERT INTO missing VALUES (1)')).rejects.toThrow(
        'no such table',
      )
      return book(transaction, 'after')
    })
    expect((await handling).outcome).toBe('handled')
    expect(await booked()).toEqual(['before', 'after'])
  })

  it('refuses a delivery with 503 if the client is closed', async () => {
    const client = file.client()
    const inbox = sqliteInbox(client)
    client.close()
    const handler = vi.fn()
    for (const call of [() => inbox.handle(newWebhook(), handler), () => inbox.claim('key')]) {
      await expect(call()).rejects.toMatchObject(UNAVAILABLE)
      await expect(call()).rejects.toThrow('the connection is closed')
    }
    expect(handler).not.toHaveBeenCalled()
  })

  it('rolls back if the client is closed while the handler runs, and handles the retry', async () => {
    const { other, table, book, booked } = await open(database)
    const client = file.client()
    const webhook = newWebhook()
    const handling = sqliteInbox(client, { table }).handle(webhook, async (transaction) => {
      await book(transaction, 'too early')
      client.close()
    })
    await expect(handling).rejects.toThrow()
    // libsql keeps the lock of a connection that is closed until its statements are collected.
    collectGarbage()
    expect((await other.handle(webhook, (transaction) => book(transaction))).outcome).toBe('handled')
    expect(await booked()).toEqual(['a payment'])
  })

  it('migrates over 8 clients at once', async () => {
    const table = database.name('inbox')
    const inboxes = Array.from({ length: 8 }, () => sqliteInbox(file.client(), { table }))
    await Promise.all(inboxes.map((inbox) => inbox.migrate()))
    const webhook = newWebhook()
    const outcomes = await Promise.all(inboxes.map((inbox) => inbox.handle(webhook, () => undefined)))
    expect(outcomes.filter(({ outcome }) => outcome === 'handled')).toHaveLength(1)
  })

  it('records in a transaction of the caller, and finds a duplicate', async () => {
    const { table, inbox: own } = await open(database)
    const client = file.client()
    const inbox = sqliteInbox(client, { table })
    const webhook = newWebhook()
    const undone = await client.transaction('write')
    expect(await inbox.record(webhook, undone)).toBe(true)
    await undone.rollback()
    const transaction = await client.transaction('write')
    expect(await inbox.record(webhook, transaction)).toBe(true)
    expect(await inbox.record(webhook, transaction)).toBe(false)
    await transaction.commit()
    const handler = vi.fn()
    expect((await own.handle(sentAgain(webhook), handler)).outcome).toBe('duplicate')
    expect(handler).not.toHaveBeenCalled()
  })

  it.each([
    ['nothing', undefined],
    ['the client', 'client'],
  ])('refuses %s instead of a transaction', async (_what, what) => {
    const client = file.client()
    const table = database.name('inbox')
    const inbox = sqliteInbox(client, { table })
    await inbox.migrate()
    const recording = inbox.record(newWebhook(), (what && client) as never)
    await expect(recording).rejects.toThrow(
      new TypeError('inbox.record: expected a transaction, after the webhook'),
    )
    expect((await client.execute(`SELECT * FROM ${table}`)).rows).toEqual([])
  })

  it('makes four calls to the client for a delivery, besides those of its handler', async () => {
    const client = file.client()
    const table = database.name('inbox')
    await sqliteInbox(client, { table }).migrate()
    const calls: unknown[] = []
    const counting = {
      protocol: 'file',
      executeMultiple: () => undefined,
      async transaction(mode: 'deferred') {
        calls.push(`BEGIN ${mode}`)
        const transaction = await client.transaction(mode)
        const execute = transaction.execute.bind(transaction)
        const executeMultiple = transaction.executeMultiple.bind(transaction)
        transaction.execute = (statement) => (calls.push(statement.sql), execute(statement))
        transaction.executeMultiple = (sql) => (calls.push(sql), executeMultiple(sql))
        return transaction
      },
    }
    const inbox = sqliteInbox(counting, { table })
    expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
    expect(calls).toEqual([
      'BEGIN deferred',
      `SAVEPOINT service_signature_inbox;DELETE FROM "${table}" WHERE 0`,
      expect.stringMatching(/^INSERT INTO/),
      'RELEASE service_signature_inbox;COMMIT',
    ])
  })
})

describe.skipIf(isMissing('drivers') || !HAS_LIBSQL)('over @libsql/client without a write-ahead log', () => {
  const file = useFile('DELETE')

  it('rolls back with 503 if another connection reads at COMMIT, and handles the retry', async () => {
    const { inbox, book, booked } = await open(overClient(file))
    const reader = file.open(driver)
    reader.exec('BEGIN')
    expect(runOn(reader, 'SELECT count(*) AS count FROM sqlite_master')).toHaveLength(1)
    const webhook = newWebhook()
    const failing = inbox.handle(webhook, (transaction) => book(transaction, 'too early'))
    await expect(failing).rejects.toMatchObject(UNAVAILABLE)
    await expect(failing).rejects.toThrow('because another connection was reading')
    reader.exec('COMMIT')
    expect((await inbox.handle(webhook, (transaction) => book(transaction))).outcome).toBe('handled')
    expect(await booked()).toEqual(['a payment'])
  })
})
