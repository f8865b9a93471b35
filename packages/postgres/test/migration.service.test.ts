import { Gate, newWebhook } from '@service-signature/contract/inbox-cases'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SERVER_LIBRARIES, useServer } from './support/databases.js'
import { open } from './support/open.js'
import { watchWarnings } from './support/warnings.js'
import { isMissing } from '@service-signature/contract/services'

describe.skipIf(isMissing('postgres'))('migrate', () => {
  const { server, database } = useServer()

  describe.each(SERVER_LIBRARIES)('with $name', (library) => {
    const own = database(library)

    /** A handler that is open until the test ends it. */
    async function openHandler({ hasIndex = true } = {}) {
      const opened = await open(own)
      if (!hasIndex) await opened.run(`DROP INDEX ${opened.table}_age`)
      const [began, end] = [new Gate(), new Gate()]
      const handling = opened.inbox.handle(newWebhook(), async (client) => {
        await opened.book(client)
        began.open()
        await end.promise
      })
      await began.promise
      onTestFinished(end.open)
      return { ...opened, end, handling }
    }

    const processes = (table: string) => Array.from({ length: 8 }, () => own.connect().inbox({ table }))
    const migrateAll = (inboxes: ReturnType<typeof processes>) =>
      Promise.all(inboxes.map((inbox) => inbox.migrate()))

    it('creates the table from 8 processes at once', async () => {
      const table = own.name('inbox')
      const inboxes = processes(table)
      await migrateAll(inboxes)
      const webhook = newWebhook()
      const outcomes = await Promise.all(inboxes.map((inbox) => inbox.handle(webhook, () => undefined)))
      expect(outcomes.filter(({ outcome }) => outcome === 'handled')).toHaveLength(1)
    })

    it('from 8 processes does not wait for an open handler, and no delivery waits for it', async () => {
      const { table, inbox, other, end, handling } = await openHandler()
      await migrateAll(processes(table))
      for (const each of [inbox, other]) {
        expect((await each.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
      }
      end.open()
      expect((await handling).outcome).toBe('handled')
    })

    it('takes no lock if the table and its index exist', async () => {
      const { table, inbox, transaction } = await open(own)
      await transaction(async (client) => {
        await library.on(client, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
        await inbox.migrate()
      })
    })

    it('does not wait for an open handler if the index is missing, and warns', async () => {
      const { table, run, other, end, handling } = await openHandler({ hasIndex: false })
      const { warnings } = watchWarnings()
      await other.migrate()
      expect(warnings).toMatchObject([{ code: 'SERVICE_SIGNATURE_POSTGRES_INDEX' }])
      expect((await other.handle(newWebhook(), () => undefined)).outcome).toBe('handled')
      end.open()
      expect((await handling).outcome).toBe('handled')
      expect(await run('SELECT indexname FROM pg_indexes WHERE tablename = $1', [table])).toHaveLength(1)
    })

    it('needs no rights but those of handle if the table and its index exist', async () => {
      const role = own.name('merchant')
      const { table, run } = await open(own)
      await run(`CREATE ROLE ${role} LOGIN`)
      await run(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${role}`)
      const pool = library.connect(server().url.replace('postgres@', `${role}@`))
      onTestFinished(() => pool.close())
      await pool.inbox({ table }).migrate()
      await run(`DROP INDEX ${table}_age`)
      const { warnings } = watchWarnings()
      await pool.inbox({ table }).migrate()
      expect(warnings).toMatchObject([{ code: 'SERVICE_SIGNATURE_POSTGRES_INDEX' }])
      const without = pool.inbox({ table: own.name('missing') })
      await expect(without.migrate()).rejects.toMatchObject({ code: '42501' })
    })
  })
})
