import { Gate, newWebhook, open, sentAgain } from '@service-signature/contract/inbox-cases'
import { startMariadb } from '@service-signature/contract/mariadb-server'
import { startProxy } from '@service-signature/contract/silent-proxy'
import { mysqlInbox, type Inbox, type MysqlPool } from '@service-signature/mysql'
import type { PoolConnection, ResultSetHeader } from 'mysql2/promise'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { countRoundTrips } from '../../postgres/test/support/count-round-trips.js'
import { statementsFor } from '../src/statements.js'
import { inboxAt, POOLS, useServer } from './support/server.js'
import { isMissing } from '@service-signature/contract/services'

const UNAVAILABLE = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503, retryAfterSeconds: 10 }
const UNCONFIRMED = {
  ...UNAVAILABLE,
  message: expect.stringContaining('A retry finds out how it ended') as string,
}

const { server, connect, database, name, isWaiting } = useServer()
const own = database(POOLS[0])

/** Ends the connection of a client, as a restart of the server does. */
async function lose(client: unknown): Promise<void> {
  await connect().run(`KILL CONNECTION ${(client as PoolConnection).threadId}`)
  await expect((client as PoolConnection).query('SELECT 1')).rejects.toThrow()
}

describe.skipIf(isMissing('mariadb'))('while another transaction has the key', () => {
  it('answers 409 to a delivery that waited longer than waitSeconds', async () => {
    const { inbox, other } = await open(own, { waitSeconds: 0.5, replayKey: () => 'key' })
    const handler = vi.fn()
    const first = inbox.handle(newWebhook(), async () => {
      const refused = { code: 'ERR_DELIVERY_IN_PROGRESS', status: 409, retryAfterSeconds: 10 }
      await expect(other.handle(newWebhook(), handler)).rejects.toMatchObject(refused)
      expect(await other.claim('key')).toEqual({ status: 'in-progress', token: '' })
    })
    expect((await first).outcome).toBe('handled')
    expect(handler).not.toHaveBeenCalled()
    expect((await other.handle(newWebhook(), handler)).outcome).toBe('duplicate')
  })

  const LOCKED = 'another statement or transaction has locked the table, or a key next to this one'

  it('answers 503 if another transaction has locked the gap of the key, and not the key', async () => {
    const { inbox, table } = await open(own, { waitSeconds: 0.5 })
    const holder = await connect().pool.getConnection()
    await holder.beginTransaction()
    await holder.query(`SELECT * FROM ${table} WHERE \`key\` = 'another' FOR UPDATE`)
    const handler = vi.fn()
    const refused = {
      ...UNAVAILABLE,
      message: expect.stringContaining(LOCKED) as string,
      cause: { errno: 1205 },
    }
    await expect(inbox.once('key', handler)).rejects.toMatchObject(refused)
    await expect(inbox.claim('key')).rejects.toMatchObject(refused)
    expect(handler).not.toHaveBeenCalled()
    await holder.rollback()
    holder.release()
    expect((await inbox.once('key', () => undefined)).outcome).toBe('handled')
  })

  it('answers 503 if another connection has locked the table', async () => {
    const { inbox, table } = await open(own, { waitSeconds: 0.5 })
    const holder = await connect().pool.getConnection()
    await holder.query(`LOCK TABLES ${table} WRITE`)
    const handler = vi.fn()
    const refused = { ...UNAVAILABLE, message: expect.stringContaining(LOCKED) as string }
    await expect(inbox.once('key', handler)).rejects.toMatchObject(refused)
    await expect(inbox.claim('key')).rejects.toMatchObject(refused)
    expect(handler).not.toHaveBeenCalled()
    await holder.query('UNLOCK TABLES')
    holder.release()
    expect((await inbox.once('key', () => undefined)).outcome).toBe('handled')
  })

  it('survives the deadlocks of InnoDB when it is rolled back: one of three that wait is handled', async () => {
    const { table, book, booked } = await open(own)
    const inboxes = Array.from({ length: 4 }, () => connect().inbox({ table }))
    const [began, end] = [new Gate(), new Gate()]
    const webhook = newWebhook()
    const first = inboxes[0]!.handle(webhook, async () => {
      began.open()
      await end.promise
      throw new Error('the first failed')
    })
    await began.promise
    const waiting = inboxes.slice(1).map((inbox) => inbox.handle(webhook, (client) => book(client)))
    const { run } = connect({ connectionLimit: 1 })
    const count = `SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'`
    await expect.poll(async () => (await run(count))[0]!['Value'] as string).toBe('3')
    end.open()
    await expect(first).rejects.toThrow('the first failed')
    const outcomes = (await Promise.all(waiting)).map(({ outcome }) => outcome)
    expect(outcomes.sort()).toEqual(['duplicate', 'duplicate', 'handled'])
    expect(await booked()).toEqual(['a payment'])
  })
})

