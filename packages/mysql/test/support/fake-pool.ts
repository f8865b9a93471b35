import type { MysqlClient, MysqlPool } from '@service-signature/mysql'

/** How a query ends: with an error, with this `insertId`, or not at all. */
type Ending = Error | number | 'never'

/** A pool of `mysql2/promise` with one connection, which answers as the test says. Several endings are for one query after the other. */
export function fakePool(
  endings: Readonly<Record<string, Ending | readonly Ending[]>> = {},
  rows: readonly object[] = [],
) {
  const statements: string[] = []
  const given: ('released' | 'destroyed')[] = []
  const left = Object.entries(endings).map(([name, ending]) => [name, [ending].flat()] as const)
  const connection = (): MysqlClient => ({
    query(text) {
      const name = nameOf(text)
      statements.push(name)
      const list = left.find(([each]) => each === name)?.[1] ?? []
      const ending = (list.length > 1 ? list.shift() : list[0]) ?? 4
      if (ending === 'never') return new Promise<never>(() => undefined)
      if (ending instanceof Error) return Promise.reject(ending)
      if (name === 'SELECT') return Promise.resolve([rows, undefined])
      return Promise.resolve([{ insertId: ending, affectedRows: 0 }, undefined])
    },
    release: () => given.push('released'),
    destroy: () => given.push('destroyed'),
  })
  const pool: MysqlPool = { getConnection: () => Promise.resolve(connection()) }
  return { pool, connection, statements, given }
}

function nameOf(text: string): string {
  if (text.startsWith('SET @')) return 'BEGIN'
  if (text.startsWith('SET') && text.includes('autocommit')) return 'RESTORE'
  return /^\w+/.exec(text)![0]
}

/** An error of the server, as mysql2 gives it. */
export function serverError(errno: number, sqlState = 'HY000'): Error {
  return Object.assign(new Error(`Error ${errno}`), { errno, sqlState })
}
