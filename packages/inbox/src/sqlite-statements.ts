import type { Claims } from './handling.js'
import type { Times } from './options.js'
import { PRUNE_BATCH } from './stored-keys.js'

export type SqliteStatements = ReturnType<typeof sqliteStatements>
export type SqliteRow = Readonly<Record<string, unknown>>

/**
 * The statements of an inbox in the SQL of SQLite, from version 3.35. `?1` is the key, `?2` the token. Times are seconds since
 * 1970, by the clock of the database.
 *
 * @param parts of `table` or `schema.table`, plain identifiers
 */
export function sqliteStatements(parts: readonly string[], { leaseSeconds, ttlSeconds }: Times) {
  // Quoted because a plain name may be a word of SQL, such as "order".
  const table = parts.map((part) => `"${part}"`).join('.')
  const index = [...parts.slice(0, -1), `${parts.at(-1)!}_age`].map((part) => `"${part}"`)
  // Before version 3.42, unixepoch('subsec') is NULL, and a delivery that was handled would be new again.
  const now = `((julianday('now') - 2440587.5) * 86400.0)`
  const handled = `handled_at = ${now}, claim_token = NULL, claimed_until = NULL`
  const ifLapsed = (then: string, column: string) =>
    `CASE WHEN coalesce(known.handled_at + ${ttlSeconds}, known.claimed_until) < ${now} THEN ${then} ELSE known.${column} END`
  const insertOrFail = (isNew: string) =>
    `INSERT INTO ${table} AS known (key, handled_at) VALUES (?1, ${now})
ON CONFLICT (key) DO UPDATE SET key = CASE WHEN ${isNew} THEN key END, ${handled}`

  const insert = `INSERT INTO ${table} AS known (key, handled_at) VALUES (?1, ${now})
ON CONFLICT (key) DO UPDATE SET ${handled} WHERE known.handled_at IS NULL`

  return {
    schema: [
      `CREATE TABLE IF NOT EXISTS ${table} (
  key           TEXT NOT NULL PRIMARY KEY,
  handled_at    REAL,
  claim_token   TEXT,
  claimed_until REAL
) WITHOUT ROWID`,
      `CREATE INDEX IF NOT EXISTS ${index.join('.')} ON "${parts.at(-1)!}" (coalesce(handled_at, claimed_until))`,
    ],

    /** Fails without the index. No row is that old. */
    readIndex: `SELECT key FROM ${table} INDEXED BY ${index.at(-1)!} WHERE coalesce(handled_at, claimed_until) < 0`,

    /**
     * Inserts a key in a transaction. No row: it is not new. An adapter with "replay: inbox" has claimed the same row before;
     * that is not a duplicate.
     */
    insert: {
      ignored: `${insert} RETURNING 1`,
      honoured: `${insert} AND known.claimed_until < ${now} RETURNING 1`,
    },

    /** The row of a key that is not new. No row: it is claimed. */
    isHandled: `SELECT 1 FROM ${table} WHERE key = ?1 AND handled_at IS NOT NULL`,

    /** The same for a batch, in which only an error prevents the other statements: that NULL is not a key. */
    insertOrFail: {
      ignored: insertOrFail('known.handled_at IS NULL'),
      honoured: insertOrFail(`known.handled_at IS NULL AND known.claimed_until < ${now}`),
    } satisfies Record<Claims, string>,

    /** One row with the `state` of a key that was there. It writes, so that a session of D1 asks no replica. */
    state: `UPDATE ${table} SET key = key WHERE key = ?1 RETURNING CASE
  WHEN handled_at IS NOT NULL THEN 'handled' WHEN claimed_until < ${now} THEN 'new' ELSE 'claimed' END AS state`,

    /** One row with the `status`. */
    claim: `INSERT INTO ${table} AS known (key, claim_token, claimed_until) VALUES (?1, ?2, ${now} + ${leaseSeconds})
ON CONFLICT (key) DO UPDATE SET
  handled_at = ${ifLapsed('NULL', 'handled_at')},
  claim_token = ${ifLapsed('excluded.claim_token', 'claim_token')},
  claimed_until = ${ifLapsed('excluded.claimed_until', 'claimed_until')}
RETURNING CASE WHEN claim_token IS ?2 THEN 'new' WHEN handled_at IS NULL THEN 'in-progress' ELSE 'done' END AS status`,

    commit: `INSERT INTO ${table} AS known (key, handled_at) VALUES (?1, ${now})
ON CONFLICT (key) DO UPDATE SET ${handled}
WHERE known.handled_at IS NULL AND (known.claim_token = ?2 OR known.claimed_until < ${now})`,

    release: `DELETE FROM ${table} WHERE key = ?1 AND claim_token = ?2 AND handled_at IS NULL`,

    /** Locks the database file for the rest of a transaction, and changes nothing. */
    lock: `DELETE FROM ${table} WHERE 0`,

    /** One batch of old keys. */
    prune: `DELETE FROM ${table} WHERE key IN (
  SELECT key FROM ${table} WHERE coalesce(handled_at, claimed_until) < ${now} - ${ttlSeconds}
  ORDER BY coalesce(handled_at, claimed_until) LIMIT ${PRUNE_BATCH}
)`,
  } as const
}