describe.skipIf(isMissing('mariadb'))('a handler', () => {
  it.each(['release', 'commit', 'rollback', 'beginTransaction'] as const)(
    'may not call %s(), and nothing of it remains',
    async (method) => {
      const { inbox, book, booked, keys } = await open(own)
      const ending = inbox.handle(newWebhook(), async (client) => {
        await book(client)
        await (client as PoolConnection)[method]()
      })
      await expect(ending).rejects.toThrow(`remove it from the handler`)
      expect(await booked()).toEqual([])
      expect(await keys()).toEqual([])
    },
  )

  it.each(['ROLLBACK', 'COMMIT', 'BEGIN', 'SET autocommit = 1', 'DDL'])(
    'is an error if it ends the transaction with %s, and what it does after that is rolled back',
    async (statement) => {
      const { inbox, other, book, booked } = await open(own)
      const webhook = newWebhook()
      const text = statement === 'DDL' ? `CREATE TABLE ${name('orders')} (id INT)` : statement
      const isCommitted = statement !== 'ROLLBACK'
      const ending = inbox.handle(webhook, async (client) => {
        await book(client, 'before')
        await own.on(client, text)
        if (!text.startsWith('SET')) await book(client, 'after')
      })
      await expect(ending).rejects.toThrow(/^The transaction ended before the handler returned\./)
      expect(await booked()).toEqual(isCommitted ? ['before'] : [])
      const retry = await other.handle(webhook, (client) => book(client))
      expect(retry.outcome).toBe(isCommitted ? 'duplicate' : 'handled')
    },
  )

  it('is not reported as handled if it swallows a deadlock, and what it does after that is rolled back', async () => {
    const { inbox, book, booked, run, other } = await open(own)
    const locks = name('locks')
    await run(`CREATE TABLE ${locks} (id INT PRIMARY KEY, weight TEXT) ENGINE = InnoDB`)
    await run(`INSERT INTO ${locks} VALUES (1, ''), (2, '')`)
    const { pool } = connect()
    const heavy = await pool.getConnection()
    await heavy.beginTransaction()
    // InnoDB rolls the smaller transaction back.
    await heavy.query(`INSERT INTO ${locks} SELECT seq, 'heavy' FROM seq_3_to_1000`)
    await heavy.query(`UPDATE ${locks} SET weight = 'heavy' WHERE id = 2`)
    const webhook = newWebhook()
    const swallowing = inbox.handle(webhook, async (client) => {
      await book(client, 'before')
      await own.on(client, `UPDATE ${locks} SET weight = 'light' WHERE id = 1`)
      const waiting = own.on(client, `UPDATE ${locks} SET weight = 'light' WHERE id = 2`) as Promise<unknown>
      const deadlock = expect(waiting).rejects.toMatchObject({ errno: 1213 })
      await isWaiting()
      await heavy.query(`UPDATE ${locks} SET weight = 'heavy' WHERE id = 1`)
      await deadlock
      await book(client, 'after')
    })
    await expect(swallowing).rejects.toThrow('One failed with a deadlock'.replace('One', 'one'))
    await heavy.rollback()
    heavy.release()
    expect(await booked()).toEqual([])
    expect((await other.handle(webhook, (client) => book(client))).outcome).toBe('handled')
  })

  it('commits what it did if it swallows an error that undoes only its statement', async () => {
    const { inbox, book, booked } = await open(own)
    const handling = inbox.handle(newWebhook(), async (client) => {
      await book(client)
      await (own.on(client, 'SELECT nothing') as Promise<unknown>).catch(() => undefined)
    })
    expect((await handling).outcome).toBe('handled')
    expect(await booked()).toEqual(['a payment'])
  })
})

