import { readFileSync } from 'node:fs'
import { postgresInbox, type PgPool } from '@service-signature/postgres'
import { expect, it, vi } from 'vitest'
import { schemaFor } from '../src/migration.js'
import { fakePool } from './support/fake-pool.js'
import { argumentCases, newWebhook, optionsCases } from '@service-signature/contract/inbox-cases'

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

argumentCases((options) => {
  const { pool, statements } = fakePool()
  return { inbox: postgresInbox(pool, options), statements }
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
