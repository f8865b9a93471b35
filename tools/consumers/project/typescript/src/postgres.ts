import { createVerifier, type VerifiedWebhook } from '@service-signature/core'
import { postgresInbox, type PgPool } from '@service-signature/postgres'

const secret = 'test_signature_key'

export async function handle(pool: PgPool, webhook: VerifiedWebhook): Promise<number | undefined> {
  const inbox = postgresInbox(pool, { table: 'billing.inbox' })
  createVerifier({ secret, replay: inbox })
  const { outcome, result } = await inbox.handle(webhook, async (client) => {
    const { rows } = await client.query('SELECT $1 AS id', [webhook.event.type])
    return rows.length
  })
  return outcome === 'handled' ? result : undefined
}
