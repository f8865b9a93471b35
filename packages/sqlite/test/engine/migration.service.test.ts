import { sqliteInbox, type InboxOptions } from '@service-signature/sqlite'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createLibsqlClient,
  HAS_LIBSQL,
  SYNCHRONOUS,
  useFile,
  type File,
  type SynchronousDriver,
} from './support/drivers.js'
import { isMissing } from '@service-signature/contract/services'

let names = 0
const tableName = () => `migrated_${++names}`

interface Opened {
  readonly inbox: (options?: InboxOptions) => Pick<ReturnType<typeof sqliteInbox>, 'migrate' | 'once'>
  readonly run: (text: string) => unknown
}

interface Kind {
  readonly name: string
  readonly open: (file: File) => Opened
  readonly memory: () => Opened
  /** The driver of another connection: two copies of SQLite in one process would not see the locks of each other. */
  readonly driver: SynchronousDriver
}

const KINDS: readonly Kind[] = SYNCHRONOUS.map((driver) => ({
  name: driver.name,
  open: (file) => overDatabase(file.open(driver)),
  memory: () => overDatabase(driver.open(':memory:')),
  driver,
}))
const CLIENT: Kind = {
  name: '@libsql/client',
  open: (file) => overClient(file.client()),
  memory: () => overClient(createLibsqlClient('', { url: ':memory:' })),
  driver: SYNCHRONOUS.at(-1)!,
}

function overDatabase(database: ReturnType<File['open']>): Opened {
  return {
    inbox: (options) => sqliteInbox(database, options) as never,
    run: (text) => database.exec(text),
  }
}

function overClient(client: ReturnType<File['client']>): Opened {
  return {
    inbox: (options) => sqliteInbox(client, options),
    run: (text) => client.execute(text),
  }
}

describe.skipIf(isMissing('drivers')).each(HAS_LIBSQL ? [...KINDS, CLIENT] : KINDS)(
  'over $name, migrate',
  ({ open, memory, driver }) => {
    describe.each(['WAL', 'DELETE'] as const)('with journal_mode %s', (journal) => {
      const file = useFile(journal)

      it('takes no lock where the table is there, and needs none that others have to share', async () => {
        const table = tableName()
        const { inbox } = open(file)
        await inbox({ table }).migrate()
        const other = file.open(driver)
        // As a transaction of another process that is open all the time.
        other.exec(journal === 'WAL' ? 'BEGIN EXCLUSIVE' : 'BEGIN IMMEDIATE')
        await inbox({ table }).migrate()
        other.exec('COMMIT')
        expect((await inbox({ table }).once('key', () => undefined)).outcome).toBe('handled')
      })

      it('does not write where the table is there', async () => {
        const table = tableName()
        const { inbox, run } = open(file)
        await inbox({ table }).migrate()
        await run('PRAGMA query_only = ON')
        await inbox({ table }).migrate()
        await expect(inbox({ table: tableName() }).migrate()).rejects.toThrow(/read-?only/)
        await run('PRAGMA query_only = OFF')
      })

      it('waits a second for the file, not longer, and creates the table when it is free', async () => {
        const table = tableName()
        const { inbox } = open(file)
        const other = file.open(driver)
        other.exec('BEGIN EXCLUSIVE')
        vi.useFakeTimers()
        onTestFinished(() => void vi.useRealTimers())
        const refused = expect(inbox({ table, waitSeconds: 3600 }).migrate()).rejects.toMatchObject({
          code: 'ERR_REPLAY_STORE_UNAVAILABLE',
          message: expect.stringContaining('another connection locked the file for 1 s') as string,
        })
        await vi.advanceTimersByTimeAsync(1000)
        await refused
        vi.useRealTimers()
        other.exec('COMMIT')
        await inbox({ table }).migrate()
        expect((await inbox({ table }).once('key', () => undefined)).outcome).toBe('handled')
      })

      it('creates an index that is missing', async () => {
        const table = tableName()
        const { inbox, run } = open(file)
        await inbox({ table }).migrate()
        await run(`DROP INDEX ${table}_age`)
        await inbox({ table }).migrate()
        await run(`DROP INDEX ${table}_age`)
      })

      it.each([
        ['other columns', '(id INTEGER)', 'key'],
        ['one column less', '(key TEXT PRIMARY KEY, handled_at REAL, claimed_until REAL)', 'claim_token'],
        [
          'no primary key',
          '(key TEXT, handled_at REAL, claim_token TEXT, claimed_until REAL)',
          'ON CONFLICT',
        ],
      ])('rejects a table with %s', async (_what, columns, missing) => {
        const table = tableName()
        const { inbox, run } = open(file)
        await run(`CREATE TABLE ${table} ${columns}`)
        const migrating = inbox({ table }).migrate()
        await expect(migrating).rejects.toThrow(`The table "${table}" is not that of an inbox: `)
        await expect(migrating).rejects.toThrow(
          'Set "table" to another name, or rename this table: inbox.migrate() then creates its own.',
        )
        await expect(migrating).rejects.toMatchObject({
          cause: { message: expect.stringContaining(missing) as string },
        })
      })
    })

    describe('warns', () => {
      const file = useFile()
      const warn = vi.fn()
      beforeEach(() => {
        vi.spyOn(process, 'emitWarning').mockImplementation(warn)
      })
      afterEach(() => {
        vi.restoreAllMocks()
        warn.mockReset()
      })

      it.each([
        [0, 'OFF'],
        [1, 'NORMAL'],
      ])('once, if COMMIT does not wait for the disk: synchronous = %i', async (level, name) => {
        const { inbox, run } = open(file)
        await run(`PRAGMA synchronous = ${level}`)
        const table = tableName()
        await inbox({ table }).migrate()
        await inbox({ table }).migrate()
        expect(warn).toHaveBeenCalledExactlyOnceWith(
          expect.stringMatching(new RegExp(`synchronous is ${name}\\).* Run PRAGMA synchronous = FULL`)),
          { type: 'ServiceSignatureWarning', code: 'SERVICE_SIGNATURE_SQLITE_SYNCHRONOUS' },
        )
      })

      it.each([2, 3])('not if it does: synchronous = %i', async (level) => {
        const { inbox, run } = open(file)
        await run(`PRAGMA synchronous = ${level}`)
        await inbox({ table: tableName() }).migrate()
        expect(warn).not.toHaveBeenCalled()
      })

      it('not for a database in memory', async () => {
        const { inbox, run } = memory()
        await run('PRAGMA synchronous = NORMAL')
        await inbox({ table: tableName() }).migrate()
        expect(warn).not.toHaveBeenCalled()
      })

      it('of the database in which the table is', async () => {
        const { inbox, run } = open(file)
        await run('PRAGMA synchronous = FULL')
        await run(`ATTACH '${file.path()}-billing' AS billing`)
        await run('PRAGMA billing.synchronous = NORMAL')
        await inbox({ table: 'billing.inbox' }).migrate()
        expect(warn).toHaveBeenCalledOnce()
      })
    })
  },
)

describe.runIf(SYNCHRONOUS[0]!.name === 'better-sqlite3')('over better-sqlite3', () => {
  const file = useFile()

  it('warns of its default for a write-ahead log, at the first start and the next', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    for (const start of ['first', 'next']) {
      const database = SYNCHRONOUS[0]!.open(`${file.path()}-new`)
      database.prepare('PRAGMA journal_mode = WAL').all()
      await sqliteInbox(database).migrate()
      expect(warn, start).toHaveBeenCalledOnce()
      warn.mockReset()
      database.close()
    }
    warn.mockRestore()
  })
})
