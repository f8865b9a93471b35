import { readFileSync } from 'node:fs'
import type { SignatureProof, VerifiedWebhook } from '@service-signature/core'
import { postgresInbox, type PgPool } from '@service-signature/postgres'
import { expect, it, vi } from 'vitest'
import { schemaFor } from '../src/statements.js'
import { fakePool } from './support/fake-pool.js'
import { newProof, newWebhook, optionsCases } from '@service-signature/contract/inbox-cases'

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a URL', 'postgres://127.0.0.1/db'],
  ['a single client of pg', { connect: () => undefined, query: () => undefined }],
  ['a transaction of postgres.js', Object.assign(() => undefined, { unsafe: () => undefined })],
  ['a transaction of PGlite', { query: () => undefined, exec: () => undefined }],
  ['a database of Drizzle', { transaction: () => undefined, query: {} }],
])('refuses %s instead of a pool', (_what, pool) => {
  expect(() => postgresInbox(pool as PgPool)).toThrow(
    new TypeError(
      'postgresInbox needs a pool of the package "pg" (new Pool()), "postgres" (postgres(url)) or ' +
        '"@electric-sql/pglite" (new PGlite()), not a single client or a transaction',
    ),
  )
})

optionsCases('postgresInbox', (options) => postgresInbox(fakePool().pool, options), 58)

it('ships the statements that migrate runs', () => {
  const file = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8')
  const statements = file.replace(/^--.*\n/gm, '').split(/;\s*/)
  expect(statements).toEqual([...schemaFor(['service_signature_inbox']), ''])
})

it.each([
  ['nothing', undefined],
  ['an event', { type: 'transaction.purchase.successful' }],
  ['a body', { rawBody: new Uint8Array() }],
  ['a text as the body', { rawBody: 'text', keyFingerprint: 'sha256:0' }],
])('refuses %s instead of a verified webhook', async (_what, webhook) => {
  const { pool, statements } = fakePool()
  const inbox = postgresInbox(pool)
  const handler = vi.fn()
  const expected = new TypeError('The inbox: expected a webhook that was verified, such as req.webhook')
  await expect(inbox.handle(webhook as unknown as SignatureProof, handler)).rejects.toThrow(expected)
  await expect(inbox.record(webhook as unknown as SignatureProof, handler)).rejects.toThrow(expected)
  expect(handler).not.toHaveBeenCalled()
  expect(statements).toEqual([])
})

it('refuses a handler that is not a function', async () => {
  const { pool, statements } = fakePool()
  const handling = postgresInbox(pool).handle(newWebhook(), undefined as never)
  await expect(handling).rejects.toThrow(
    'inbox.handle: expected a handler, (client) => Promise, got undefined',
  )
  expect(statements).toEqual([])
})

it.each([
  ['a replayKey that returns nothing', () => '', newWebhook(), '"replayKey" must return a string'],
  ['a signature without an event', ({ event }: VerifiedWebhook) => event.type, newProof(), 'verify()'],
])('refuses %s', async (_what, replayKey, webhook, message) => {
  const { pool, statements } = fakePool()
  const handler = vi.fn()
  const handling = postgresInbox(pool, { replayKey }).handle(webhook, handler)
  await expect(handling).rejects.toThrow(TypeError)
  await expect(postgresInbox(pool, { replayKey }).handle(webhook, handler)).rejects.toThrow(message)
  expect(handler).not.toHaveBeenCalled()
  expect(statements).toEqual([])
})

it('passes a template with one value to the query of record', async () => {
  const inbox = postgresInbox(fakePool().pool)
  const query = vi.fn<(strings: TemplateStringsArray, key: string) => Promise<object[]>>()
  query.mockResolvedValueOnce([{}]).mockResolvedValueOnce([])
  const webhook = newWebhook()
  expect(await inbox.record(webhook, query)).toBe(true)
  expect(await inbox.record(webhook, query)).toBe(false)
  const [strings, key] = query.mock.calls[0]!
  expect(strings).toHaveLength(2)
  expect(strings.raw).toEqual([...strings])
  expect(strings.join('$1')).toMatch(
    /INSERT INTO "service_signature_inbox"[^$]*\(\$1, now\(\)\)\nON CONFLICT/,
  )
  expect(key).toMatch(/^[0-9a-f]{64}$/)
})

it.each([[undefined], [null], [{}], [{ rows: 1 }], [1]])(
  'does not take %j for the rows of record',
  async (answer) => {
    const inbox = postgresInbox(fakePool().pool)
    const recording = inbox.record(newWebhook(), () => Promise.resolve(answer as object[]))
    await expect(recording).rejects.toThrow(
      'inbox.record: "query" must return the rows, or an object with "rows"',
    )
  },
)
