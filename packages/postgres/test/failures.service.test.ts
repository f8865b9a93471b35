import { WebhookError } from '@service-signature/core'
import { startPostgres } from '@service-signature/contract/postgres-server'
import { startProxy } from '@service-signature/contract/silent-proxy'
import type { TransactionSql } from 'postgres'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SERVER_LIBRARIES, useServer, type Library, type Pool } from './support/databases.js'
import { sharedDatabase } from './support/inbox-cases.js'
import { open } from './support/open.js'
import { Gate, lostAnswerCases, newWebhook, sentAgain } from '@service-signature/contract/inbox-cases'
import { isMissing } from '@service-signature/contract/services'

const PID = 'SELECT pg_backend_pid()::text AS pid'
const UNAVAILABLE = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503, retryAfterSeconds: 10 }

/**
 * Retries, as the sender does after a 503. postgres.js reports the end of a connection again, to the first statement
 * on the next one.
 */
async function retried<Result>(handle: () => Promise<Result>): Promise<Result> {
  for (let retries = 5; ; retries--) {
    try {
      return await handle()
    } catch (error) {
      if (!WebhookError.is(error) || retries === 0) throw error
    }
  }
}

describe.skipIf(isMissing('postgres'))('over a PostgreSQL server', () => {
  const { server, database } = useServer()

  /** A pool on a database of the server, or through a proxy. */
  function connectTo(library: Library, url: string, options?: { readonly max?: number }): Pool {
    const pool = library.connect(url, options)
    onTestFinished(() => pool.close())
    return pool
  }

  describe.each(SERVER_LIBRARIES)('with $name', (library) => {
    const own = database(library)

    lostAnswerCases(sharedDatabase(own), async () => {
      const { port, ...cut } = await startProxy(server().port)
      const url = server().url.replace(String(server().port), String(port))
      // postgres.js lets the server parse the statement first.
      const loseNextAnswer = () => {
        cut.loseNextAnswer('new')
      }
      return { ...cut, inbox: connectTo(library, url, { max: 1 }).inbox, loseNextAnswer }
    })

    /** Ends the connection of a client, as a restart of the server does. */
    async function lose(client: unknown): Promise<void> {
      const [row] = await library.on(client, PID)
      const { run } = own.connect()
      await run('SELECT pg_terminate_backend($1::int)', [String(row!['pid'])])
      const isOpen = 'SELECT pid FROM pg_stat_activity WHERE pid = $1::int'
      await expect.poll(() => run(isOpen, [String(row!['pid'])])).toEqual([])
      // The client reads the end of its connection.
      await expect((async () => library.on(client, PID))()).rejects.toThrow()
    }

    it('answers 409 to a delivery that waited longer than waitSeconds', async () => {
      const { inbox, other } = await open(own, { waitSeconds: 0.05 })
      const webhook = newWebhook()
      const handler = vi.fn()
      const first = inbox.handle(webhook, async () => {
        await expect(other.handle(webhook, handler)).rejects.toMatchObject({
          code: 'ERR_DELIVERY_IN_PROGRESS',
          status: 409,
          retryAfterSeconds: 10,
        })
      })
      expect((await first).outcome).toBe('handled')
      expect(handler).not.toHaveBeenCalled()
      expect((await other.handle(webhook, handler)).outcome).toBe('duplicate')
    })

    it('reports a delivery as in progress while handle has locked its key', async () => {
      const { inbox, other } = await open(own, { replayKey: () => 'key' })
      await inbox.handle(newWebhook(), async () => {
        expect(await other.claim('key')).toEqual({ status: 'in-progress', token: '' })
      })
      expect(await other.claim('key')).toEqual({ status: 'done', token: '' })
    })

    it("gives the handler the session's own lock_timeout", async () => {
      const { inbox: makeInbox, run } = own.connect({ max: 1 })
      const inbox = makeInbox({ table: own.name('inbox') })
      await inbox.migrate()
      await run(`SET lock_timeout = '7s'`)
      const handler = (client: unknown) => library.on(client, 'SHOW lock_timeout')
      expect((await inbox.handle(newWebhook(), handler)).result).toEqual([{ lock_timeout: '7s' }])
      expect(await run('SHOW lock_timeout')).toEqual([{ lock_timeout: '7s' }])
    })

    it('works with a pool of one client, and refuses a delivery while that one is in use', async () => {
      const { inbox: makeInbox } = own.connect({ max: 1 })
      const table = own.name('inbox')
      const inbox = makeInbox({ table })
      const hasty = makeInbox({ table, timeoutSeconds: 0.1 })
      await inbox.migrate()
      const handler = vi.fn()
      const late = newWebhook()
      await inbox.handle(newWebhook(), async () => {
        await expect(hasty.handle(late, handler)).rejects.toMatchObject({
          ...UNAVAILABLE,
          message: expect.stringContaining('the pool had no free connection within 0.1 s') as string,
        })
        await expect(hasty.claim('key')).rejects.toMatchObject(UNAVAILABLE)
      })
      expect(handler).not.toHaveBeenCalled()
      // The client that arrived too late was returned to the pool.
      await expect.poll(() => inbox.claim('another').catch(() => undefined)).toBeDefined()
      expect((await inbox.handle(late, handler)).outcome).toBe('handled')
    })

    describe('refuses a delivery with 503 before the handler', () => {
      async function isRefused(inbox: ReturnType<Pool['inbox']>, reason: string): Promise<void> {
        const handler = vi.fn()
        await expect(inbox.handle(newWebhook(), handler)).rejects.toMatchObject(UNAVAILABLE)
        await expect(inbox.handle(newWebhook(), handler)).rejects.toThrow(reason)
        expect(handler).not.toHaveBeenCalled()
      }

      it('if the database is read-only', async () => {
        const name = own.name('standby')
        await own.connect().run(`CREATE DATABASE ${name}`)
        const url = server().url.replace(/\w+$/, name)
        await connectTo(library, url).inbox().migrate()
        await own.connect().run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
        await isRefused(connectTo(library, url).inbox(), 'it is read-only. Connect to the primary server.')
      })

      it('if the role has no rights on the table', async () => {
        const role = own.name('reader')
        const { table, run } = await open(own)
        await run(`CREATE ROLE ${role} LOGIN`)
        const url = server().url.replace('postgres@', `${role}@`)
        await isRefused(connectTo(library, url).inbox({ table }), 'Grant it SELECT, INSERT')
        await run(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${role}`)
        const inbox = connectTo(library, url).inbox({ table })
        expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
      })

      it('if the server has no free connection, and handles it when it has one', async () => {
        const role = own.name('crowd')
        const { table, run } = await open(own)
        await run(`CREATE ROLE ${role} LOGIN SUPERUSER`)
        await run(`ALTER ROLE ${role} NOSUPERUSER CONNECTION LIMIT 1`)
        await run(`GRANT ALL ON ${table} TO ${role}`)
        const url = server().url.replace('postgres@', `${role}@`)
        const first = library.connect(url)
        const inbox = connectTo(library, url).inbox({ table })
        await first.inbox({ table }).handle(newWebhook(), () => isRefused(inbox, 'no free connection'))
        await first.close()
        const handle = () => inbox.handle(newWebhook(), () => undefined).catch(() => undefined)
        await expect.poll(handle).toMatchObject({ outcome: 'handled' })
      })

      it('if a statement locks the table, and handles it afterwards', async () => {
        const { inbox, other, transaction, table } = await open(own, { waitSeconds: 0.05, timeoutSeconds: 1 })
        await transaction(async (client) => {
          await library.on(client, `LOCK TABLE ${table} IN SHARE MODE`)
          await isRefused(other, 'another statement has locked the table')
          await expect(other.once('key', () => undefined)).rejects.toMatchObject(UNAVAILABLE)
          await expect(other.claim('key')).rejects.toMatchObject(UNAVAILABLE)
        })
        expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
      })

      it('if a statement locks the table for longer than the lock_timeout of the session when it claims', async () => {
        const { transaction, table } = await open(own)
        const { inbox: makeInbox, run } = own.connect({ max: 1 })
        await run(`SET lock_timeout = 50`)
        await transaction(async (client) => {
          await library.on(client, `LOCK TABLE ${table} IN SHARE MODE`)
          await expect(makeInbox({ table }).claim('key')).rejects.toMatchObject({
            ...UNAVAILABLE,
            message: expect.stringContaining('another statement has locked the table') as string,
          })
        })
      })

      it('if the server cancels its statement', async () => {
        const { inbox, table } = await open(own)
        const { inbox: makeInbox, run } = own.connect({ max: 1 })
        await run(`SET statement_timeout = 50`)
        const webhook = newWebhook()
        const handler = vi.fn()
        await inbox.handle(webhook, async () => {
          await expect(makeInbox({ table }).handle(webhook, handler)).rejects.toMatchObject({
            ...UNAVAILABLE,
            message: expect.stringContaining('statement_timeout') as string,
          })
        })
        expect(handler).not.toHaveBeenCalled()
      })
    })

    describe.each(['repeatable read', 'serializable'])('with the isolation level %s', (level) => {
      it('makes a copy wait, and reports it as a duplicate', async () => {
        const name = own.name('strict')
        const { run } = own.connect()
        await run(`CREATE DATABASE ${name}`)
        await run(`ALTER DATABASE ${name} SET default_transaction_isolation = '${level}'`)
        const url = server().url.replace(/\w+$/, name)
        const [inbox, other] = [connectTo(library, url).inbox(), connectTo(library, url).inbox()]
        await inbox.migrate()
        const webhook = newWebhook()
        const handler = vi.fn()
        const [began, end] = [new Gate(), new Gate()]
        const first = inbox.handle(webhook, async () => {
          began.open()
          await end.promise
        })
        await began.promise
        const copy = other.handle(webhook, handler)
        const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = $1`
        await expect.poll(() => run(waiting, [name])).toHaveLength(1)
        end.open()
        expect((await first).outcome).toBe('handled')
        expect((await copy).outcome).toBe('duplicate')
        expect(handler).not.toHaveBeenCalled()
      })
    })

    describe('whose connection is lost while the handler runs', () => {
      it('is not reported as handled, and a retry is handled', async () => {
        const { inbox, book, booked } = await open(own)
        const webhook = newWebhook()
        const losing = inbox.handle(webhook, async (client) => {
          await book(client)
          await lose(client)
        })
        await expect(losing).rejects.toMatchObject({
          ...UNAVAILABLE,
          message: expect.stringContaining('A retry finds out how it ended') as string,
        })
        expect(await booked()).toEqual([])
        expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('handled')
        expect(await booked()).toEqual(['a payment'])
      })

      it('is not reported as handled if it is lost between the check and the end of COMMIT', async () => {
        const { inbox, book, booked, run } = await open(own)
        const [orders, kill] = [own.name('orders'), own.name('kill')]
        await run(`CREATE TABLE ${orders} (id text)`)
        await run(`CREATE FUNCTION ${kill}() RETURNS trigger LANGUAGE plpgsql
                   AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'`)
        await run(`CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON ${orders}
                   DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${kill}()`)
        const webhook = newWebhook()
        const losing = inbox.handle(webhook, async (client) => {
          await book(client)
          await library.on(client, `INSERT INTO ${orders} VALUES ('an order')`)
        })
        await expect(losing).rejects.toMatchObject({
          ...UNAVAILABLE,
          message: expect.stringContaining('A retry finds out how it ended') as string,
        })
        expect(await booked()).toEqual([])
        const retry = () => inbox.handle(webhook, (client) => book(client))
        expect((await retried(retry)).outcome).toBe('handled')
        expect(await booked()).toEqual(['a payment'])
      })

      it('passes the error of the handler on', async () => {
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

      it('neither writes into another transaction nor ends it', async () => {
        const { table, book, booked } = await open(own)
        // One connection, so that another one takes the place of the one that is lost.
        const inbox = own.connect({ max: 1 }).inbox({ table })
        const [lost, began, end] = [new Gate(), new Gate(), new Gate()]
        const handlers = [
          (client: unknown) => book(client, 'the first'),
          (client: unknown) => library.recover(client, 'SELECT 1 / 0'),
        ]
        const first = inbox.handle(newWebhook(), async (client) => {
          await lose(client)
          lost.open()
          // pg opens no other connection before this one is given back.
          if (library.name === 'postgres.js') await began.promise
          for (const handler of handlers) {
            await expect((async () => handler(client))()).rejects.toThrow()
          }
        })
        await lost.promise
        const second = expect(
          retried(() =>
            inbox.handle(newWebhook(), async (client) => {
              await book(client, 'the second')
              began.open()
              await end.promise
              throw new Error('the second failed')
            }),
          ),
        ).rejects.toThrow('the second failed')
        await expect(first).rejects.toMatchObject(UNAVAILABLE)
        end.open()
        await second
        expect(await booked()).toEqual([])
      })
    })

    it('works again when the server is up again', async () => {
      const restarted = await startPostgres()
      onTestFinished(restarted.stop)
      const inbox = connectTo(library, restarted.url).inbox({ timeoutSeconds: 1 })
      await inbox.migrate()
      const [webhook, other] = [newWebhook(), newWebhook()]
      expect((await inbox.handle(webhook, () => undefined)).outcome).toBe('handled')
      await expect(inbox.handle(other, () => restarted.kill())).rejects.toMatchObject(UNAVAILABLE)
      const handler = vi.fn()
      await expect(inbox.handle(newWebhook(), handler)).rejects.toMatchObject(UNAVAILABLE)
      await expect(inbox.claim('key')).rejects.toMatchObject(UNAVAILABLE)
      expect(handler).not.toHaveBeenCalled()
      await restarted.restart()
      const outcomeOf = async (of: typeof webhook) => {
        try {
          return (await inbox.handle(sentAgain(of), () => undefined)).outcome
        } catch {
          return 'refused'
        }
      }
      await expect.poll(() => outcomeOf(webhook)).toBe('duplicate')
      expect(await outcomeOf(other)).toBe('handled')
    })

    it('works again when a half-open connection is replaced', async () => {
      const { table, booked, book } = await open(own)
      const proxy = await startProxy(server().port)
      const url = server().url.replace(String(server().port), String(proxy.port))
      const inbox = connectTo(library, url).inbox({ table, timeoutSeconds: 1, waitSeconds: 1 })
      expect((await inbox.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
      proxy.goSilent()
      const handler = vi.fn()
      const webhook = newWebhook()
      await expect(inbox.handle(webhook, handler)).rejects.toMatchObject(UNAVAILABLE)
      await expect(inbox.claim('key')).rejects.toMatchObject(UNAVAILABLE)
      expect(handler).not.toHaveBeenCalled()
      proxy.heal()
      const handle = () => inbox.handle(webhook, (client) => book(client)).catch(() => undefined)
      await expect.poll(handle).toBeDefined()
      expect(await booked()).toEqual(['a payment'])

      const goingSilent = inbox.handle(newWebhook(), async (client) => {
        await book(client, 'another')
        proxy.goSilent()
      })
      await expect(goingSilent).rejects.toMatchObject(UNAVAILABLE)
      const failing = inbox.handle(newWebhook(), () => undefined)
      await expect(failing).rejects.toMatchObject(UNAVAILABLE)
      expect(await booked()).toEqual(['a payment'])
    })
  })

  // postgres.js drops the message of the server.
  it('says so, over pg, if the server has ended the transaction of a handler that was idle for too long', async () => {
    const library = SERVER_LIBRARIES[0]!
    const own = database(library)
    const { inbox, book, booked } = await open(own)
    const webhook = newWebhook()
    const { run } = own.connect()
    const idle = inbox.handle(webhook, async (client) => {
      await book(client)
      const [row] = await library.on(client, PID)
      await library.on(client, `SET idle_in_transaction_session_timeout = 20`)
      const isOpen = 'SELECT pid FROM pg_stat_activity WHERE pid = $1::int'
      await expect.poll(() => run(isOpen, [String(row!['pid'])])).toEqual([])
      await expect((async () => library.on(client, PID))()).rejects.toThrow()
    })
    await expect(idle).rejects.toMatchObject({
      ...UNAVAILABLE,
      message: expect.stringContaining('idle_in_transaction_session_timeout') as string,
    })
    expect(await booked()).toEqual([])
    expect((await retried(() => inbox.handle(webhook, (client) => book(client)))).outcome).toBe('handled')
    expect(await booked()).toEqual(['a payment'])
  })

  it('does not let a handler of pg release the client', async () => {
    const { inbox, booked, book } = await open(database(SERVER_LIBRARIES[0]!))
    const releasing = inbox.handle(newWebhook(), async (client) => {
      await book(client)
      ;(client as { release: () => void }).release()
    })
    await expect(releasing).rejects.toThrow('The inbox releases the client itself')
    expect(await booked()).toEqual([])
  })

  it('does not end a savepoint of postgres.js in another transaction', async () => {
    const own = database(SERVER_LIBRARIES[1]!)
    const { table, book, booked, run } = await open(own)
    const inbox = own.connect({ max: 1 }).inbox({ table })
    const [lost, began] = [new Gate(), new Gate()]
    const failure = new Error('the first failed')
    const first = inbox.handle(newWebhook(), (client) =>
      (client as TransactionSql).savepoint(async (inner) => {
        const [row] = await inner.unsafe(PID)
        await run('SELECT pg_terminate_backend($1::int)', [String(row!['pid'])])
        await expect((async () => inner.unsafe('SELECT pg_sleep(60)'))()).rejects.toThrow()
        lost.open()
        await began.promise
        throw failure
      }),
    )
    first.catch(() => undefined)
    await lost.promise
    const handleSecond = () =>
      inbox.handle(newWebhook(), (client) =>
        (client as TransactionSql).savepoint(async (inner) => {
          await book(inner, 'the second')
          began.open()
          await expect(first).rejects.toThrow()
          // Time for a ROLLBACK TO that the first must not send.
          for (let i = 0; i < 10; i++) await inner.unsafe('SELECT pg_sleep(0.01)')
          await book(inner, 'more')
        }),
      )
    expect((await retried(handleSecond)).outcome).toBe('handled')
    expect(await booked()).toEqual(['the second', 'more'])
  })
})
