import { describe, expect, it } from 'vitest'
import { ok, status } from '../support/endpoint.js'
import { startWithSeconds } from '../support/records.js'
import { CARD, DECLINED, type Data, type Service } from '../support/service.js'

interface Entry {
  readonly at: string
  readonly text: string
  readonly outcome?: 'good' | 'bad'
  readonly delivery?: string
  readonly transaction?: string
}

async function historyOf(service: Service, intent: string): Promise<readonly Entry[]> {
  return (await service.get(`/_sandbox/intents/${intent}/`)).data['history'] as readonly Entry[]
}

const CREATED = 'Intent of 10.00 EUR created'
const SUCCEEDED = 'Charge of 10.00 EUR at north succeeded'

describe('The history of an intent', () => {
  it('has what happened, in order: charges, saved card, agreement, deliveries and attempts', async () => {
    const { service, at, endpoint, second } = await startWithSeconds()
    endpoint.replyWith(status(500), ok)
    const customer = await service.customer({ first_name: 'Jane' })
    const fields = {
      amount: 10.5,
      customer,
      show_save_card_checkbox: true,
      recurring_data: { agreement_id: 'A-1' },
      webhook_url: endpoint.url,
    }
    const { id } = (await second(() => service.intent(fields))).data
    await second(() => service.pay(id, { card: DECLINED }))
    await second(() => service.pay(id, { card: CARD, saveCard: true }))
    const { data } = await service.get(`/_sandbox/intents/${id}/`)
    const [failed, paid] = (data.transactions as unknown as readonly Data[]).map((each) => each.id)
    const deliveries = (await service.deliveries()).map((each) => [each['type'], each.id] as [string, string])
    const [refused, successful, processed] = deliveries
    const [accepted, good] = ['Your endpoint accepted it: it answered 204.', { outcome: 'good' }]
    const sent = ([type, delivery]: [string, string]) => [
      { at: at(3), text: `${type} for ${endpoint.url}`, delivery },
      { at: at(3), text: `${type}, attempt 1. ${accepted}`, ...good, delivery },
    ]
    const [first, delivery] = refused!
    const answer = 'Your endpoint refused a valid delivery: it answered 500. Its handler, or a body parser?'
    const bad = { at: at(2), outcome: 'bad' }
    expect(data['history']).toEqual([
      { at: at(1), text: 'Intent of 10.50 EUR created' },
      { ...bad, text: 'Charge of 10.50 EUR at north failed: The card was declined', transaction: failed },
      { at: at(2), text: `${first} for ${endpoint.url}`, delivery },
      { ...bad, text: `${first}, attempt 1. ${answer}`, delivery },
      { at: at(3), text: 'Charge of 10.50 EUR at north succeeded', ...good, transaction: paid },
      { at: at(3), text: 'Card saved: Visa that ends in 4242' },
      { at: at(3), text: 'Agreement A-1 established at north', transaction: paid },
      { at: at(3), text: `${first}, attempt 2. ${accepted}`, ...good, delivery },
      ...sent(successful!),
      ...sent(processed!),
    ])
  })

  it('leaves out diagnostic copies, which are not attempts', async () => {
    const { service, endpoint, second } = await startWithSeconds()
    const { id } = (await second(() => service.intent({ webhook_url: endpoint.url }))).data
    await second(() => service.pay(id))
    const before = await historyOf(service, id)
    endpoint.replyWith(status(401))
    await second(() => service.post(`/_sandbox/deliveries/${before.at(-1)!.delivery}/check/`))
    expect(await historyOf(service, id)).toEqual(before)
  })

  it('says only once that a card was saved and an agreement established', async () => {
    const { service, second } = await startWithSeconds()
    const customer = await service.customer()
    const card_token = await second(() => service.savedCard(customer))
    const fields = { customer, card_token, recurring_data: { agreement_id: 'A' } }
    const textsOf = async (id: string) => (await historyOf(service, id)).map(({ text }) => text)
    for (const [extra, expected] of [
      [{}, [CREATED, SUCCEEDED, 'Agreement A established at north']],
      [{ merchant_initiated: true }, [CREATED, SUCCEEDED]],
      [{}, [CREATED, SUCCEEDED]],
    ] as const) {
      const { id } = (await second(() => service.intent({ ...fields, ...extra }))).data
      expect(await textsOf(id)).toEqual(expected)
    }
    const chosen = (await second(() => service.intent({ customer }))).data.id
    await second(() => service.pay(chosen, { cardToken: card_token }))
    expect(await textsOf(chosen)).toEqual([CREATED, SUCCEEDED])
  })
})
