import type { Driver } from './driver.js'

const LEVELS = ['OFF', 'NORMAL']

const checked = new WeakSet()

/**
 * Warns if COMMIT does not wait for the disk, once for each database. It is asked after a statement has read the file: only then
 * does better-sqlite3 lower its own default for a write-ahead log.
 *
 * @param schema of the table, such as `main`
 */
export async function warnUnlessDurable(
  database: object,
  { pragma, call }: Pick<Driver<never>, 'pragma' | 'call'>,
  schema: string,
): Promise<void> {
  if (checked.has(database)) return
  checked.add(database)
  const [row] = await pragma(`PRAGMA "${schema}".synchronous`)
  const level = LEVELS[row!['synchronous'] as number]
  if (level === undefined) return
  const files = await pragma('PRAGMA database_list')
  // A database in memory has no file.
  if (files.find(({ name }) => name === schema)?.['file'] === '') return
  process.emitWarning(
    `SQLite does not wait for the disk at COMMIT (PRAGMA synchronous is ${level}): after a power failure, deliveries that were ` +
      `acknowledged may be missing, and the sender does not retry them. Open the database with ${call}('PRAGMA synchronous = FULL')`,
    { type: 'ServiceSignatureWarning', code: 'SERVICE_SIGNATURE_SQLITE_SYNCHRONOUS' },
  )
}