describe.skipIf(isMissing('mariadb'))('refuses a delivery with 503 before the handler', () => {
  async function isRefused(inbox: Inbox<PoolConnection>, reason: string): Promise<void> {
    const handler = vi.fn()
    const message = expect.stringContaining(reason) as string
    await expect(inbox.handle(newWebhook(), handler)).rejects.toMatchObject({ ...UNAVAILABLE, message })
    expect(handler).not.toHaveBeenCalled()
  }
  const urlOf = (user: string) => server().url.replace('root', user)

  it('if the user has no rights on the table, and handles it when it has', async () => {
    const { run, inbox: makeInbox } = connect()
    const [user, schema] = [name('reader'), name('shop')]
    const table = `${schema}.inbox`
    await run(`CREATE DATABASE ${schema}`)
    await makeInbox({ table }).migrate()
    await run(`CREATE USER ${user}`)
    await run(`GRANT SELECT ON ${table} TO ${user}`)
    await isRefused(inboxAt(urlOf(user), { table }), 'Grant it SELECT, INSERT, UPDATE and DELETE')
    await run(`GRANT INSERT, UPDATE, DELETE ON ${table} TO ${user}`)
    const handling = inboxAt(urlOf(user), { table }).handle(newWebhook(), () => undefined)
    expect((await handling).outcome).toBe('handled')
  })

  it('if the database is read-only, also from the handler on', async () => {
    const { table, run, book, booked } = await open(own)
    const user = name('writer')
    await run(`CREATE USER ${user}`)
    await run(`GRANT ALL ON test.* TO ${user}`)
    const inbox = inboxAt(urlOf(user), { table })
    const webhook = newWebhook()
    try {
      const late = inbox.handle(webhook, async (client) => {
        await book(client)
        await run('SET GLOBAL read_only = 1')
      })
      await expect(late).rejects.toMatchObject({ errno: 1290 })
      await isRefused(inbox, 'it is read-only. Connect to the primary server')
    } finally {
      await run('SET GLOBAL read_only = 0')
    }
    expect(await booked()).toEqual([])
    expect((await inbox.handle(webhook, () => undefined)).outcome).toBe('handled')
  })

  it('if the server has no free connection, and handles it when it has one', async () => {
    const { table, run } = await open(own)
    const user = name('crowd')
    await run(`CREATE USER ${user} WITH MAX_USER_CONNECTIONS 1`)
    await run(`GRANT ALL ON test.* TO ${user}`)
    const inbox = inboxAt(urlOf(user), { table })
    await inbox.handle(newWebhook(), () => isRefused(inbox, 'the server has no free connection'))
    expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
  })

  it.each([
    ['has a full queue', { queueLimit: 1 }],
    ['does not wait for connections', { waitForConnections: false }],
  ])('if the pool %s', async (_what, options) => {
    const { table } = await open(own)
    const { inbox: makeInbox, pool } = connect({ connectionLimit: 1, ...options })
    const inbox = makeInbox({ table })
    await inbox.handle(newWebhook(), async () => {
      const queued = 'queueLimit' in options ? pool.getConnection() : undefined
      await isRefused(inbox, 'the pool had no free connection in time. Each open handler holds one')
      void queued?.then((connection) => {
        connection.release()
      })
    })
    expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
  })

  it('if the server ends the insertion at its time limit', async () => {
    const { table, inbox } = await open(own, { replayKey: () => 'key' })
    const { inbox: makeInbox, pool } = connect()
    pool.pool.on('connection', (connection) => {
      connection.query('SET max_statement_time = 0.1')
    })
    const limited = makeInbox({ table, replayKey: () => 'key' })
    await inbox.handle(newWebhook(), () =>
      isRefused(limited, 'the server ended a statement at its time limit'),
    )
  })

  it('if the pool has no free connection, and uses the one that arrives late', async () => {
    const { table } = await open(own)
    const { inbox: makeInbox } = connect({ connectionLimit: 1 })
    const [inbox, hasty] = [makeInbox({ table }), makeInbox({ table, timeoutSeconds: 0.1 })]
    await inbox.handle(newWebhook(), async () => {
      await isRefused(hasty, 'the pool had no free connection within 0.1 s. Each open handler holds one')
      await expect(hasty.claim('key')).rejects.toMatchObject(UNAVAILABLE)
    })
    expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
  })
})

