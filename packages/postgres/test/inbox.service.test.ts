import { postgresInbox } from '@service-signature/postgres'
import postgres from 'postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SERVER_LIBRARIES, useServer } from './support/databases.js'
import { inboxCases } from './support/inbox-cases.js'
import { newWebhook } from '@service-signature/contract/inbox-cases'
import { isMissing } from '@service-signature/contract/services'

describe.skipIf(isMissing('postgres'))('over a PostgreSQL server', () => {
  const { server, database } = useServer()

  describe.each(SERVER_LIBRARIES)('with $name', (library) => {
    inboxCases(database(library))
  })

  it('passes the complete client of postgres.js to the handler', async () => {
    const sql = postgres(server().url, { onnotice: () => undefined, transform: postgres.camel })
    onTestFinished(() => sql.end())
    await sql`CREATE TABLE tagged (what_it_is text)`
    const inbox = postgresInbox(sql)
    await inbox.migrate()
    const webhook = newWebhook()
    const handling = inbox.handle(webhook, async (tx) => {
      await tx`INSERT INTO tagged ${tx([{ whatItIs: 'a payment' }])}`
      const inner = tx.savepoint('before', async (inner) => {
        await inner`INSERT INTO tagged VALUES ('no payment')`
        throw new Error('undo this')
      })
      await expect(inner).rejects.toThrow('undo this')
      return tx.savepoint((inner) => inner`SELECT what_it_is FROM tagged`)
    })
    expect((await handling).result).toMatchObject([{ whatItIs: 'a payment' }])
    expect(await sql.begin((tx) => inbox.record(webhook, tx))).toBe(false)
    expect(await sql.begin((tx) => inbox.record(newWebhook(), tx))).toBe(true)
  })
})
