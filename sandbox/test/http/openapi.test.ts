import { describe, expect, it } from 'vitest'
import { CARD, DECLINED, Service, startWithEndpoint } from '../support/service.js'

/** The paths that the service documents. */
const GIVEN = [
  'GET /api/v1/organizations/get-webhook-signature-key/',
  'POST /api/v1.1/payments/intent/',
  'POST /api/v1.4/payments/intent/',
  'POST /direct/payments/intents/{intent_id}/card_token/',
]

describe('/openapi.json', () => {
  // That no path is missing: docs/openapi.json is compared with the document.
  it("marks every path that is the sandbox's own", async () => {
    const service = await Service.start()
    const given = service.document.operations.filter(({ operation }) => operation['x-sandbox-path'] !== true)
    expect(given.map(({ method, template }) => `${method} ${template}`).sort()).toEqual(GIVEN)
  })

  it('every operation has an id of its own, one tag, a summary, a description and schemas', async () => {
    const service = await Service.start()
    const { openApi } = service.document
    const tags = openApi.tags.map(({ name }) => name)
    const used = new Set<string>()
    const ids = new Set<string>()
    for (const { template, operation } of service.document.operations) {
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
})

it('the webhooks of /openapi.json have the schemas of core, which accept what a payment sends', async () => {
  const { service, endpoint } = await startWithEndpoint()
  const { id } = (await service.intent({ webhook_url: endpoint.url })).data
  for (const card of [DECLINED, CARD]) await service.pay(id, { card })
  await service.sandbox.drained()
  expect(endpoint.events).toHaveLength(3)
  const { TransactionEvent, IntentEvent } = service.document.openApi.webhooks
  for (const event of endpoint.events) {
    const webhook = event.type.startsWith('transaction.') ? TransactionEvent! : IntentEvent!
    const validate = service.document.compile(webhook.post.requestBody!.content['application/json']!.schema)
    validate(event)
    expect(validate.errors).toBeNull()
  }
})
