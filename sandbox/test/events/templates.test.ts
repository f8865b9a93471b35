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
    await service.sent(endpoint.url, { customer })
    const fieldsOf = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([name, field]) => [name, fieldsOf(field)])
        : typeof value
    const made = (await templates(service))
      .slice(0, 2)
      .map(({ payload }) => JSON.stringify(fieldsOf(payload)))
    const real = endpoint.events.map((event) => JSON.stringify(fieldsOf(event)))
    const withoutReference = made.map((text) =>
      text.replaceAll('["custom_fields",[["reference","string"]]]', '["custom_fields","object"]'),
    )
    expect(withoutReference).toEqual(real)
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

it.each([
  ['{\n  "type": }', { is_json: false, shape: null, type: null }],
  [
    '{"type":"intent.processed"}',
    {
      is_json: true,
      shape: 'unrecognized',
      type: 'intent.processed',
      reason: 'invalid-payload',
      issues: [{ path: 'data', reason: 'is missing' }],
    },
  ],
  ['[]', { is_json: true, shape: 'unrecognized', type: null }],
])('the check of the composer says of %j what the receiver makes of it', async (text, expected) => {
  const service = await Service.start()
  const check = async (given: string) =>
    (await service.post('/_sandbox/compose/check/', { text: given })).data
  expect(await check(text)).toMatchObject(expected)
  const [purchase] = await templates(service)
  expect(await check(JSON.stringify(purchase!.payload))).toEqual({
    is_json: true,
    shape: 'transaction',
    type: 'transaction.purchase.successful',
    reason: null,
    issues: [],
  })
})
