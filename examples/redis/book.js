// CREATE TABLE booked (intent_id text NOT NULL, status text NOT NULL, UNIQUE (intent_id, status))

/** Books a paid intent once, over one connection of `pg`. */
export async function book(db, { id, status, amount, amount_currency: currency }) {
  if (status !== 'PROCESSED') return
  await db.query('BEGIN')
  try {
    const insert = 'INSERT INTO booked VALUES ($1, $2) ON CONFLICT DO NOTHING'
    const { rowCount } = await db.query(insert, [id, status])
    if (rowCount === 1) {
      const update = 'UPDATE orders SET paid = true WHERE intent_id = $1 AND amount = $2 AND currency = $3'
      await db.query(update, [id, amount, currency])
    }
    await db.query('COMMIT')
  } catch (error) {
    await db.query('ROLLBACK')
    throw error
  }
}
