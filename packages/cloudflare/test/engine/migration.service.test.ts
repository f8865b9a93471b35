import { d1Inbox } from '@service-signature/cloudflare'
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { useInboxes } from './support/open.js'
import { isMissing } from '@service-signature/contract/services'

const { open } = useInboxes()

let shapes = 0

describe.skipIf(isMissing('drivers'))('migrate', () => {
  it('may be called again, and keeps the data', async () => {
    const { other, book } = await open()
    await book('key')
    await other.migrate()
    expect(await book('key')).toBe('duplicate')
  })

  it('creates the table of schema.sql', async () => {
    const { db, rows } = await open()
    await d1Inbox(db).migrate()
    const created = `SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'service_signature_inbox' ORDER BY name`
    const migrated = await rows(created)
    expect(migrated.map(({ name }) => name)).toContain('service_signature_inbox_age')
    await db.prepare('DROP TABLE service_signature_inbox').run()
    const schema = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8').replace(/^--.*$/gm, '')
    await db.batch(
      schema
        .split(';')
        .filter((statement) => statement.trim() !== '')
        .map((statement) => db.prepare(statement)),
    )
    const plain = (found: typeof migrated) => JSON.stringify(found).replaceAll(/\s|\\n/g, '')
    expect(plain(await rows(created))).toBe(plain(migrated))
  })

  it('creates a table whose name is a word of SQL, and one with its schema', async () => {
    const { db } = await open()
    for (const table of ['order', 'main.group']) {
      const inbox = d1Inbox(db, { table })
      await inbox.migrate()
      expect((await inbox.once('key', [])).outcome, table).toBe('handled')
      expect((await inbox.once('key', [])).outcome, table).toBe('duplicate')
      expect((await inbox.claim('key')).status).toBe('done')
    }
  })

  it('looks first, and changes nothing if table and index are there', async () => {
    const { db, table } = await open()
    const batch = vi.fn()
    await d1Inbox({ prepare: (text: string) => db.prepare(text), batch }, { table }).migrate()
    expect(batch).not.toHaveBeenCalled()
  })

  it('creates an index that is missing', async () => {
    const { db, rows, inbox, table } = await open()
    await db.prepare(`DROP INDEX ${table}_age`).run()
    await inbox.migrate()
    expect(await rows(`SELECT 1 FROM sqlite_schema WHERE name = '${table}_age'`)).toHaveLength(1)
  })

  it.each([
    [
      '(id TEXT PRIMARY KEY, key TEXT)',
      'no column "handled_at", no column "claim_token", no column "claimed_until", the primary key is not "key" alone',
    ],
    ['(key TEXT PRIMARY KEY, handled_at REAL, claim_token TEXT)', 'no column "claimed_until"'],
    [
      '(id INTEGER PRIMARY KEY, key TEXT, handled_at REAL, claim_token TEXT, claimed_until REAL)',
      'the primary key is not "key" alone',
    ],
    [
      '(key TEXT, handled_at REAL, claim_token TEXT, claimed_until REAL, PRIMARY KEY (key, claim_token))',
      'the primary key is not "key" alone',
    ],
    [
      '(key TEXT, handled_at REAL, claim_token TEXT, claimed_until REAL)',
      'the primary key is not "key" alone',
    ],
  ])('refuses the table %s', async (columns, what) => {
    const { db, rows } = await open()
    const table = `shape_${++shapes}`
    await db.prepare(`CREATE TABLE ${table} ${columns}`).run()
    await expect(d1Inbox(db, { table }).migrate()).rejects.toThrow(
      new Error(
        `The table "${table}" is not that of an inbox: ${what}. Set "table" to another name, or rename this table: inbox.migrate() then creates its own.`,
      ),
    )
    expect(await rows(`SELECT name FROM sqlite_schema WHERE name = '${table}_age'`)).toEqual([])
  })
})
