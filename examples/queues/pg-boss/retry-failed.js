// Moves the dead letters into the queue again, after the cause of their failure was fixed.
import PgBoss from 'pg-boss'

const { DATABASE_URL } = process.env
if (!DATABASE_URL) throw new Error('Set DATABASE_URL')

const boss = new PgBoss({ connectionString: DATABASE_URL, supervise: false, schedule: false })
boss.on('error', console.error)
await boss.start()

let [job] = await boss.fetch('payment-events-failed')
while (job !== undefined) {
  await boss.send('payment-events', job.data)
  await boss.complete('payment-events-failed', job.id)
  console.log(`retried ${job.data.key}`)
  ;[job] = await boss.fetch('payment-events-failed')
}
await boss.stop()
