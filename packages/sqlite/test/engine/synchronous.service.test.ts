import { newWebhook, open, sentAgain, type Opened } from '@service-signature/contract/inbox-cases'
import { sqliteInbox } from '@service-signature/sqlite'
import { readFileSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { isOpen, overDriver, runOn, SYNCHRONOUS, useFile, type Synchronous } from './support/drivers.js'
import { isMissing } from '@service-signature/contract/services'

const UNAVAILABLE = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503, retryAfterSeconds: 10 }

/** Lets other work of the process run. A driver that waits by itself would block here. */
async function ticks(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await setImmediate()
}

describe.skipIf(isMissing('drivers')).each(SYNCHRONOUS)('over $name', (driver) => {
  const file = useFile()
  const database = overDriver(file, driver)

  /** An inbox and its database. */
  async function openInbox(options: Parameters<typeof sqliteInbox>[1] = {}) {
    const connection = file.open(driver)
    const table = database.name('inbox')
    const inbox = sqliteInbox(connection, { table, ...options })
    await inbox.migrate()
    connection.exec('CREATE TABLE IF NOT EXISTS payments (what text UNIQUE)')
    connection.exec('DELETE FROM payments')
    const paid = () => runOn(connection, 'SELECT what FROM payments').map(({ what }) => what)
    return { connection, inbox, table, paid }
  }
  const pay = (what: string) => (connection: Synchronous) => {
    connection.exec(`INSERT INTO payments VALUES ('${what}')`)
  }
  const isInTransaction = (connection: Synchronous) => connection.isTransaction ?? connection.inTransaction

  describe('while another connection has locked the file', () => {
    it('waits without blocking the process, and then handles the delivery', async () => {
      const { connection, inbox, paid } = await openInbox()
      connection.exec('PRAGMA busy_timeout = 4321')
      const holder = file.open(driver)
      holder.exec('BEGIN EXCLUSIVE')
      const handler = vi.fn(pay('a payment'))
      const handling = inbox.handle(newWebhook(), handler)
      await ticks(200)
      expect(handler).not.toHaveBeenCalled()
      expect(runOn(connection, 'PRAGMA busy_timeout')).toEqual([{ timeout: 4321 }])
      // Between two attempts the connection is free for others, and its own transactions can be committed.
      holder.exec('COMMIT')
      connection.exec("BEGIN;INSERT INTO payments VALUES ('of another request');COMMIT")
      expect((await handling).outcome).toBe('handled')
      expect(paid()).toEqual(['of another request', 'a payment'])
    })

    it('refuses a delivery with 503 after waitSeconds, and handles its retry', async () => {
      const { inbox, paid } = await openInbox({ waitSeconds: 0.02 })
      const holder = file.open(driver)
      holder.exec('BEGIN EXCLUSIVE')
      const handler = vi.fn()
      const webhook = newWebhook()
      const refused = [inbox.handle(webhook, handler), inbox.handle(newWebhook(), handler)]
      for (const each of await Promise.allSettled(refused)) {
        expect(each).toMatchObject({ status: 'rejected', reason: UNAVAILABLE })
        const reason: unknown = (each as PromiseRejectedResult).reason
        expect((reason as Error).message).toMatch(
          /: (?:other deliveries used it|another connection locked the file) for 0\.02 s\./,
        )
      }
      await expect(inbox.claim('key')).rejects.toMatchObject(UNAVAILABLE)
      expect(handler).not.toHaveBeenCalled()
      holder.exec('COMMIT')
      expect((await inbox.handle(webhook, pay('a payment'))).outcome).toBe('handled')
      expect(paid()).toEqual(['a payment'])
    })

    it('handles deliveries in the order in which they arrived', async () => {
      const { inbox, paid } = await openInbox()
      const holder = file.open(driver)
      holder.exec('BEGIN EXCLUSIVE')
      const all = ['1', '2', '3', '4'].map((key) => inbox.once(key, pay(key)))
      await ticks(20)
      holder.exec('COMMIT')
      await Promise.all(all)
      expect(paid()).toEqual(['1', '2', '3', '4'])
    })
  })

  it("gives the handler and later statements the connection's own busy_timeout", async () => {
    const { connection, inbox } = await openInbox()
    connection.exec('PRAGMA busy_timeout = 777')
    const handler = (own: Synchronous) => runOn(own, 'PRAGMA busy_timeout')
    expect((await inbox.handle(newWebhook(), handler)).result).toEqual([{ timeout: 777 }])
    expect(runOn(connection, 'PRAGMA busy_timeout')).toEqual([{ timeout: 777 }])
  })

  it('passes the database itself to the handler', async () => {
    const { connection, inbox } = await openInbox()
    const handling = inbox.handle(newWebhook(), (own) => own === connection && isInTransaction(own))
    expect((await handling).result).toBe(true)
    expect(isInTransaction(connection)).toBe(false)
  })

  it('refuses a delivery while its connection is in a transaction, which goes on', async () => {
    const { connection, inbox, paid } = await openInbox()
    connection.exec("BEGIN;INSERT INTO payments VALUES ('of another request')")
    const handler = vi.fn()
    const webhook = newWebhook()
    const refused = inbox.handle(webhook, handler)
    await expect(refused).rejects.toMatchObject(UNAVAILABLE)
    await expect(refused).rejects.toThrow('Do not await between BEGIN and COMMIT')
    expect(handler).not.toHaveBeenCalled()
    connection.exec('COMMIT')
    expect(paid()).toEqual(['of another request'])
    expect((await inbox.handle(webhook, pay('a payment'))).outcome).toBe('handled')
  })

  it.each([
    ['BEGIN', /^BEGIN/],
    ['the restored busy_timeout', /^PRAGMA busy_timeout = [1-9]/],
  ])('leaves no transaction open if %s fails after its effect', async (_what, statement) => {
    const { connection, table, paid } = await openInbox()
    connection.exec('PRAGMA busy_timeout = 4321')
    let failures = 1
    const failing = {
      isOpen: true,
      prepare: (sql: string) => connection.prepare(sql),
      exec(sql: string) {
        connection.exec(sql)
        if (statement.test(sql) && failures-- > 0) throw new Error('out of memory')
      },
      get isTransaction() {
        return isInTransaction(connection)
      },
    }
    const inbox = sqliteInbox(failing, { table })
    const handler = vi.fn()
    const webhook = newWebhook()
    await expect(inbox.handle(webhook, handler)).rejects.toMatchObject(UNAVAILABLE)
    expect(handler).not.toHaveBeenCalled()
    expect(isInTransaction(connection)).toBe(false)
    expect(runOn(connection, 'PRAGMA busy_timeout')).toEqual([{ timeout: 4321 }])
    const book = () => {
      pay('a payment')(connection)
    }
    expect((await inbox.handle(webhook, book)).outcome).toBe('handled')
    expect(paid()).toEqual(['a payment'])
  })

  describe('a handler with promises', () => {
    const FIX = /^The handler must be synchronous, and not return a promise.* before inbox\.handle/

    it('is refused before it begins, if it is an async function', async () => {
      const { inbox, paid } = await openInbox()
      const began = vi.fn()
      const handler = async (own: Synchronous) => {
        began()
        await setImmediate()
        pay('late')(own)
      }
      for (const call of [
        () => inbox.handle(newWebhook(), handler as () => never),
        () => inbox.once('key', handler as () => never),
      ]) {
        await expect(call()).rejects.toThrow(FIX)
        await expect(call()).rejects.toThrow(TypeError)
      }
      await ticks(3)
      expect(began).not.toHaveBeenCalled()
      expect(paid()).toEqual([])
      expect((await inbox.once('key', pay('a payment'))).outcome).toBe('handled')
    })

    it.each([
      ['resolves', () => Promise.resolve()],
      ['rejects', () => Promise.reject(new Error('no'))],
    ])('is rolled back, if it returns a promise that %s', async (_how, end) => {
      const { connection, inbox, paid } = await openInbox()
      const webhook = newWebhook()
      const handling = inbox.handle(webhook, (own: Synchronous) => {
        pay('too early')(own)
        return end() as never
      })
      await expect(handling).rejects.toThrow(FIX)
      await ticks(3)
      expect(isInTransaction(connection)).toBe(false)
      expect((await inbox.handle(webhook, pay('a payment'))).outcome).toBe('handled')
      expect(paid()).toEqual(['a payment'])
    })
  })

  describe('a handler that ends the transaction', () => {
    const ENDED = /^The handler ended the transaction itself\. Remove COMMIT, ROLLBACK/

    it.each(['COMMIT', 'COMMIT; BEGIN'])('by %s fails, and its delivery is recorded', async (statement) => {
      const { connection, inbox, paid } = await openInbox()
      const webhook = newWebhook()
      const ending = inbox.handle(webhook, (own) => {
        pay('a payment')(own)
        own.exec(statement)
      })
      await expect(ending).rejects.toThrow(ENDED)
      expect(isInTransaction(connection)).toBe(false)
      expect(paid()).toEqual(['a payment'])
      const handler = vi.fn()
      expect((await inbox.handle(webhook, handler)).outcome).toBe('duplicate')
      expect(handler).not.toHaveBeenCalled()
    })

    it.each(['ROLLBACK', 'ROLLBACK; BEGIN'])('by %s fails, and its retry is handled', async (statement) => {
      const { connection, inbox, paid } = await openInbox()
      const webhook = newWebhook()
      const ending = inbox.handle(webhook, (own) => {
        pay('too early')(own)
        own.exec(statement)
      })
      await expect(ending).rejects.toThrow(ENDED)
      expect(isInTransaction(connection)).toBe(false)
      expect((await inbox.handle(webhook, pay('a payment'))).outcome).toBe('handled')
      expect(paid()).toEqual(['a payment'])
    })

    it('by INSERT OR ROLLBACK fails, although it swallows the error', async () => {
      const { inbox, paid } = await openInbox()
      pay('twice')(file.open(driver))
      const webhook = newWebhook()
      const ending = inbox.handle(webhook, (own) => {
        pay('before')(own)
        expect(() => {
          own.exec("INSERT OR ROLLBACK INTO payments VALUES ('twice')")
        }).toThrow()
      })
      await expect(ending).rejects.toThrow(ENDED)
      expect(paid()).toEqual(['twice'])
      expect((await inbox.handle(webhook, pay('a payment'))).outcome).toBe('handled')
    })
  })

  it('fails if the disk is full, although the handler swallows the error', async () => {
    const { connection, inbox, paid } = await openInbox()
    const webhook = newWebhook()
    const book = (own: Synchronous) => {
      pay('before')(own)
      // SQLite undoes the whole transaction, not only the statement.
      expect(() => {
        pay('long'.repeat(10_000))(own)
      }).toThrow('full')
    }
    const [pages] = runOn(connection, 'PRAGMA page_count') as [{ readonly page_count: number }]
    runOn(connection, `PRAGMA max_page_count = ${pages.page_count}`)
    await expect(inbox.handle(webhook, book)).rejects.toThrow(/^The handler ended the transaction .* disk/)
    expect(paid()).toEqual([])
    expect((await inbox.handle(webhook, pay('a payment'))).outcome).toBe('handled')
    expect(paid()).toEqual(['a payment'])
  })

  it('commits the rest, if the handler swallows the error of a statement', async () => {
    const { inbox, paid } = await openInbox()
    pay('twice')(file.open(driver))
    const handling = inbox.handle(newWebhook(), (own) => {
      pay('before')(own)
      expect(() => {
        pay('twice')(own)
      }).toThrow()
      pay('after')(own)
    })
    expect((await handling).outcome).toBe('handled')
    expect(paid()).toEqual(['twice', 'before', 'after'])
  })

  it('passes on the error of a COMMIT that fails, rolls back, and handles the retry', async () => {
    const { connection, inbox } = await openInbox()
    connection.exec('PRAGMA foreign_keys = ON')
    connection.exec('CREATE TABLE orders (id text PRIMARY KEY)')
    connection.exec('CREATE TABLE lines (id text REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED)')
    const webhook = newWebhook()
    const book = (own: Synchronous) => {
      own.exec("INSERT INTO lines VALUES ('an order')")
    }
    await expect(inbox.handle(webhook, book)).rejects.toThrow('FOREIGN KEY constraint failed')
    expect(isInTransaction(connection)).toBe(false)
    expect(runOn(connection, 'SELECT * FROM lines')).toEqual([])
    connection.exec("INSERT INTO orders VALUES ('an order')")
    expect((await inbox.handle(webhook, book)).outcome).toBe('handled')
    connection.exec('DROP TABLE lines;DROP TABLE orders')
  })

  it('refuses a delivery with 503 if the database is closed', async () => {
    const { connection, inbox } = await openInbox()
    connection.close()
    const handler = vi.fn()
    await expect(inbox.handle(newWebhook(), handler)).rejects.toMatchObject(UNAVAILABLE)
    await expect(inbox.handle(newWebhook(), handler)).rejects.toThrow('the connection is closed')
    await expect(inbox.claim('key')).rejects.toMatchObject(UNAVAILABLE)
    await expect(inbox.record(newWebhook()).then((record) => record())).rejects.toThrow(
      /in a transaction|not open/,
    )
    // The process goes on.
    await expect(sqliteInbox(connection).handle(newWebhook(), handler)).rejects.toMatchObject(UNAVAILABLE)
    expect(handler).not.toHaveBeenCalled()
    expect(isOpen(connection)).toBe(false)
  })

  it('refuses a delivery with 503 if the database is read-only', async () => {
    const { connection, inbox } = await openInbox()
    connection.exec('PRAGMA query_only = ON')
    const handler = vi.fn()
    await expect(inbox.handle(newWebhook(), handler)).rejects.toMatchObject(UNAVAILABLE)
    await expect(inbox.handle(newWebhook(), handler)).rejects.toThrow(
      'it is read-only. The process must be able to write',
    )
    expect(handler).not.toHaveBeenCalled()
  })

  it('names a full disk, which MAX_PAGE_COUNT stands for', async () => {
    const { connection, inbox } = await openInbox()
    const [pages] = runOn(connection, 'PRAGMA page_count') as [{ readonly page_count: number }]
    runOn(connection, `PRAGMA max_page_count = ${pages.page_count}`)
    const handler = vi.fn()
    let handled = 0
    const fill = async () => {
      for (; ; handled++) await inbox.once(`${'x'.repeat(240)} ${handled}`, handler)
    }
    const full = expect.stringContaining('its disk is full. Make room on it') as string
    await expect(fill()).rejects.toMatchObject({ ...UNAVAILABLE, message: full })
    expect(handler).toHaveBeenCalledTimes(handled)
    runOn(connection, 'PRAGMA max_page_count = 100000')
    expect((await inbox.handle(newWebhook(), pay('a payment'))).outcome).toBe('handled')
  })

  it.each([
    ['is not a database', (bytes: Buffer) => bytes.fill('x', 0, 100)],
    ['is damaged', (bytes: Buffer) => bytes.fill('x', 4096)],
  ])('names a file that %s', async (_what, damage) => {
    const path = `${file.path()}-${database.name('damaged')}`
    const intact = driver.open(path)
    await sqliteInbox(intact).migrate()
    intact.close()
    writeFileSync(path, damage(readFileSync(path)))
    const damaged = driver.open(path)
    const handler = vi.fn()
    const refused = sqliteInbox(damaged).handle(newWebhook(), handler)
    await expect(refused).rejects.toMatchObject(UNAVAILABLE)
    await expect(refused).rejects.toThrow('its file is damaged. Run PRAGMA integrity_check')
    expect(handler).not.toHaveBeenCalled()
    damaged.close()
  })

  it('migrates over 8 connections at once', async () => {
    const table = database.name('inbox')
    const inboxes = Array.from({ length: 8 }, () => sqliteInbox(file.open(driver), { table }))
    await Promise.all(inboxes.map((inbox) => inbox.migrate()))
    const webhook = newWebhook()
    const outcomes = await Promise.all(inboxes.map((inbox) => inbox.handle(webhook, () => undefined)))
    expect(outcomes.filter(({ outcome }) => outcome === 'handled')).toHaveLength(1)
  })

  it('lets other work run between two batches of prune', async () => {
    const { connection, inbox, table } = await openInbox()
    connection.exec(database.insertOld(table, 20_000))
    const pruning = inbox.prune()
    const counts = new Set<unknown>()
    for (let tick = 0; tick < 20; tick++) {
      await setImmediate()
      counts.add(runOn(connection, `SELECT count(*) AS count FROM ${table}`)[0]!['count'])
    }
    expect(await pruning).toBe(20_000)
    expect([...counts]).toContain(10_000)
  })

  describe('record', () => {
    it('records in a transaction of the caller, and finds a duplicate', async () => {
      const { connection, inbox, paid } = await openInbox()
      const webhook = newWebhook()
      const record = await inbox.record(webhook)
      connection.exec('BEGIN')
      expect(record()).toBe(true)
      pay('rolled back')(connection)
      connection.exec('ROLLBACK')
      connection.exec('BEGIN')
      expect(record()).toBe(true)
      expect(record()).toBe(false)
      pay('a payment')(connection)
      connection.exec('COMMIT')
      const handler = vi.fn()
      expect((await inbox.handle(sentAgain(webhook), handler)).outcome).toBe('duplicate')
      expect(handler).not.toHaveBeenCalled()
      expect(paid()).toEqual(['a payment'])
    })

    it('names the lock that a transaction without IMMEDIATE finds', async () => {
      const { connection, inbox } = await openInbox()
      connection.exec('PRAGMA busy_timeout = 0')
      const record = await inbox.record(newWebhook())
      const holder = file.open(driver)
      holder.exec('BEGIN IMMEDIATE')
      connection.exec('BEGIN')
      expect(record).toThrow(
        'another connection locked the file. Begin the transaction of inbox.record with BEGIN IMMEDIATE',
      )
      connection.exec('ROLLBACK')
      holder.exec('COMMIT')
    })

    it('refuses to record outside of a transaction', async () => {
      const { inbox, table, connection } = await openInbox()
      const record = await inbox.record(newWebhook())
      expect(record).toThrow('inbox.record: call the function that it gives in a transaction')
      expect(runOn(connection, `SELECT * FROM ${table}`)).toEqual([])
    })
  })

  it('makes six calls to the driver for a delivery, besides those of its handler', async () => {
    const { connection, table } = await openInbox()
    const calls: string[] = []
    const counting = {
      exec: (sql: string) => (calls.push(sql), connection.exec(sql)),
      prepare: (sql: string) => (calls.push(sql), connection.prepare(sql)),
      inTransaction: false,
    }
    const inbox = sqliteInbox(counting, { table })
    const webhook = newWebhook()
    for (const outcome of ['handled', 'duplicate']) {
      calls.length = 0
      expect((await inbox.handle(sentAgain(webhook), () => undefined)).outcome).toBe(outcome)
      expect(calls).toEqual([
        'PRAGMA busy_timeout',
        'PRAGMA busy_timeout = 0',
        'BEGIN EXCLUSIVE;SAVEPOINT service_signature_inbox',
        expect.stringMatching(/^PRAGMA busy_timeout = \d+$/),
        expect.stringMatching(/^INSERT INTO/),
        'RELEASE service_signature_inbox;COMMIT',
      ])
    }
  })
})

describe.skipIf(isMissing('drivers')).each(SYNCHRONOUS)('over $name without a write-ahead log', (driver) => {
  const file = useFile('DELETE')

  it('waits for other connections that read, before the handler and not at COMMIT', async () => {
    const { inbox, book, booked }: Opened = await open(overDriver(file, driver))
    const reader = file.open(driver)
    reader.exec('BEGIN')
    expect(runOn(reader, 'SELECT count(*) AS count FROM sqlite_master')).toHaveLength(1)
    const handler = vi.fn((own: unknown) => book(own))
    const handling = inbox.handle(newWebhook(), handler)
    await ticks(50)
    expect(handler).not.toHaveBeenCalled()
    reader.exec('COMMIT')
    expect((await handling).outcome).toBe('handled')
    expect(handler).toHaveBeenCalledTimes(1)
    expect(await booked()).toEqual(['a payment'])
  })
})
