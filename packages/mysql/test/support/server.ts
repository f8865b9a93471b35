import type { TestDatabase } from '@service-signature/contract/inbox-cases'
import { startMariadb, type MariadbServer } from '@service-signature/contract/mariadb-server'
import { mysqlInbox, type Inbox, type InboxOptions } from '@service-signature/mysql'
import mysql from 'mysql2'
import promises, { type PoolConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'

/** The two pools of mysql2. */
export const POOLS = ['mysql2/promise', 'mysql2'] as const

export interface Connection {
  readonly inbox: (options?: InboxOptions) => Inbox<PoolConnection>
  readonly pool: promises.Pool
  readonly run: (text: string) => Promise<RowDataPacket[]>
}

/** A server for the tests of a `describe`. */
export function useServer(settings?: Readonly<Record<string, string>>) {
  let server: MariadbServer
  beforeAll(async () => {
    server = await startMariadb(settings)
  })
  afterAll(() => server.stop())

  let names = 0
  const name = (of: string) => `${of}_${++names}`
  /** The test ends the pool. */
  const connect = (
    options: promises.PoolOptions = {},
    kind: (typeof POOLS)[number] = POOLS[0],
  ): Connection => {
    const config = { uri: server.url, multipleStatements: false, ...options }
    const core = kind === 'mysql2' ? mysql.createPool(config) : undefined
    const pool = core?.promise() ?? promises.createPool(config)
    onTestFinished(() => pool.end().catch(() => undefined))
    return {
      inbox: (options) => mysqlInbox(core ?? pool, options),
      pool,
      run: async (text) => (await pool.query<RowDataPacket[]>(text))[0],
    }
  }
  const database = (kind: (typeof POOLS)[number], options?: promises.PoolOptions): TestDatabase => ({
    connect({ max = 10 } = {}) {
      const { inbox, run } = connect({ connectionLimit: max, ...options }, kind)
      return { inbox: (options) => inbox(options), run }
    },
    on: async (client, text) => (await (client as PoolConnection).query<ResultSetHeader>(text))[0],
    name,
    quoted: (text) => `\`${text}\``,
    earlier: (column, seconds) => `${column} - INTERVAL ${seconds} SECOND`,
    insertOld: (table, count) =>
      `INSERT INTO ${table} (\`key\`, handled_at) SELECT seq, UTC_TIMESTAMP(6) - INTERVAL 31 DAY FROM seq_1_to_${count}`,
    noTable: 'ER_NO_SUCH_TABLE',
  })
  /** Resolves when a statement waits for a lock. */
  const isWaiting = async () => {
    const { run } = connect({ connectionLimit: 1 })
    const waiting = `SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'`
    await expect.poll(async () => (await run(waiting))[0]!['Value'] as string).not.toBe('0')
  }
  return { server: () => server, connect, database, name, isWaiting }
}

/** The inbox of a pool with a URL of its own. */
export function inboxAt(url: string, options: InboxOptions = {}): Inbox<PoolConnection> {
  const pool = promises.createPool(url)
  onTestFinished(() => pool.end().catch(() => undefined))
  return mysqlInbox(pool, options)
}