describe.skipIf(isMissing('mariadb'))('whose connection is lost', () => {
  it('while the handler runs, is not reported as handled, and a retry is handled', async () => {
    const { inbox, book, booked } = await open(own)
    const webhook = newWebhook()
    const losing = inbox.handle(webhook, async (client) => {
      await book(client)
      await lose(client)
    })
    await expect(losing).rejects.toMatchObject(UNCONFIRMED)
    expect(await booked()).toEqual([])
    expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('handled')
    expect(await booked()).toEqual(['a payment'])
  })

  it('while the handler runs, passes the error of the handler on', async () => {
    const { inbox, book, booked } = await open(own)
    const failure = new Error('the handler failed')
    const losing = inbox.handle(newWebhook(), async (client) => {
      await book(client)
      await lose(client)
      throw failure
    })
    await expect(losing).rejects.toBe(failure)
    expect(await booked()).toEqual([])
  })

  it('works again when the server is up again', async () => {
    const restarted = await startMariadb()
    onTestFinished(restarted.stop)
    const inbox = inboxAt(restarted.url, { timeoutSeconds: 1 })
    await inbox.migrate()
    const [webhook, other] = [newWebhook(), newWebhook()]
    expect((await inbox.handle(webhook, () => undefined)).outcome).toBe('handled')
    await expect(inbox.handle(other, () => restarted.kill())).rejects.toMatchObject(UNCONFIRMED)
    const handler = vi.fn()
    const lost = expect.stringContaining('the connection to the server is lost, or not made') as string
    await expect(inbox.handle(newWebhook(), handler)).rejects.toMatchObject({ ...UNAVAILABLE, message: lost })
    await expect(inbox.claim('key')).rejects.toMatchObject({ ...UNAVAILABLE, message: lost })
    expect(handler).not.toHaveBeenCalled()
    await restarted.restart()
    expect((await inbox.handle(sentAgain(webhook), handler)).outcome).toBe('duplicate')
    expect((await inbox.handle(other, () => undefined)).outcome).toBe('handled')
    expect(handler).not.toHaveBeenCalled()
  })

  it('works again when a half-open connection is replaced', async () => {
    const { table, booked, book } = await open(own)
    const proxy = await startProxy(server().port)
    const url = server().url.replace(String(server().port), String(proxy.port))
    const inbox = inboxAt(url, { table, timeoutSeconds: 1, waitSeconds: 1 })
    expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
    proxy.goSilent()
    const handler = vi.fn()
    const webhook = newWebhook()
    await expect(inbox.handle(webhook, handler)).rejects.toMatchObject(UNAVAILABLE)
    await expect(inbox.claim('key')).rejects.toMatchObject(UNAVAILABLE)
    expect(handler).not.toHaveBeenCalled()
    proxy.heal()
    expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('handled')
    const silenced = inbox.handle(newWebhook(), async (client) => {
      await book(client, 'another')
      proxy.goSilent()
    })
    await expect(silenced).rejects.toMatchObject(UNCONFIRMED)
    expect(await booked()).toEqual(['a payment'])
  })
})

