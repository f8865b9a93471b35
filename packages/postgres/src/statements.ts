import { PRUNE_BATCH, type Claims, type Times } from '@service-signature/inbox'

/** A row of an answer. Its columns are texts. */
export type Row = Readonly<Record<string, unknown>>

/** The statements of an inbox, for its table. `$1` is the key of a delivery. */
export function statementsFor(table: TableName, { leaseSeconds, ttlSeconds }: Times) {
  const name = quoted(table)
  const insert = `INSERT INTO ${name} AS known (key, handled_at)`
  // An adapter with "replay: inbox" has claimed the same row before; that is not a duplicate.
  const onConflict = `
ON CONFLICT (key) DO UPDATE
SET handled_at = now(), claim_token = NULL, claimed_until = NULL
WHERE known.handled_at IS NULL`
  const unlessClaimed = { ignored: '', honoured: ' AND (known.claimed_until >= now()) IS NOT TRUE' }

  return {
    /**
     * Inserts a key at the beginning of a transaction. No row: a duplicate, or claimed. It waits for another transaction with the same
     * key; the statements of the handler get the session's own lock_timeout back, which a setting of our own keeps meanwhile:
     * in a WITH of the INSERT it would take 0.06 ms more. The values are a part of the text, because a query of several
     * statements takes no parameters.
     */
    begin: (key: string, waitSeconds: number, claims: Claims) => `
DECLARE service_signature_inbox CURSOR FOR SELECT 1;
SELECT set_config('service_signature.lock_timeout', current_setting('lock_timeout'), true),
  set_config('lock_timeout', '${Math.ceil(waitSeconds * 1000)}', true);
${insert}
VALUES (${textOf(key)}, now())${onConflict}${unlessClaimed[claims]}
RETURNING set_config('lock_timeout', current_setting('service_signature.lock_timeout'), true)`,

    /** The row of a key that was not inserted, which is locked since. No row: claimed. */
    handled: (key: string) => `
SELECT key FROM ${name}
WHERE key = ${textOf(key)} AND handled_at IS NOT NULL`,

    /**
     * Fails if a statement of the transaction has failed, or if the handler has ended the transaction: its cursor ended with
     * it. To compare the ids of transactions would take 0.05 ms more, and a savepoint would take a second id.
     */
    check: 'CLOSE service_signature_inbox',

    /** Inserts a key in a transaction of the caller, as the texts around the key. No row: a duplicate. */
    record: [`${insert}\nVALUES (`, `, now())${onConflict}\nRETURNING key`],

    /** $2: the token. A key that another transaction is writing right now is in progress. */
    claim: `
WITH claimed AS (
  INSERT INTO ${name} AS known (key, claim_token, claimed_until)
  SELECT $1, $2, now() + ${interval(leaseSeconds)}
  FROM set_config('lock_timeout', '100', true)
  ON CONFLICT (key) DO UPDATE
  SET handled_at = NULL, claim_token = EXCLUDED.claim_token, claimed_until = EXCLUDED.claimed_until
  WHERE coalesce(known.handled_at + ${interval(ttlSeconds)}, known.claimed_until) < now()
  RETURNING key
)
SELECT CASE
  WHEN EXISTS (SELECT FROM claimed) THEN 'new'
  WHEN EXISTS (SELECT FROM ${name} WHERE key = $1 AND handled_at IS NOT NULL) THEN 'done'
  ELSE 'in-progress'
END AS status`,

    /** $2: the token. The lease may have run out: the delivery was handled anyway. */
    commit: `
INSERT INTO ${name} AS known (key, handled_at)
VALUES ($1, now())
ON CONFLICT (key) DO UPDATE
SET handled_at = now(), claim_token = NULL, claimed_until = NULL
WHERE known.handled_at IS NULL AND (known.claim_token = $2 OR known.claimed_until < now())`,

    /** $2: the token. */
    release: `
DELETE FROM ${name}
WHERE key = $1 AND claim_token = $2 AND handled_at IS NULL`,

    /** One batch of old keys. */
    prune: `
WITH deleted AS (
  DELETE FROM ${name}
  WHERE key = ANY (ARRAY(
    SELECT key FROM ${name}
    WHERE coalesce(handled_at, claimed_until) < now() - ${interval(ttlSeconds)}
    ORDER BY coalesce(handled_at, claimed_until)
    LIMIT ${PRUNE_BATCH}
    FOR UPDATE SKIP LOCKED
  ))
  RETURNING key
)
SELECT count(*)::text AS count FROM deleted`,
  } as const
}

/** The parts of `table` or `schema.table`, plain identifiers. */
export type TableName = readonly string[]

/** Quoted because a plain name may be a word of SQL, such as "order". */
export function quoted(table: TableName): string {
  return table.map((part) => `"${part}"`).join('.')
}

/** A text in hexadecimal digits, which need no quoting, whatever the text and the settings of the session are. */
function textOf(value: string): string {
  return `convert_from(decode('${Buffer.from(value).toString('hex')}', 'hex'), 'UTF8')`
}

function interval(seconds: number): string {
  return `make_interval(secs => ${seconds})`
}
