export async function book(db, { type, payload }) {
  await db.query('BEGIN')
  try {
    const { rowCount } = await db.query(
      'INSERT INTO booked_events VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [payload.transaction.id, type, payload.status_id],
    )
    if (rowCount === 1) {
      await db.query('UPDATE orders SET paid = true WHERE intent_id = $1', [payload.intent.id])
    }
    await db.query('COMMIT')
  } catch (error) {
    await db.query('ROLLBACK')
    throw error
  }
}