describe.skipIf(isMissing('mariadb'))('a claim whose answer was lost', () => {
  it('is released by the next try of the same inbox', async () => {
    const { table } = await open(own)
    const { pool } = connect()
    let losses = 1
    const losing: MysqlPool = {
      async getConnection() {
        const connection = await pool.getConnection()
        return {
          release: () => {
            connection.release()
          },
          destroy: () => {
            connection.destroy()
          },
          async query(text) {
            const answer = await connection.query(text)
            if (!text.includes('claim_token') || losses-- <= 0) return answer
            throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
          },
        }
      },
    }
    const inbox = mysqlInbox(losing, { table })
    await expect(inbox.claim('key')).rejects.toMatchObject(UNAVAILABLE)
    expect((await connect().inbox({ table }).claim('key')).status).toBe('in-progress')
    expect((await inbox.claim('key')).status).toBe('new')
  })
})

describe.skipIf(isMissing('mariadb'))('round trips', () => {
  it('are 6 for a delivery besides those of the handler, 4 for a duplicate or a claimed key, 6 if the handler fails, 3 for a claim', async () => {
    const trips = await countRoundTrips(server().port)
    const url = server().url.replace(String(server().port), String(trips.port))
    const inbox = inboxAt(url, { table: name('inbox') })
    await inbox.migrate()
    const webhook = newWebhook()
    const during = (handler: (client: PoolConnection) => unknown, of = newWebhook()) =>
      trips.during(() => inbox.handle(of, handler).catch(() => undefined))
    expect(await during(() => undefined, webhook)).toBe(6)
    expect(await during((client) => client.query('SELECT 1'))).toBe(7)
    expect(await during(() => undefined, sentAgain(webhook))).toBe(4)
    expect(await during(() => Promise.reject(new Error('no')))).toBe(6)
    expect(await trips.during(() => inbox.claim('key'))).toBe(3)
    const handler = vi.fn()
    expect(await trips.during(() => inbox.once('key', handler).catch(() => undefined))).toBe(4)
    expect(handler).not.toHaveBeenCalled()
    expect(await trips.during(() => inbox.once('another', () => undefined))).toBe(6)
  })
})

describe.skipIf(isMissing('mariadb'))('record', () => {
  it('records a delivery once in a transaction of the caller, also after a claim, and not if that rolls back', async () => {
    const { inbox, table, keys } = await open(own, { replayKey: () => 'k\u00e9y' })
    const { pool } = connect({ charset: 'latin1_swedish_ci' })
    const record = async (end: 'commit' | 'rollback') => {
      const connection = await pool.getConnection()
      await connection.beginTransaction()
      const isNew = await (inbox as Inbox<unknown>).record(newWebhook(), (strings, key) =>
        connection.execute<ResultSetHeader>(strings.join('?'), [key]),
      )
      await connection[end]()
      connection.release()
      return isNew
    }
    expect(await record('rollback')).toBe(true)
    expect((await inbox.claim('k\u00e9y')).status).toBe('new')
    expect(await record('commit')).toBe(true)
    expect(await record('commit')).toBe(false)
    expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('duplicate')
    expect(await keys()).toHaveLength(1)
    const statements = statementsFor([table], { ttlSeconds: 1, leaseSeconds: 1 })
    const update = statements.record[1].join("'k\u00e9y'")
    expect((await connect().run(`EXPLAIN ${update}`))[0]).toMatchObject({
      key: 'PRIMARY',
      type: 'range',
    })
  })
})
