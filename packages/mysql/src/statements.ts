import type { Claims, KeyState, Times } from '@service-signature/inbox'

/** What the `insertId` of `insert` means. With any other, the key is new. */
export const STATES: Readonly<Record<number, KeyState>> = { 1: 'claimed', 2: 'handled' }
/** The `insertId` of `insert` if the key is new, and the session is in autocommit mode outside of the inbox. */
export const NEW_IN_AUTOCOMMIT = 4
/** What the `insertId` of `claim` means. */
export const CLAIMS = ['new', 'in-progress', 'done'] as const

const NOW = 'UTC_TIMESTAMP(6)'
const UTF8 = ' USING utf8mb4)'
const OWN_AUTOCOMMIT = '@service_signature_autocommit'
const OWN_WAIT = '@service_signature_lock_wait'
const OWN_TABLE_WAIT = '@service_signature_table_wait'
const COLUMNS = '`key`, handled_at, claim_token, claimed_until, aged_at'

/**
 * The statements of an inbox, for its table. Their results are in LAST_INSERT_ID, because the count of affected rows depends on flags
 * of the client. The order of assignments makes no difference, because SIMULTANEOUS_ASSIGNMENT is a mode of MariaDB.
 */
export function statementsFor(table: readonly string[], { leaseSeconds, ttlSeconds }: Times) {
  // Quoted because a plain name may be a word of SQL, such as "order".
  const name = table.map((part) => `\`${part}\``).join('.')
  const insert = `INSERT INTO ${name} (\`key\`, handled_at)`
  const leaseEnd = `${NOW} + INTERVAL ${leaseSeconds} SECOND`
  const old = `aged_at < ${NOW} - INTERVAL ${ttlSeconds} SECOND`
  const lapsed = `COALESCE(handled_at + INTERVAL ${ttlSeconds} SECOND, claimed_until) < ${NOW}`
  const unlessClaimed = { ignored: '', honoured: ` AND claimed_until < ${NOW}` }
  return {
    /** `schema.sql` has the same, for the default name. A key has up to 255 characters of up to 3 bytes. */
    schema: `CREATE TABLE IF NOT EXISTS ${name} (
  \`key\`         VARBINARY(765) NOT NULL PRIMARY KEY,
  handled_at    DATETIME(6),
  claim_token   VARBINARY(36),
  claimed_until DATETIME(6),
  aged_at       DATETIME(6) AS (COALESCE(handled_at, claimed_until)) STORED,
  INDEX aged (aged_at)
) ENGINE = InnoDB`,

    /** Fails unless the table has the columns of an inbox. It reads no row, and locks none. */
    look: `SELECT ${COLUMNS} FROM ${name} LIMIT 0`,

    /** The rows of a key, also those that another transaction has inserted, but not committed. */
    find: (key: string) => `SELECT 1 FROM ${name} WHERE \`key\` = ${textOf(key)}`,

    /**
     * Inserts a key in a transaction. An adapter with "replay: inbox" has claimed the same row before; that is not a duplicate, and the
     * claim that remains in a handled row has no meaning.
     */
    insert: (key: string, claims: Claims) => `${insert}
VALUES (${textOf(key)}, IF(LAST_INSERT_ID(3 + ${OWN_AUTOCOMMIT}), ${NOW}, NULL))
ON DUPLICATE KEY UPDATE handled_at = IF(handled_at IS NULL${unlessClaimed[claims]}, ${NOW},
  IF(LAST_INSERT_ID(IF(handled_at IS NULL, 1, 2)), handled_at, NULL))`,

    /** Insert a key in a transaction of the caller, as the texts around it: the first, or if the key was there, the second. */
    record: [
      [`INSERT IGNORE INTO ${name} SET handled_at = ${NOW}, \`key\` = CONVERT(`, UTF8],
      [`UPDATE ${name} SET handled_at = ${NOW} WHERE handled_at IS NULL AND \`key\` = CONVERT(`, UTF8],
    ],

    claim: (key: string, token: string) => `INSERT INTO ${name} (\`key\`, claim_token, claimed_until)
VALUES (${textOf(key)}, ${textOf(token)}, ${leaseEnd})
ON DUPLICATE KEY UPDATE
  claim_token = IF(${lapsed}, ${textOf(token)}, IF(LAST_INSERT_ID(IF(handled_at IS NULL, 1, 2)), claim_token, NULL)),
  claimed_until = IF(${lapsed}, ${leaseEnd}, claimed_until),
  handled_at = IF(${lapsed}, NULL, handled_at)`,

    /** The lease may have run out: the delivery was handled anyway. */
    commit: (key: string, token: string) => `${insert}
VALUES (${textOf(key)}, ${NOW})
ON DUPLICATE KEY UPDATE handled_at =
  IF(handled_at IS NULL AND (claim_token = ${textOf(token)} OR claimed_until < ${NOW}), ${NOW}, handled_at)`,

    release: (key: string, token: string) => `DELETE FROM ${name}
WHERE \`key\` = ${textOf(key)} AND claim_token = ${textOf(token)} AND handled_at IS NULL`,

    /** Old keys, which are read without locks. */
    oldKeys: (limit: number) =>
      `SELECT HEX(\`key\`) FROM ${name} WHERE ${old} ORDER BY aged_at LIMIT ${limit}`,

    /**
     * Deletes keys by their names, unless one of them was claimed meanwhile. By the primary key, it locks no other key, and no gap
     * between keys: only the DELETE of several tables has hints.
     */
    deleteOld: (keys: readonly string[]) => `DELETE known FROM ${name} AS known FORCE INDEX (PRIMARY)
WHERE \`key\` IN (${keys.map((key) => `X'${key}'`).join()}) AND ${old}`,
  } as const
}

/**
 * Saves the settings of the session, and ends a transaction that another user of the connection has left open, whose snapshot is
 * old. Without autocommit, what a handler does after it swallowed a deadlock is rolled back, too.
 *
 * @param waitSeconds for a lock of a row or of the table
 */
export const begin = (autocommit: 0 | 1, waitSeconds: number) =>
  `SET ${OWN_AUTOCOMMIT} = @@autocommit, ${OWN_WAIT} = @@innodb_lock_wait_timeout, ${OWN_TABLE_WAIT} = @@lock_wait_timeout,
autocommit = 1, autocommit = ${autocommit}, innodb_lock_wait_timeout = ${Math.ceil(waitSeconds)}, lock_wait_timeout = ${Math.ceil(waitSeconds)}`

/** Ends the transaction of a session that has begun, so that the next statement sees what others have not committed. */
export const SEE_UNCOMMITTED = [
  'SET autocommit = 1, lock_wait_timeout = 1',
  'SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED',
] as const

export const OWN_LOCK_WAIT = `SET innodb_lock_wait_timeout = ${OWN_WAIT}, lock_wait_timeout = ${OWN_TABLE_WAIT}`
/** Restores the settings of the session, and so commits if the session is in autocommit mode. */
export const RESTORE = `${OWN_LOCK_WAIT}, autocommit = ${OWN_AUTOCOMMIT}`
/** The savepoint ends with its transaction, however that ends. */
export const MARK = 'SAVEPOINT service_signature_inbox'
export const CHECK = `RELEASE ${MARK}`

/** A text in hexadecimal digits, which need no escaping, whatever the text and the settings of the session are. */
const textOf = (value: string) => `X'${Buffer.from(value).toString('hex')}'`
