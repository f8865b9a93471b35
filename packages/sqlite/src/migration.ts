import { messageOf, otherShape, type SqliteStatements } from '@service-signature/inbox'
import type { synchronousDriver } from './synchronous.js'

/** How long it waits for the file. */
const SECONDS = 1
const OTHER_SHAPE = /no such column|has no column named|ON CONFLICT clause does not match|no query solution/
/** At these, COMMIT does not wait for the disk. */
const LEVELS = ['OFF', 'NORMAL']

const warned = new WeakSet()

/**
 * Creates the table and its index, unless they are there: then it needs neither the lock of the file nor the right to write.
 *
 * @throws {Error} if the table is not that of an inbox
 */
export async function migrate(
  database: object,
  { execute }: Pick<ReturnType<typeof synchronousDriver>, 'execute'>,
  sql: SqliteStatements,
  table: readonly string[],
): Promise<void> {
  const schema = table.length > 1 ? table[0]! : 'main'
  // Asked after a statement has read the file: only then does better-sqlite3 lower its own default for a write-ahead log.
  const durability = `SELECT synchronous, (SELECT file FROM pragma_database_list WHERE name = '${schema}') AS file
FROM pragma_synchronous WHERE schema = '${schema}'`
  const look = `EXPLAIN ${sql.claim};${sql.readIndex}`
  const [row] = await execute(look, durability, SECONDS).catch((error: unknown) => {
    const message = messageOf(error)
    if (OTHER_SHAPE.test(message)) throw otherShape(table.join('.'), message, { cause: error })
    if (!/no such (?:table|index)/.test(message)) throw error
    return execute(sql.schema.join(';'), durability, SECONDS)
  })
  const level = LEVELS[row!['synchronous'] as number]
  // A database in memory has no file.
  if (level === undefined || row!['file'] === '' || warned.has(database)) return
  warned.add(database)
  process.emitWarning(
    `SQLite does not wait for the disk at COMMIT (PRAGMA synchronous is ${level}): after a power failure, deliveries that were ` +
      'acknowledged may be missing, and the sender does not retry them. Run PRAGMA synchronous = FULL after you open the database',
    { type: 'ServiceSignatureWarning', code: 'SERVICE_SIGNATURE_SQLITE_SYNCHRONOUS' },
  )
}
