import { intentEvent, signedRequest, transactionEvent } from '@service-signature/core/testing'
import type { MiniflareOptions } from 'miniflare'
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startMiniflare, workerOptions } from './support/workerd.js'
import { isMissing } from '@service-signature/contract/services'

const SECRET = 'test_signature_key'
const EXAMPLES = new URL('../../../../examples/cloudflare/', import.meta.url)

interface Config {
  readonly compatibility_date: string
  readonly d1_databases?: readonly { readonly binding: string }[]
  readonly durable_objects?: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[]
  }
  readonly migrations?: readonly { readonly new_sqlite_classes: readonly string[] }[]
  readonly vars?: Readonly<Record<string, string>>
  readonly triggers?: { readonly crons: readonly string[] }
}

/** Starts an example in workerd, with the bindings of its configuration. */
async function start(name: string, options: Partial<MiniflareOptions> = {}) {
  const folder = new URL(`${name}/`, EXAMPLES)
  const text = readFileSync(new URL('wrangler.jsonc', folder), 'utf8')
  const config = JSON.parse(text.replaceAll(/^\s*\/\/.*$|,(?=\s*\}\s*$)/gm, '')) as Config
  const sqlite = config.migrations?.flatMap(({ new_sqlite_classes: classes }) => classes) ?? []
  const objects = config.durable_objects?.bindings.map(({ name: binding, class_name: className }) => [
    binding,
    { className, useSQLite: sqlite.includes(className) },
  ])
  const workerd = await startMiniflare({
    ...(await workerOptions(readFileSync(new URL('worker.js', folder), 'utf8'))),
    compatibilityDate: config.compatibility_date,
    d1Databases: config.d1_databases?.map(({ binding }) => binding) ?? [],
    durableObjects: Object.fromEntries(objects ?? []) as Record<string, never>,
    bindings: { ...config.vars, WEBHOOK_SECRET: SECRET },
    handleRuntimeStdio: () => undefined,
    ...options,
  } as MiniflareOptions)
  onTestFinished(() => workerd.dispose())
  const send = async (event: object, secret = SECRET) => {
    const { method, headers, body } = signedRequest(event, { secret })
    const response = await workerd.dispatchFetch('http://worker/webhooks', {
      method,
      headers,
      body: body,
    })
    await response.arrayBuffer()
    return response.status
  }
  return { workerd, config, send }
}

const eventOf = (id: string) => transactionEvent({ intent: { id } })
const paid = (id: string, status = 'PROCESSED') => intentEvent({ data: { intent: { id, status } } })

describe.skipIf(isMissing('drivers'))('the example with D1', () => {
  it('books each delivery once, refuses forgeries, and books the retry of a batch that failed', async () => {
    const { workerd, send } = await start('d1')
    const db = await workerd.getD1Database('DB')
    const booked = async () => (await db.prepare('SELECT intent_id AS id FROM payments').all()).results
    const schema = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8').replace(/^--.*$/gm, '')
    expect(await send(paid('int_0'))).toBe(503)
    for (const statement of schema.split(';').filter((each) => each.trim() !== '')) {
      await db.prepare(statement).run()
    }
    expect(await send(paid('int_1'))).toBe(500)
    await db.prepare('CREATE TABLE payments (intent_id TEXT PRIMARY KEY, amount REAL)').run()
    expect(await booked()).toEqual([])

    expect(await send(paid('int_1'))).toBe(204)
    expect(await send(paid('int_1'))).toBe(204)
    expect(await send(paid('int_2'), 'another_key')).toBe(401)
    const copies = Array.from({ length: 10 }, () => send(paid('int_3')))
    expect(await Promise.all(copies)).toEqual(Array(10).fill(204))
    for (const event of [eventOf('int_4'), paid('int_4', 'FAILED')]) expect(await send(event)).toBe(204)
    expect(await booked()).toEqual([{ id: 'int_1' }, { id: 'int_3' }])
  })

  it('deletes old keys when its trigger runs', async () => {
    const { workerd, config, send } = await start('d1')
    const db = await workerd.getD1Database('DB')
    await db.prepare('CREATE TABLE payments (intent_id TEXT PRIMARY KEY, amount REAL)').run()
    const schema = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8').replace(/^--.*$/gm, '')
    for (const statement of schema.split(';').filter((each) => each.trim() !== '')) {
      await db.prepare(statement).run()
    }
    expect(await send(paid('int_1'))).toBe(204)
    await db.prepare('UPDATE service_signature_inbox SET handled_at = handled_at - 31 * 86400').run()
    const worker = await workerd.getWorker()
    expect(config.triggers?.crons).toHaveLength(1)
    expect((await worker.scheduled({ cron: config.triggers!.crons[0]! })).outcome).toBe('ok')
    expect((await db.prepare('SELECT * FROM service_signature_inbox').all()).results).toEqual([])
  })
})

describe.skipIf(isMissing('drivers'))('the example with a Durable Object', () => {
  it('handles each delivery once, refuses forgeries, and handles the retry of one that failed', async () => {
    const shop: unknown[] = []
    let status = 500
    const { send } = await start('durable-object', {
      outboundService: async (request: { readonly json: () => Promise<unknown> }) => {
        shop.push(((await request.json()) as { id: unknown }).id)
        return new Response(null, { status })
      },
    } as Partial<MiniflareOptions>)
    expect(await send(eventOf('int_1'))).toBe(500)
    status = 200
    expect(await send(eventOf('int_1'))).toBe(204)
    expect(await send(eventOf('int_1'))).toBe(200)
    expect(await send(eventOf('int_2'), 'another_key')).toBe(401)
    expect(shop).toEqual(['int_1', 'int_1'])

    const statuses = await Promise.all(Array.from({ length: 10 }, () => send(eventOf('int_3'))))
    expect(statuses.filter((each) => each === 204)).toHaveLength(1)
    expect(statuses.every((each) => [200, 204, 409].includes(each))).toBe(true)
    expect(shop).toEqual(['int_1', 'int_1', 'int_3'])
  })
})
