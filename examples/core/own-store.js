import { randomUUID } from 'node:crypto'

// CREATE TABLE claims (key text PRIMARY KEY, token text, ends_at double precision NOT NULL)

/** A replay store over a table, with the `query` of a pool of `pg`. */
export function tableStore(db, { leaseSeconds = 60, ttlSeconds = 86_400, now = Date.now } = {}) {
  return {
    leaseSeconds,
    ttlSeconds,

    // One statement, so that only one of several claims at a time is new.
    async claim(key) {
      const token = randomUUID()
      const { rows } = await db.query(
        `INSERT INTO claims VALUES ($1, $2, $3) ON CONFLICT (key)
         DO UPDATE SET token = excluded.token, ends_at = excluded.ends_at WHERE claims.ends_at <= $4
         RETURNING token`,
        [key, token, now() + leaseSeconds * 1000, now()],
      )
      if (rows.length > 0) return { status: 'new', token }
      const found = await db.query('SELECT token FROM claims WHERE key = $1', [key])
      // The token must be a text even where there is nothing to end with it.
      return { status: found.rows[0]?.token === null ? 'done' : 'in-progress', token: '' }
    },

    // A claim whose lease has ended may have another token by now.
    async commit(key, token) {
      const endsAt = now() + ttlSeconds * 1000
      await db.query('UPDATE claims SET token = NULL, ends_at = $3 WHERE key = $1 AND token = $2', [
        key,
        token,
        endsAt,
      ])
    },

    async release(key, token) {
      await db.query('DELETE FROM claims WHERE key = $1 AND token = $2', [key, token])
    },
  }
}
