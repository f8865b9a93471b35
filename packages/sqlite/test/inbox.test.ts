import { readFileSync } from 'node:fs'
import type { SignatureProof } from '@service-signature/core'
import { newProof, newWebhook, optionsCases } from '@service-signature/contract/inbox-cases'
import { sqliteStatements } from '@service-signature/inbox'
import { sqliteInbox, type SqliteDatabase } from '@service-signature/sqlite'
import { expect, it, vi } from 'vitest'

function fakeDatabase() {
  const statements: string[] = []
  const database = {
    inTransaction: false,
    exec: (sql: string) => statements.push(sql),
    prepare: (sql: string) => (statements.push(sql), { all: () => [{ timeout: 0, synchronous: 2 }] }),
  }
  return { database, statements }
}

const { database: like } = fakeDatabase()

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a path', 'shop.db'],
  ['a database of node:sqlite before Node 22.16', { exec: like.exec, prepare: like.prepare }],
  ['a database of libsql/promise', { ...like, prepare: async () => Promise.resolve() }],
  ['a remote client', { protocol: 'http', transaction: () => undefined, executeMultiple: () => undefined }],
  ['a transaction of a client', { protocol: 'file', execute: () => undefined }],
])('refuses %s instead of a database', (_what, database) => {
  expect(() => sqliteInbox(database as SqliteDatabase)).toThrow(
    new TypeError(
      'sqliteInbox needs a database of better-sqlite3, libsql or node:sqlite (Node 22.16 or later), or a client of ' +
        '@libsql/client with a "file:" URL',
    ),
  )
})

optionsCases('sqliteInbox', (options) => sqliteInbox(fakeDatabase().database, options), 255)

it('ships the statements that migrate runs', () => {
  const file = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8')
  const { schema } = sqliteStatements(['service_signature_inbox'], { leaseSeconds: 60, ttlSeconds: 60 })
  expect(file.replace(/^--.*\n/gm, '').split(/;\s*/)).toEqual([...schema, ''])
})

it('accepts a table of an attached database', async () => {
  const { database, statements } = fakeDatabase()
  const empty = {
    ...database,
    exec(sql: string) {
      statements.push(sql)
      const isThere = statements.some((each) => each.startsWith('CREATE TABLE'))
      if (sql.startsWith('EXPLAIN') && !isThere) throw new Error('no such table: billing.inbox')
    },
  }
  await sqliteInbox(empty, { table: 'billing.inbox' }).migrate()
  expect(statements.join()).toContain('CREATE TABLE IF NOT EXISTS "billing"."inbox"')
  expect(statements.join()).toContain('CREATE INDEX IF NOT EXISTS "billing"."inbox_age" ON "inbox"')
})

it.each([
  ['nothing', undefined],
  ['an event', { type: 'transaction.purchase.successful' }],
])('refuses %s instead of a verified webhook', async (_what, webhook) => {
  const { database, statements } = fakeDatabase()
  const inbox = sqliteInbox(database)
  const handler = vi.fn()
  const expected = /^The inbox: expected a webhook that was verified, such as req\.webhook/
  await expect(inbox.handle(webhook as unknown as SignatureProof, handler)).rejects.toThrow(expected)
  await expect(inbox.record(webhook as unknown as SignatureProof)).rejects.toThrow(expected)
  expect(handler).not.toHaveBeenCalled()
  expect(statements).toEqual([])
})

it('refuses a signature without an event for replayKey', async () => {
  const { database, statements } = fakeDatabase()
  const handler = vi.fn()
  const inbox = sqliteInbox(database, { replayKey: ({ event }) => event.type })
  await expect(inbox.handle(newProof(), handler)).rejects.toThrow('verify()')
  expect(handler).not.toHaveBeenCalled()
  expect(statements).toEqual([])
})

it('passes on what a driver throws that is not an Error, and refuses the delivery', async () => {
  const { database } = fakeDatabase()
  const inbox = sqliteInbox({
    ...database,
    exec(sql) {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- a driver in JavaScript may
      if (sql.startsWith('BEGIN')) throw 'out of order'
    },
  })
  const handler = vi.fn()
  await expect(inbox.handle(newWebhook(), handler)).rejects.toMatchObject({ cause: 'out of order' })
  expect(handler).not.toHaveBeenCalled()
})

it('passes on the error of a handler although ROLLBACK fails', async () => {
  const { database } = fakeDatabase()
  const inbox = sqliteInbox({
    ...database,
    exec(sql) {
      if (sql === 'ROLLBACK') throw new Error('disk I/O error')
    },
  })
  const failing = inbox.handle(newWebhook(), () => {
    throw new Error('out of stock')
  })
  await expect(failing).rejects.toThrow('out of stock')
})

it('tries again at a locked file alone, whose code node:sqlite has as a number', async () => {
  const { database } = fakeDatabase()
  const failures = [517, 5, 8].map((errcode) => Object.assign(new Error(`failure ${errcode}`), { errcode }))
  const inbox = sqliteInbox({
    ...database,
    exec(sql) {
      if (sql.startsWith('BEGIN')) throw failures.shift()!
    },
  })
  const handler = vi.fn()
  await expect(inbox.handle(newWebhook(), handler)).rejects.toMatchObject({
    cause: { message: 'failure 8' },
  })
  expect(failures).toEqual([])
  expect(handler).not.toHaveBeenCalled()
})

it('closes the transaction of a client whose statement fails', async () => {
  const close = vi.fn()
  const transaction = {
    execute: () => Promise.reject(new Error('disk I/O error')),
    executeMultiple: () => Promise.resolve(),
    commit: () => Promise.resolve(),
    close,
  }
  const client = {
    protocol: 'file',
    executeMultiple: () => undefined,
    transaction: () => Promise.resolve(transaction),
  }
  await expect(sqliteInbox(client).claim('key')).rejects.toThrow('its disk did not read or write')
  expect(close).toHaveBeenCalledTimes(1)
})
