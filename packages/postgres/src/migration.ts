import { otherShape, type InboxSettings } from '@service-signature/inbox'
import type { Driver } from './driver.js'
import { isLockTimeout, isNotAllowed } from './failures.js'
import { quoted, type TableName } from './statements.js'

const TIMESTAMP = 'timestamp with time zone'
const COLUMNS = { key: 'text', handled_at: TIMESTAMP, claim_token: 'text', claimed_until: TIMESTAMP }

/** Those that have been warned of a missing index. */
const warned = new WeakSet<Driver<unknown>>()

/**
 * Creates what is missing of the table. If nothing is, it takes no lock on it, and needs no right but to read the catalogue: a
 * lock that waits for an open handler would make all other deliveries wait.
 *
 * @throws {Error} if the table is not that of an inbox
 */
export async function migrate(
  driver: Driver<unknown>,
  table: TableName,
  { waitSeconds, timeoutSeconds }: Pick<InboxSettings, 'waitSeconds' | 'timeoutSeconds'>,
): Promise<void> {
  const before = await partsOf(driver, table)
  if (before.length > 0) checkShape(before, table)
  if (hasIndex(before, table)) return
  try {
    await driver.query(creationOf(table, waitSeconds).join(';\n'), [], waitSeconds + timeoutSeconds)
  } catch (error) {
    // An inbox works without its index. It is a transaction that uses the table, or the owner, who must add it.
    if (before.length === 0 || !(isLockTimeout(error) || isNotAllowed(error))) throw error
  }
  const after = await partsOf(driver, table)
  checkShape(after, table)
  if (!hasIndex(after, table)) warnOfIndex(driver, table)
}

/** Creates the table. `schema.sql` has the same, for the default name. */
export function schemaFor(table: TableName): readonly [table: string, index: string] {
  const name = quoted(table)
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (
  key           text COLLATE "C" PRIMARY KEY,
  handled_at    timestamptz,
  claim_token   text,
  claimed_until timestamptz
)`,
    `CREATE INDEX IF NOT EXISTS "${indexOf(table)}"
ON ${name} ((coalesce(handled_at, claimed_until)))`,
  ]
}

interface Part {
  readonly kind: 'column' | 'index'
  readonly name: string
  /** The type of a column, or the column that an index keeps unique by itself. */
  readonly of: string | null
  /** Whether it is a column that an INSERT must give a value. */
  readonly required: 'true' | 'false'
}

/** The parts of the table. None: there is no such table. Functions that print an index would lock the table. */
async function partsOf(driver: Driver<unknown>, table: TableName): Promise<readonly Part[]> {
  const rows = await driver.query(`
SELECT 'column' AS kind, attname::text AS name, format_type(atttypid, atttypmod) AS of,
  (attnotnull AND NOT atthasdef AND attidentity = '')::text AS required
FROM pg_attribute
WHERE attrelid = to_regclass('${quoted(table)}') AND attnum > 0 AND NOT attisdropped
UNION ALL
SELECT 'index', relname::text, attname::text, 'false'
FROM pg_index
JOIN pg_class ON pg_class.oid = indexrelid
LEFT JOIN pg_attribute ON indisunique AND indnkeyatts = 1 AND indpred IS NULL
  AND attrelid = indrelid AND attnum = indkey[0]
WHERE indrelid = to_regclass('${quoted(table)}')`)
  return rows as readonly object[] as readonly Part[]
}

function hasIndex(parts: readonly Part[], table: TableName): boolean {
  return parts.some(({ kind, name }) => kind === 'index' && name === indexOf(table))
}

function indexOf(table: TableName): string {
  return `${table.at(-1)!}_age`
}

/** @throws {Error} with what is wrong, and the fix */
function checkShape(parts: readonly Part[], table: TableName): void {
  const columns = parts.filter(({ kind }) => kind === 'column')
  const problems = Object.entries(COLUMNS).flatMap(([name, expected]) => {
    const type = columns.find((column) => column.name === name)?.of
    if (type === undefined) return [`no column "${name}"`]
    return type === expected ? [] : [`"${name}" is ${String(type)}, not ${expected}`]
  })
  for (const { name, required } of columns) {
    if (required === 'true' && !Object.hasOwn(COLUMNS, name)) problems.push(`"${name}" must have a value`)
  }
  if (!parts.some(({ kind, of }) => kind === 'index' && of === 'key')) {
    problems.push('no unique index on "key" alone')
  }
  if (problems.length > 0) throw otherShape(table.join('.'), problems.join(', '))
}

/** Creates the table, or adds its index while it is empty. */
function creationOf(table: TableName, waitSeconds: number): readonly string[] {
  const name = quoted(table)
  const [createTable, createIndex] = schemaFor(table)
  return [
    `SET LOCAL lock_timeout = ${Math.ceil(waitSeconds * 1000)}`,
    // One process after the other, and no delivery waits for this lock. The number is "ssig" in ASCII.
    'SELECT pg_advisory_xact_lock(1936943463)::text',
    // While it waits for a transaction that uses the table, all others wait for it.
    'SET LOCAL lock_timeout = 1000',
    `DO $$ BEGIN
IF to_regclass('${name}') IS NULL THEN
${createTable};
END IF;
IF NOT EXISTS (
  SELECT FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE indrelid = to_regclass('${name}') AND relname = '${indexOf(table)}'
) AND NOT EXISTS (SELECT FROM ${name}) THEN
${createIndex};
END IF;
END $$`,
  ]
}

function warnOfIndex(driver: Driver<unknown>, table: TableName): void {
  if (warned.has(driver)) return
  warned.add(driver)
  const statement = schemaFor(table)[1]
    .replace('INDEX IF NOT EXISTS', 'INDEX CONCURRENTLY')
    .replace('\n', ' ')
  process.emitWarning(
    `The table ${quoted(table)} has no index on the age of its rows, so that prune() reads all of them. migrate() adds none ` +
      `to a table that is in use, because deliveries would wait for it. Run: ${statement}`,
    { type: 'ServiceSignatureWarning', code: 'SERVICE_SIGNATURE_POSTGRES_INDEX' },
  )
}
