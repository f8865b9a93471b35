// CREATE TABLE booked_events (
//   transaction_id uuid NOT NULL, event_type text NOT NULL, status_id text NOT NULL,
//   UNIQUE (transaction_id, event_type, status_id)
// )

/** Books a transaction event once, over one connection of `pg`. `status_id` tells two partial refunds of one transaction apart. */
export async function book(db, { type, payload }) {
  const { id, amount } = payload.intent
  await db.query('BEGIN')
  try {
    const { rowCount } = await db.query(
      'INSERT INTO booked_events VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [payload.transaction.id, type, payload.status_id],
    )
    if (rowCount === 1 && type === 'transaction.purchase.successful') {
      await db.query('UPDATE orders SET paid = true WHERE intent_id = $1 AND amount = $2 AND currency = $3', [
        id,
        amount.value,
        amount.currency,
      ])
    }
    await db.query('COMMIT')
  } catch (error) {
    await db.query('ROLLBACK')
    throw error
  }
}
