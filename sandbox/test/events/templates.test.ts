import { recognize } from '@service-signature/core'
import { describe, expect, it } from 'vitest'
import { Service, startWithEndpoint } from '../support/service.js'

interface Template {
  readonly name: string
  readonly group: string
  readonly type: string | null
  readonly payload: Readonly<Record<string, unknown>>
}

async function templates(service: Service): Promise<readonly Template[]> {
  return (await service.get('/_sandbox/templates/')).data as unknown as readonly Template[]
}

describe('The templates of events', () => {
  it('are of each kind of event, of which the receiver recognizes those that are known', async () => {
    const service = await Service.start()
    const listed = (await templates(service)).map(({ name, group, type, payload }) => {
      const event = recognize(payload)
      const outcome = event.shape === 'unrecognized' ? event.reason : event.shape
      return [group, name, type, outcome, payload['api_version']]
    })
    const purchase = 'transaction.purchase.successful'
    expect(listed).toEqual([
      ['Events', 'purchase-successful', purchase, 'transaction', '1.1'],
      ['Events', 'intent-processed', 'intent.processed', 'intent', '1.1'],
      ['Events', 'purchase-failed', 'transaction.purchase.failed', 'transaction', '1.1'],
      ['Events', 'card-token-created', 'card_token.created', 'unknown-type', '1.1'],
      ['Unknown', 'unknown-type', 'transaction.refund.successful', 'transaction', '1.1'],
      ['Unknown', 'unknown-family', 'dispute.opened', 'unknown-type', '1.1'],
      ['Unknown', 'later-version', purchase, 'transaction', '2.0'],
      ['Wrong shape', 'without-amount', purchase, 'invalid-payload', '1.1'],
      ['Wrong shape', 'amount-as-text', purchase, 'invalid-payload', '1.1'],
      ['Wrong shape', 'without-type', null, 'invalid-payload', '1.1'],
    ])
  })

  it('have the fields of real events, in their order', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const customer = await service.customer({ first_name: 'Jane' })
    await service.sent(endpoint.url, { customer, custom_fields: { reference: 'A1' } })
    const fieldsOf = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([name, field]) => [name, fieldsOf(field)])
        : typeof value
    const made = (await templates(service)).slice(0, 2).map(({ payload }) => fieldsOf(payload))
    expect(made).toEqual(endpoint.events.map(fieldsOf))
  })

  it('have other ids each time, and change no id that follows', async () => {
    const service = await Service.start()
    const idsOf = async () =>
      JSON.stringify(await templates(service)).match(/(?:int|st|op|tok)_[0-9a-f]{24}/g)!
    const first = new Set(await idsOf())
    expect((await idsOf()).some((id) => first.has(id))).toBe(false)
    const after = (await service.intent()).data.id
    service.sandbox.reset()
    expect((await service.intent()).data.id).toBe(after)
  })
})

it('the check of the composer says what the receiver makes of a text', async () => {
  const service = await Service.start()
  const [purchase] = await templates(service)
  const issues = [{ path: 'data', reason: 'is missing' }]
  const unrecognized = { is_json: true, shape: 'unrecognized', reason: 'invalid-payload' }
  for (const [text, expected] of [
    ['{\n  "type": }', { is_json: false, shape: null, type: null, reason: null, issues: [] }],
    ['{"type":"intent.processed"}', { ...unrecognized, type: 'intent.processed', issues }],
    ['[]', { ...unrecognized, type: null }],
    [
      JSON.stringify(purchase!.payload),
      { is_json: true, shape: 'transaction', type: purchase!.type, reason: null, issues: [] },
    ],
  ] as const) {
    const { data } = await service.post('/_sandbox/compose/check/', { text })
    expect(data, text).toMatchObject(expected)
  }
})
