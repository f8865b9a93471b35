import { argumentCases, newWebhook, optionsCases } from '@service-signature/contract/inbox-cases'
import { mysqlInbox, type MysqlPool } from '@service-signature/mysql'
import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { statementsFor } from '../src/statements.js'
import { fakePool } from './support/fake-pool.js'

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a URL', 'mysql://127.0.0.1/db'],
  ['a single connection', { query: () => undefined, execute: () => undefined, promise: () => undefined }],
])('refuses %s instead of a pool', (_what, pool) => {
  expect(() => mysqlInbox(pool as MysqlPool)).toThrow(
    new TypeError('mysqlInbox needs a pool of the package "mysql2" (createPool(url)), not a connection'),
  )
})

optionsCases('mysqlInbox', (options) => mysqlInbox(fakePool().pool, options), 64)

it('ships the statement that migrate runs', () => {
  const file = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8')
  const { schema } = statementsFor(['service_signature_inbox'], { ttlSeconds: 1, leaseSeconds: 1 })
  expect(file.replace(/^--.*\n/gm, '')).toBe(`${schema};\n`)
})

argumentCases((options) => {
  const { pool, statements } = fakePool()
  return { inbox: mysqlInbox(pool, options), statements }
})

it.each<[string, (count: number) => unknown]>([
  ['a number', (count) => count],
  ['a bigint', (count) => BigInt(count)],
  ['the answer of mysql2', (affectedRows) => [{ affectedRows }, undefined]],
  ['a header alone', (affectedRows) => ({ affectedRows })],
  ['the answer of Kysely', (count) => ({ numAffectedRows: BigInt(count), rows: [] })],
])('records with a query that gives %s', async (_what, answer) => {
  const inbox = mysqlInbox(fakePool().pool)
  const webhook = newWebhook()
  const query = vi.fn<(strings: TemplateStringsArray, key: string) => Promise<unknown>>()
  query.mockResolvedValueOnce(answer(1))
  expect(await inbox.record(webhook, query)).toBe(true)
  expect(query).toHaveBeenCalledOnce()
  query.mockResolvedValueOnce(answer(0)).mockResolvedValueOnce(answer(1))
  expect(await inbox.record(webhook, query)).toBe(true)
  query.mockResolvedValueOnce(answer(0)).mockResolvedValueOnce(answer(0))
  expect(await inbox.record(webhook, query)).toBe(false)
  for (const [strings, key] of query.mock.calls) {
    expect(strings).toHaveLength(2)
    expect(strings.raw).toEqual([...strings])
    expect(key).toMatch(/^[0-9a-f]{64}$/)
  }
})

it.each([[undefined], [null], [{}], [{ rows: [] }], [[]], ['1']])(
  'does not take %j for the answer of record',
  async (answer) => {
    const recording = mysqlInbox(fakePool().pool).record(newWebhook(), () => Promise.resolve(answer))
    await expect(recording).rejects.toThrow('inbox.record: "query" must return the number of affected rows')
  },
)
