import { startPostgres, type PostgresServer } from '@service-signature/contract/postgres-server'
import { postgresInbox, type Inbox, type InboxOptions } from '@service-signature/postgres'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

export type Rows = readonly Readonly<Record<string, unknown>>[]

/** A pool of one of the packages, with the operations of the tests. */
export interface Pool {
  readonly inbox: (options?: InboxOptions) => Inbox<unknown>
  /** Runs a statement in a transaction of its own. */
  readonly run: (text: string, values?: string[]) => Promise<Rows>
  /** Runs a function in a transaction of the caller, like an application with its own transactions. */
  readonly transaction: <Result>(run: (client: unknown) => Promise<Result>) => Promise<Result>
  readonly close: () => Promise<void>
}

export interface Library {
  readonly name: string
  /** Whether two transactions can be open at once. */
  readonly isConcurrent: boolean
  readonly connect: (url: string, options?: { readonly max?: number }) => Pool
  /** Runs a statement on the client that a handler gets. */
  readonly on: (client: unknown, text: string, values?: string[]) => Promise<Rows>
  /** Runs a statement that fails, and continues after a rollback to a savepoint. */
  readonly recover: (client: unknown, text: string) => Promise<void>
}

const withPg: Library = {
  name: 'pg',
  isConcurrent: true,
  connect(connectionString, options = {}) {
    const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 1000, ...options })
    pool.on('error', () => undefined)
    return {
      inbox: (options) => postgresInbox(pool, options),
      run: async (text, values) => (await pool.query<Rows[number]>(text, values)).rows,
      async transaction(run) {
        const client = await pool.connect()
        try {
          await client.query('BEGIN')
          const result = await run(client)
          await client.query('COMMIT')
          return result
        } catch (error) {
          await client.query('ROLLBACK')
          throw error
        } finally {
          client.release()
        }
      },
      close: () => pool.end(),
    }
  },
  on: async (client, text, values) =>
    (await (client as pg.PoolClient).query<Rows[number]>(text, values)).rows,
  recover: (client, text) => recover((statement) => withPg.on(client, statement), text),
}

const withPostgresJs: Library = {
  name: 'postgres.js',
  isConcurrent: true,
  connect(url, { max = 10 } = {}) {
    const sql = postgres(url, { max, onnotice: () => undefined })
    return {
      inbox: (options) => postgresInbox(sql, options),
      run: async (text, values) => sql.unsafe(text, values),
      transaction: (run) => sql.begin(run) as ReturnType<typeof run>,
      close: () => sql.end({ timeout: 1 }),
    }
  },
  on: async (client, text, values) => (client as postgres.TransactionSql).unsafe(text, values),
  async recover(client, text) {
    const run = (inner: postgres.TransactionSql) => inner.unsafe(text)
    await (client as postgres.TransactionSql).savepoint(run).catch((error: unknown) => {
      if (!(error instanceof postgres.PostgresError)) throw error
    })
  },
}

export const SERVER_LIBRARIES = [withPg, withPostgresJs]

/** Runs a statement that fails between a savepoint and the rollback to it. */
export async function recover(run: (text: string) => Promise<unknown>, text: string): Promise<void> {
  await run('SAVEPOINT here')
  await run(text).catch(() => run('ROLLBACK TO here'))
}

/** A database for the tests of a `describe`. */
export interface TestDatabase {
  readonly library: Library
  /** Another pool, which the test closes. */
  readonly connect: (options?: { readonly max?: number }) => Pool
  /** Returns names that are unique in the tests. */
  readonly name: (of: string) => string
}

let names = 0
export const name = (of: string) => `${of}_${++names}`

/** A PostgreSQL server for the tests of a `describe`. */
export function useServer(settings?: Parameters<typeof startPostgres>[0]) {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(settings)
  })
  afterAll(() => server.stop())
  return {
    server: () => server,
    database: (library: Library): TestDatabase => ({
      library,
      name,
      connect(options) {
        const pool = library.connect(server.url, options)
        onTestFinished(() => pool.close())
        return pool
      },
    }),
  }
}
