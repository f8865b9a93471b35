import { open } from '@service-signature/contract/inbox-cases'
import { describe, expect, it } from 'vitest'
import { inboxAt, POOLS, useServer } from './support/server.js'
import { isMissing } from '@service-signature/contract/services'

const { server, connect, database, name } = useServer()
const own = database(POOLS[0])

describe.skipIf(isMissing('mariadb'))('migrate', () => {
  it('needs only the rights of handle where the table is there', async () => {
    const { run, inbox: makeInbox } = connect()
    const [user, schema] = [name('merchant'), name('shop')]
    const table = `${schema}.inbox`
    await run(`CREATE DATABASE ${schema}`)
    await makeInbox({ table }).migrate()
    await run(`CREATE USER ${user}`)
    await run(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${user}`)
    const inbox = inboxAt(server().url.replace('root', user), { table })
    await inbox.migrate()
    expect((await inbox.once('key', () => undefined)).outcome).toBe('handled')
    expect(await inbox.prune()).toBe(0)
    const other = inboxAt(server().url.replace('root', user), { table: `${schema}.another` })
    await expect(other.migrate()).rejects.toMatchObject({ code: 'ER_TABLEACCESS_DENIED_ERROR' })
  })

  it('does not wait for a handler, and no delivery waits for it', async () => {
    const { inbox, other, book, booked } = await open(own)
    const handling = inbox.once('open', async (client) => {
      await book(client)
      await other.migrate()
      expect((await other.once('another', () => undefined)).outcome).toBe('handled')
    })
    expect((await handling).outcome).toBe('handled')
    expect(await booked()).toEqual(['a payment'])
  })

  it.each(['LOCK TABLES %s WRITE', 'FLUSH TABLES WITH READ LOCK'])(
    'gives up after a second if %s keeps it from the table',
    async (lock) => {
      const { run, table } = await open(own)
      const holder = await connect().pool.getConnection()
      const missing = name('missing')
      await holder.query(lock.replace('%s', table))
      const of = lock.startsWith('FLUSH') ? missing : table
      const patient = connect().inbox({ table: of, timeoutSeconds: 60, waitSeconds: 60 })
      await expect(patient.migrate()).rejects.toMatchObject({ errno: 1205 })
      await holder.query('UNLOCK TABLES')
      holder.release()
      await patient.migrate()
      expect(await run(`SELECT * FROM ${of}`)).toEqual([])
    },
  )

  it.each([
    ['other columns', '(id INT)', 'key'],
    [
      'one column less',
      '(`key` VARBINARY(765) PRIMARY KEY, handled_at DATETIME(6), claimed_until DATETIME(6))',
      'claim_token',
    ],
  ])('rejects a table with %s', async (_what, columns, missing) => {
    const { run, inbox: makeInbox } = connect()
    const table = name('other')
    await run(`CREATE TABLE ${table} ${columns}`)
    const migrating = makeInbox({ table }).migrate()
    await expect(migrating).rejects.toThrow(
      `The table "${table}" is not that of an inbox: Unknown column '${missing}'`,
    )
    await expect(migrating).rejects.toThrow(
      'Set "table" to another name, or rename this table: inbox.migrate() then creates its own.',
    )
  })
})
