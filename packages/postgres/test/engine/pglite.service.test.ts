import type { Transaction } from '@electric-sql/pglite'
import { verifySync } from '@service-signature/core'
import { sign, transactionEvent } from '@service-signature/core/testing'
import { postgresInbox } from '@service-signature/postgres'
import { describe, expect, it } from 'vitest'
import { Gate, newWebhook } from '@service-signature/contract/inbox-cases'
import { inboxCases } from '../support/inbox-cases.js'
import { open } from '../support/open.js'
import { usePglite } from './support/pglite.js'
import { isMissing } from '@service-signature/contract/services'

describe.skipIf(isMissing('drivers'))('over PGlite', () => {
  const database = usePglite()

  it('opens a database that is not ready yet', async () => {
    const pglite = database.pglite()
    expect(pglite.ready).toBe(false)
    const inbox = postgresInbox(pglite)
    await inbox.migrate()
    const handling = inbox.handle(newWebhook(), async (client) => {
      const { rows } = await client.query<{ one: number }>('SELECT 1 AS one')
      return rows[0]!.one
    })
    expect(await handling).toEqual({ outcome: 'handled', result: 1 })
  })

  inboxCases(database)

  it('does not report a delivery as handled if its handler called rollback()', async () => {
    const { inbox, book, booked } = await open(database)
    const webhook = newWebhook()
    const ending = inbox.handle(webhook, async (client) => {
      await book(client)
      await (client as Transaction).rollback()
    })
    await expect(ending).rejects.toThrow(/^The handler ended the transaction itself\. Remove COMMIT/)
    expect(await booked()).toEqual([])
    expect((await inbox.handle(webhook, (client) => book(client))).outcome).toBe('handled')
  })

  it('refuses a delivery while another one is handled for longer than timeoutSeconds', async () => {
    const { inbox, book, booked } = await open(database, { timeoutSeconds: 0.5 })
    const [began, end] = [new Gate(), new Gate()]
    const first = inbox.handle(newWebhook(), async (client) => {
      began.open()
      await end.promise
      return book(client, 'the first')
    })
    await began.promise
    const webhook = newWebhook()
    const refused = inbox.handle(webhook, (client) => book(client, 'the second'))
    await expect(refused).rejects.toMatchObject({ code: 'ERR_REPLAY_STORE_UNAVAILABLE' })
    end.open()
    expect((await first).outcome).toBe('handled')
    expect(await booked()).toEqual(['the first'])
    expect((await inbox.handle(webhook, (client) => book(client, 'the second'))).outcome).toBe('handled')
  })

  it.each(['v1', 'v2'] as const)('books a delivery once in all variants that %s accepts', async (version) => {
    const { inbox, book, booked, run, table } = await open(database)
    const genuine = JSON.stringify(transactionEvent())
    const key = 'test_key'
    const header = sign(genuine, { secret: key, apiKey: key, versions: [version] })
    const type = 'transaction.purchase.successful'
    const variants = [
      'transaction.purchase. successful',
      'transaction. purchase.successful',
      `${type} `,
      type,
    ]
    const outcomes = []
    for (const variant of [...variants, ...variants]) {
      const body = genuine.replace(type, variant)
      const webhook = verifySync(body, header, { secret: key, apiKey: key, versions: [version] })
      const { outcome } = await inbox.handle(webhook, (client) => book(client, webhook.event.shape))
      outcomes.push(outcome)
    }
    expect(outcomes.filter((outcome) => outcome === 'handled')).toHaveLength(2)
    expect(await booked()).toEqual(['unrecognized', 'transaction'])
    expect(await run(`SELECT * FROM ${table}`)).toHaveLength(2)
  })
})
