import type { TestConnection, TestDatabase, TestInbox } from '@service-signature/contract/inbox-cases'
import { isMissing } from '@service-signature/contract/services'
import type { TransactionInboxOptions } from '@service-signature/inbox'
import { sqliteInbox, type LibsqlTransaction, type SqliteDatabase } from '@service-signature/sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

/** A database without promises, of any driver. */
export interface Synchronous extends SqliteDatabase {
  prepare(sql: string): {
    all(...values: unknown[]): Record<string, unknown>[]
    run(...values: unknown[]): { readonly changes: number | bigint }
  }
  readonly inTransaction?: boolean
  readonly isTransaction?: boolean
  readonly isOpen?: boolean
  readonly open?: unknown
  close(): void
}

export interface SynchronousDriver {
  readonly name: string
  /** The code of an error whose statement is wrong. */
  readonly wrong: string
  readonly open: (file: string) => Synchronous
}

const load = createRequire(import.meta.url)
type Constructor = new (file: string) => Synchronous

const ALL: readonly SynchronousDriver[] = [
  // It is compiled where npm has no binary.
  ...(isMissing('better-sqlite3') ? ['libsql'] : ['better-sqlite3', 'libsql']).map((name) => ({
    name,
    wrong: 'SQLITE_ERROR',
    open: (file: string) => new (load(name) as Constructor)(file),
  })),
  {
    name: 'node:sqlite',
    wrong: 'ERR_SQLITE_ERROR',
    open(file) {
      const { DatabaseSync } = load('node:sqlite') as { readonly DatabaseSync: Constructor }
      return new DatabaseSync(file)
    },
  },
]

/** Node 20 has no node:sqlite: its tests are run by a Node 22, whose better-sqlite3 would be another binary. */
export const SYNCHRONOUS = ALL.filter(
  ({ name }) => (name === 'node:sqlite') === (process.env['OVER_NODE_SQLITE'] === 'yes'),
)
export const HAS_LIBSQL = SYNCHRONOUS.some(({ name }) => name === 'libsql')

export interface LibsqlTestClient {
  readonly protocol: string
  execute(statement: string | { sql: string; args: string[] }): Promise<{ readonly rows: object[] }>
  executeMultiple(sql: string): Promise<void>
  transaction(mode?: 'deferred' | 'write'): Promise<LibsqlTransaction & { rollback(): Promise<void> }>
  reconnect(): Promise<void>
  close(): void
}

export function createLibsqlClient(file: string, options: object = {}): LibsqlTestClient {
  const { createClient } = load('@libsql/client') as { createClient: (config: object) => LibsqlTestClient }
  return createClient({ url: `file:${file}`, ...options })
}

/** A file for the tests of a `describe`, whose connections the tests open. */
export function useFile(journal: 'WAL' | 'DELETE' = 'WAL') {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sqlite-inbox-'))
    const [{ open }] = SYNCHRONOUS as [SynchronousDriver]
    const database = open(join(folder, 'shop.db'))
    database.prepare(`PRAGMA journal_mode = ${journal}`).all()
    database.close()
  })
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })
  const path = () => join(folder, 'shop.db')
  return {
    path,
    open({ open }: SynchronousDriver): Synchronous {
      const database = open(path())
      onTestFinished(() => {
        if (isOpen(database)) database.close()
      })
      return database
    },
    client(options?: object): LibsqlTestClient {
      const client = createLibsqlClient(path(), options)
      onTestFinished(() => {
        client.close()
      })
      return client
    },
  }
}

export type File = ReturnType<typeof useFile>

export function isOpen(database: Synchronous): boolean {
  return database.isOpen ?? database.open === true
}

let names = 0

const SQL = {
  name: (of: string) => `${of}_${++names}`,
  quoted: (name: string) => `"${name}"`,
  earlier: (column: string, seconds: number) => `${column} - ${seconds}`,
  insertOld: (table: string, count: number) => `
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
INSERT INTO ${table} (key, handled_at) SELECT 'old ' || i, unixepoch() - 31 * 86400 FROM n`,
} as const

export function overDriver(file: File, driver: SynchronousDriver): TestDatabase {
  return {
    ...SQL,
    noTable: driver.wrong,
    connect(): TestConnection {
      const database = file.open(driver)
      return {
        inbox: (options?: TransactionInboxOptions) => sqliteInbox(database, options) as unknown as TestInbox,
        run: (text) => Promise.resolve(runOn(database, text)),
      }
    },
    on: (client, text) => {
      ;(client as Synchronous).exec(text)
    },
  }
}

export function runOn(database: Synchronous, text: string): Record<string, unknown>[] {
  if (/^\s*(?:SELECT|PRAGMA)/.test(text)) return database.prepare(text).all()
  database.exec(text)
  return []
}

/** @param onBegin called when an inbox begins a transaction, or tries to */
export function overClient(file: File, onBegin: () => void = () => undefined): TestDatabase {
  return {
    ...SQL,
    noTable: 'SQLITE_ERROR',
    connect(): TestConnection {
      const client = file.client()
      const begin = client.transaction.bind(client)
      client.transaction = (mode) => {
        onBegin()
        return begin(mode)
      }
      return {
        inbox: (options?: TransactionInboxOptions) => sqliteInbox(client, options),
        run: async (text) => (await client.execute(text)).rows as Record<string, unknown>[],
      }
    },
    on: (client, text) => (client as LibsqlTransaction).execute({ sql: text, args: [] }),
  }
}
