import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { describe, expect, it } from 'vitest'
import { Endpoint } from './support/endpoint.js'
import { DECLINED, Service } from './support/service.js'
import type { OpenApi } from './support/openapi.js'

/** The paths that the service documents. */
const GIVEN = [
  'post /api/v1.1/payments/intent/',
  'post /api/v1.4/payments/intent/',
  'get /api/v1/organizations/get-webhook-signature-key/',
  'post /direct/payments/intents/{intent_id}/card_token/',
]

/** Those that the sandbox chose. */
const OWN = [
  'get /api/v1.4/payments/intent/{id}/',
  'post /api/v1.4/customers/',
  'get /api/v1.4/customers/',
  'get /api/v1.4/customers/{id}/',
  'get /api/v1.4/customers/{id}/cards/',
  'post /api/v1.4/tokens/cards/',
  'get /api/v1.4/tokens/cards/intents/{id}/',
  'get /api/v1.4/tokens/cards/{id}/',
  'post /api/v1.4/tokens/cards/{id}/charge/',
  'post /api/v1.4/tokens/cards/delete/',
  'post /api/v1.4/accounts/',
  'get /api/v1.4/accounts/',
  'post /_sandbox/reset',
  'get /_sandbox/overview/',
  'get /_sandbox/health/',
  'get /_sandbox/newest/deliveries/',
  'get /_sandbox/newest/intents/',
  'get /_sandbox/newest/customers/',
  'post /_sandbox/keys/',
  'post /_sandbox/keys/reveal/',
  'post /_sandbox/keys/{id}/revoke/',
  'post /_sandbox/keys/revoke/',
  'post /_sandbox/accounts/',
  'post /_sandbox/audits/',
  'get /api/v1.4/payments/intent/',
  'get /api/v1.4/transactions/',
  'get /api/v1.4/transactions/{id}/',
  'get /api/v1.4/providers/',
  'post /api/v1.4/payouts/',
  'get /_sandbox/deliveries/{id}/',
  'get /_sandbox/deliveries/{id}/explain/',
  'get /_sandbox/deliveries/{id}/export/',
  'post /_sandbox/deliveries/{id}/resend/',
  'post /_sandbox/secret/rotate/',
  'put /_sandbox/faults/',
  'get /_sandbox/settings/',
  'put /_sandbox/settings/',
  'get /_sandbox/requests/',
  'get /_sandbox/requests/{id}/',
  'get /_sandbox/endpoints/',
  'get /_sandbox/newest/transactions/',
  'get /_sandbox/newest/card-tokens/',
  'get /_sandbox/newest/card-token-intents/',
  'get /_sandbox/newest/agreements/',
  'get /_sandbox/intents/{id}/',
  'get /_sandbox/transactions/{id}/',
  'get /_sandbox/customers/{id}/',
  'get /_sandbox/card-tokens/{id}/',
  'get /_sandbox/card-token-intents/{id}/',
  'get /_sandbox/agreements/{id}/',
  'get /_sandbox/providers/',
  'get /_sandbox/templates/',
  'post /_sandbox/compose/check/',
  'post /_sandbox/compose/',
  'post /_sandbox/intents/{id}/pay/',
  'get /_sandbox/stream',
  'get /vault/form/{id}/state/',
  'post /vault/form/{id}/pay/',
  'post /vault/cards/',
  'options /vault/intents/{id}/pay/',
  'post /vault/intents/{id}/pay/',
  'options /vault/card-intents/{id}/card-token/',
  'post /vault/card-intents/{id}/card-token/',
  'get /openapi.json',
]

function operationsOf(document: OpenApi) {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
  )
}

