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

  // Ids, summaries, parameters and the license: the linter of docs/openapi.json.
  it('every operation has one tag, a description and schemas', async () => {
    const { document } = await Service.start()
    const used = new Set<string>()
    for (const { operation } of document.operations) {
      const { operationId, description, tags, requestBody, responses } = operation
      expect(description, operationId).toMatch(/^[A-Z].*[.]$/)
      expect(tags, operationId).toHaveLength(1)
      used.add(tags![0]!)
      for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)])
        for (const { schema } of Object.values(content)) document.compile(schema)
    }
    expect([...used].sort()).toEqual(document.openApi.tags.map(({ name }) => name).sort())
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
