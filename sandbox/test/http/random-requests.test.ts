import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { runs } from '../../../packages/core/test/support/runs.js'
import type { Operation } from '../support/openapi.js'
import { CARD, Service } from '../support/service.js'

const COUNT = runs(500)

let drawn = 0

/** A whole number below the limit, the same in each run. */
function below(limit: number): number {
  return createHash('sha256').update(String(drawn++)).digest().readUInt32BE() % limit
}

function pick<Value>(values: readonly Value[]): Value {
  return values[below(values.length)]!
}

const STRANGE: readonly unknown[] = [
  ...[null, true, 0, -1, 1e300, 0.1, '', ' ', '__proto__', '\u0000', '\ud800', '\u{1f600}', CARD],
  ...[[], {}, [[{}]], { amount: {} }, 'x'.repeat(2000)],
]

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** A value that mostly fits the schema. The ids are those that exist, or nearly. */
function valueOf(schema: Schema, name: string, ids: readonly string[]): unknown {
  if (below(8) === 0) return pick(STRANGE)
  if (schema.enum !== undefined) return pick(schema.enum)
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).filter(() => below(3) > 0)
    if (below(8) === 0) fields.push([pick(['__proto__', 'extra', 'constructor']), {}])
    return Object.fromEntries(fields.map(([field, each]) => [field, valueOf(each, field, ids)]))
  }
  switch (schema.type) {
    case 'boolean':
      return below(2) === 0
    case 'number':
    case 'integer':
      return pick([1, 10, 10.5, 0, -5, 1e15, 100])
    case 'array':
      return [valueOf(schema.items ?? {}, name, ids)]
    case 'object':
      return { reference: 'x', deep: { deeper: [1] } }
    default:
      if (name === 'amount_currency') return pick(['EUR', 'JPY', 'KWD', 'eur'])
      if (name === 'card') return pick([CARD, '4000000000003220', '4000000000000002'])
      if (name === 'webhook_url') return pick(['http://127.0.0.1:1/', 'nowhere'])
      return pick([...ids, 'text', '123'])
  }
}

const LONE_SURROGATES = /[\ud800-\udfff]/g

/** A text for a path or a query; a lone surrogate cannot be encoded. */
function encoded(value: unknown): string {
  return encodeURIComponent(String(value).replace(LONE_SURROGATES, ''))
}

async function send(service: Service, path: string, method: string, operation: Operation, ids: string[]) {
  const query = new URLSearchParams()
  let address = path
  for (const parameter of operation.parameters ?? []) {
    const { in: place, name } = parameter
    const { schema = {} } = parameter as { readonly schema?: Schema }
    const value = valueOf(schema, name, ids)
    if (place === 'path') address = address.replace(`{${name}}`, encoded(value) || 'x')
    else if (below(2) === 0) query.set(name, String(value).replace(LONE_SURROGATES, ''))
  }
  const schema = operation.requestBody?.content['application/json']?.schema as Schema | undefined
  const { apiKeys } = service.sandbox
  const key = pick([
    apiKeys.account,
    apiKeys.account,
    apiKeys.public,
    apiKeys.organization,
    service.composite(true),
  ])
  const response = await fetch(`${service.sandbox.url}${address}?${query.toString()}`, {
    method,
    headers: { 'X-Api-Key': key, ...(schema && { 'Content-Type': 'application/json' }) },
    ...(schema && { body: JSON.stringify(valueOf(schema, '', ids)) }),
  })
  const text = await response.text()
  expect(response.status, `${method} ${address}?${query.toString()}: ${text}`).toBeLessThan(500)
  // A delivery as a curl command line is the one answer that is not JSON.
  if (response.headers.get('content-type')!.startsWith('text/plain')) return
  expect(() => JSON.parse(text) as unknown).not.toThrow()
  const { data } = JSON.parse(text) as { data?: { id?: unknown } | null }
  if (typeof data?.id === 'string') ids.push(data.id)
  if (ids.length > 200) ids.splice(1, 100)
}

it(
  `answers ${COUNT} random requests, to every operation in turn, without an error of its own`,
  { timeout: 3_600_000 },
  async () => {
    const service = await Service.start()
    const ids = [service.sandbox.accountId]
    // The stream never ends. A reset would forget what the others have made.
    const tried = service.document.operations.filter(
      ({ path }) => !['/_sandbox/stream', '/_sandbox/reset'].includes(path),
    )
    expect(tried.length).toBeGreaterThan(40)
    const rounds = Math.ceil(COUNT / tried.length)
    for (let round = 0; round < rounds; round++) {
      // Accounts and keys are limited in number, so every so often all starts again. A fault stays for one round at most.
      if (round % 500 === 499) service.sandbox.reset()
      service.lines.length = 0
      for (const { template, path, method, operation } of tried) {
        if (path !== '/_sandbox/faults/') await send(service, template, method, operation, ids)
      }
    }
    for (let round = 0; round < rounds; round++) {
      const { operation } = tried.find(({ path }) => path === '/_sandbox/faults/')!
      await send(service, '/_sandbox/faults/', 'PUT', operation, ids)
    }
  },
)