describe('/openapi.json', () => {
  it("lists every path, and marks those that are the sandbox's own", async () => {
    const service = await Service.start()
    const { code } = await service.get('/openapi.json')
    expect(code).toBe(200)
    const all = operationsOf(service.document.openApi)
    const own = all.filter(({ operation }) => operation['x-sandbox-path'] === true)
    const given = all.filter(({ operation }) => operation['x-sandbox-path'] === undefined)
    expect(own.map(({ name }) => name).sort()).toEqual([...OWN].sort())
    expect(given.map(({ name }) => name).sort()).toEqual([...GIVEN].sort())
  })

  it('names its format, and the header of the key', async () => {
    const service = await Service.start()
    expect(service.document.openApi).toMatchObject({
      openapi: '3.1.0',
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } } },
    })
  })

  it('every operation says what it does, what it takes and what it answers', async () => {
    const service = await Service.start()
    for (const { name, path, operation } of operationsOf(service.document.openApi)) {
      expect(operation.summary, name).toMatch(/^[A-Z]/)
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => parameter)
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect(
        declared.map((parameter) => parameter.name),
        name,
      ).toEqual(inPath)
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect(description, `${name} ${status}`).toMatch(/^[A-Z]/)
        for (const { schema } of Object.values(content)) service.document.compile(schema)
      }
      for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
        service.document.compile(schema)
      }
    }
  })

  it('every operation and webhook has an id and a summary of its own, one tag and a description', async () => {
    const service = await Service.start()
    const { openApi } = service.document
    const operations = [
      ...operationsOf(openApi).map(({ operation }) => operation),
      ...Object.values(openApi.webhooks).map(({ post }) => post),
    ]
    const tags = openApi.tags.map(({ name }) => name)
    const used = new Set<string>()
    for (const { operationId, summary, description, tags: [tag, ...others] = [] } of operations) {
      expect(operationId).toMatch(/^[a-z][A-Za-z0-9_]+$/)
      expect(summary, operationId).toMatch(/^[A-Z]/)
      expect(description, operationId).toMatch(/^[A-Z].*[.]$/)
      expect(tags, operationId).toContain(tag)
      expect(others, operationId).toEqual([])
      used.add(tag!)
    }
    expect([...used].sort()).toEqual([...tags].sort())
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('names its server and its license', async () => {
    const service = await Service.start()
    expect(service.document.openApi).toMatchObject({
      info: { license: { identifier: 'MIT' } },
      servers: [{ url: '/' }],
    })
  })

  it('every array has items', async () => {
    const service = await Service.start()
    const without: unknown[] = []
    JSON.stringify(service.document.openApi, (_name, value: unknown) => {
      const { type, items } = (value ?? {}) as { type?: unknown; items?: unknown }
      if ([type].flat().includes('array') && items === undefined) without.push(value)
      return value
    })
    expect(without).toEqual([])
  })

  it('every reference leads somewhere, and every component is used', async () => {
    const service = await Service.start()
    const text = JSON.stringify(service.document.openApi)
    const used = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name),
    )
    const there = Object.keys(service.document.openApi.components.schemas)
    expect([...used].sort()).toEqual(there.sort())
    expect(text.match(/"\$ref"/g)!.length).toBe(text.match(/"#\/components\/schemas\//g)!.length)
  })
})

describe('the webhooks of /openapi.json', () => {
  it('are the two events, each with its signature and the schema of its body', async () => {
    const service = await Service.start()
    const { webhooks } = service.document.openApi
    expect(Object.keys(webhooks)).toEqual(['transactionEvent', 'intentEvent'])
    for (const { post } of Object.values(webhooks)) {
      expect(post.security).toEqual([])
      expect(post.parameters).toMatchObject([{ name: 'Service-Signature', in: 'header', required: true }])
      expect(Object.keys(post.requestBody!.content)).toEqual(['application/json'])
      expect(post.requestBody!.content['application/json']!.schema).toHaveProperty('$ref')
    }
  })

  it('have examples that their schemas accept, and that the library makes', async () => {
    const service = await Service.start()
    const { webhooks } = service.document.openApi
    expect(webhooks['transactionEvent']!.post.requestBody!.content['application/json']!.example).toEqual(
      transactionEvent(),
    )
    expect(webhooks['intentEvent']!.post.requestBody!.content['application/json']!.example).toEqual(
      intentEvent(),
    )
    for (const [name, { post }] of Object.entries(webhooks)) {
      const { schema, example } = post.requestBody!.content['application/json']!
      expect(faultsOf(service, schema, example), name).toBeNull()
    }
  })

  it.each([
    ['with a customer', true, {}],
    ['without a customer', false, { custom_fields: { any: [{ thing: null }] } }],
  ])(
    'have schemas that accept the events of a declined and a paid intent, %s',
    async (_, hasCustomer, fields) => {
      const service = await Service.start()
      const endpoint = await Endpoint.start()
      const customer = hasCustomer ? await service.customer({ first_name: 'Jane' }) : undefined
      const { id } = (await service.intent({ webhook_url: endpoint.url, customer, ...fields })).data
      await service.pay(id, { card: DECLINED })
      await service.pay(id)
      await service.sandbox.drained()
      expect(endpoint.events).toHaveLength(3)
      const { schemas } = service.document.openApi.components
      for (const event of endpoint.events) {
        const [own, other] = event.type.startsWith('transaction.')
          ? ['TransactionEvent', 'IntentEvent']
          : ['IntentEvent', 'TransactionEvent']
        expect(faultsOf(service, schemas[own]!, event)).toBeNull()
        expect(faultsOf(service, schemas[other]!, event)).not.toBeNull()
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
