import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { describe, expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { CARD, DECLINED, Service } from '../support/service.js'

/** The paths that the service documents. */
const GIVEN = [
  'GET /api/v1/organizations/get-webhook-signature-key/',
  'POST /api/v1.1/payments/intent/',
  'POST /api/v1.4/payments/intent/',
  'POST /direct/payments/intents/{intent_id}/card_token/',
]

describe('/openapi.json', () => {
  it('names its format, its license, its server and the header of the key', async () => {
    const service = await Service.start()
    expect((await service.get('/openapi.json')).code).toBe(200)
    expect(service.document.openApi).toMatchObject({
      openapi: '3.1.0',
      info: { license: { identifier: 'MIT' } },
      servers: [{ url: '/' }],
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } } },
    })
  })

  // That no path is missing: docs/openapi.json is compared with the document.
  it("marks every path that is the sandbox's own", async () => {
    const service = await Service.start()
    const given = service.document.operations.filter(({ operation }) => operation['x-sandbox-path'] !== true)
    expect(given.map(({ method, template }) => `${method} ${template}`).sort()).toEqual(GIVEN)
  })

  it('every operation and webhook has an id of its own, one tag, a summary, a description and schemas', async () => {
    const service = await Service.start()
    const { openApi } = service.document
    const tags = openApi.tags.map(({ name }) => name)
    const used = new Set<string>()
    const ids = new Set<string>()
    const webhooks = Object.values(openApi.webhooks).map(({ post }) => ({ template: '', operation: post }))
    for (const { template, operation } of [...service.document.operations, ...webhooks]) {
      const name = operation.operationId!
      expect(name).toMatch(/^[a-z][A-Za-z0-9_]+$/)
      expect(ids, name).not.toContain(name)
      ids.add(name)
      expect(operation.summary, name).toMatch(/^[A-Z]/)
      expect(operation.description, name).toMatch(/^[A-Z].*[.]$/)
      expect(operation.tags, name).toHaveLength(1)
      used.add(operation.tags![0]!)
      const inPath = [...template.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => parameter)
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect(
        declared.map((parameter) => parameter.name),
        name,
      ).toEqual(inPath)
      const contents = [operation.requestBody?.content ?? {}]
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect(description, `${name} ${status}`).toMatch(/^[A-Z]/)
        contents.push({ ...content })
      }
      for (const { schema } of contents.flatMap((content) => Object.values(content)))
        service.document.compile(schema)
    }
    expect([...used].sort()).toEqual(tags.sort())
  })

  it('every array has items, every reference leads somewhere, and every component is used', async () => {
    const service = await Service.start()
    const { openApi } = service.document
    const without: unknown[] = []
    const text = JSON.stringify(openApi, (_name, value: unknown) => {
      const { type, items } = (value ?? {}) as { type?: unknown; items?: unknown }
      if ([type].flat().includes('array') && items === undefined) without.push(value)
      return value
    })
    expect(without).toEqual([])
    const used = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name),
    )
    expect([...used].sort()).toEqual(Object.keys(openApi.components.schemas).sort())
    expect(text.match(/"\$ref"/g)!.length).toBe(text.match(/"#\/components\/schemas\//g)!.length)
  })
})

describe('the webhooks of /openapi.json', () => {
  it('are the two events, each with its signature, its schema and an example that the library makes', async () => {
    const service = await Service.start()
    const { webhooks } = service.document.openApi
    const shown = Object.entries(webhooks).map(([name, { post }]) => {
      expect(post.security).toEqual([])
      expect(post.parameters).toMatchObject([{ name: 'Service-Signature', in: 'header', required: true }])
      const { schema, example } = post.requestBody!.content['application/json']!
      expect(schema).toHaveProperty('$ref')
      expect(faultsOf(service, schema, example), name).toBeNull()
      return [name, example]
    })
    expect(shown).toEqual([
      ['transactionEvent', transactionEvent()],
      ['intentEvent', intentEvent()],
    ])
  })

  it.each([true, false])(
    'have schemas that accept the events of a declined and a paid intent; with a customer: %s',
    async (hasCustomer) => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = hasCustomer ? await service.customer({ first_name: 'Jane' }) : undefined
      const custom_fields = { any: [{ thing: null }] }
      const { id } = (await service.intent({ webhook_url: endpoint.url, customer, custom_fields })).data
      for (const card of [DECLINED, CARD]) await service.pay(id, { card })
      await service.sandbox.drained()
      expect(endpoint.events).toHaveLength(3)
      const { TransactionEvent, IntentEvent } = service.document.openApi.components.schemas
      for (const event of endpoint.events) {
        const schemas = [TransactionEvent!, IntentEvent!]
        const [own, other] = event.type.startsWith('transaction.') ? schemas : schemas.reverse()
        expect(faultsOf(service, own!, event)).toBeNull()
        expect(faultsOf(service, other!, event)).not.toBeNull()
      }
    },
  )

  it('have schemas that name every field, and refuse an event without it', async () => {
    const service = await Service.start()
    const { schemas } = service.document.openApi.components
    for (const [name, event] of [
      ['TransactionEvent', transactionEvent()],
      ['IntentEvent', intentEvent()],
    ] as const) {
      for (const path of pathsOf(event)) {
        const copy = structuredClone(event)
        const parent = path
          .slice(0, -1)
          .reduce<unknown>((each, key) => Reflect.get(each as object, key), copy)
        Reflect.deleteProperty(parent as object, path.at(-1)!)
        expect(faultsOf(service, schemas[name]!, copy), path.join('.')).not.toBeNull()
      }
    }
  })
})

function faultsOf(service: Service, schema: object, value: unknown) {
  const validate = service.document.compile(schema)
  validate(value)
  return validate.errors
}

/** The paths of the fields of a payload, except for those that the merchant or a provider chooses. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => {
    const isFree = ['custom_fields', 'provider_transaction_fields', 'billing_data'].includes(name)
    const own = Array.isArray(value) ? [] : [[...path, name]]
    return isFree ? own : [...own, ...pathsOf(item, [...path, name])]
  })
}
