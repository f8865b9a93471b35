import type { Driver } from './driver.js'
import { PgDriver, type PgPool } from './pg.js'
import { PgliteDriver, type PgliteDatabase } from './pglite.js'
import { PostgresJsDriver, type PostgresJs } from './postgres-js.js'

/** @throws {TypeError} if it is not a pool of a supported package */
export function driverFor(pool: unknown, seconds: number): Driver<unknown> {
  const { connect, on, totalCount, begin, unsafe, transaction, query, exec } = Object(pool) as Record<
    string,
    unknown
  >
  if (areFunctions(connect, on) && typeof totalCount === 'number')
    return new PgDriver(pool as PgPool, seconds)
  if (areFunctions(pool, begin, unsafe)) return new PostgresJsDriver(pool as PostgresJs, seconds)
  if (areFunctions(transaction, query, exec)) return new PgliteDriver(pool as PgliteDatabase, seconds)
  throw new TypeError(
    'postgresInbox needs a pool of the package "pg" (new Pool()), "postgres" (postgres(url)) or ' +
      '"@electric-sql/pglite" (new PGlite()), not a single client or a transaction',
  )
}

function areFunctions(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'function')
}
