import { describe, expect, it } from 'vitest'
import { CARD_TOKENS, CHALLENGED, INTENTS, NEEDS_CVV, Service } from './support/service.js'

/** A saved card, and a charge of it at the dedicated endpoint. */
async function saved(service: Service, card?: string) {
  const customer = await service.customer()
  const card_token = await service.savedCard(customer, card === undefined ? {} : { card })
  const body = { amount: 10, amount_currency: 'EUR', customer, card_token }
  const charge = (fields: object) =>
    service.post(`${CARD_TOKENS}${card_token}/charge/`, { ...body, ...fields })
  return { body, charge }
}

describe('The dedicated charge of a card token', () => {
  it('counts as merchant-initiated with card_token and CVV alone', async () => {
    const service = await Service.start()
    const { charge } = await saved(service, NEEDS_CVV)
    const { data } = await charge({ card_token_data: { cvv: '123' } })
    expect(data).toMatchObject({ status: 'PROCESSED', merchant_initiated: true, agreement_id: null })
    expect((await service.get(`${INTENTS}${data.id}/`)).data).toMatchObject({ merchant_initiated: true })
  })

  it('takes merchant_initiated true without recurring_data', async () => {
    const service = await Service.start()
    const { charge } = await saved(service)
    const { code, data } = await charge({ card_token_data: { cvv: '123' }, merchant_initiated: true })
    expect(code).toBe(200)
    expect(data).toMatchObject({ status: 'PROCESSED', merchant_initiated: true })
  })

  it('refuses merchant_initiated false, and charges nothing', async () => {
    const service = await Service.start()
    const { charge } = await saved(service)
    const { code, status } = await charge({ merchant_initiated: false })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ merchant_initiated: 'must be true here, or missing' }])
    expect((await service.state())['intents']).toEqual([])
  })

  it('skips no step of the customer without an agreement', async () => {
    const service = await Service.start()
    const { charge } = await saved(service, CHALLENGED)
    const { data } = await charge({ merchant_initiated: true, card_token_data: { cvv: '123' } })
    expect(data.failure).toBe('A step of the customer is required, and the customer is not there')
  })

  it('is declined with an agreement_id that no CIT has established', async () => {
    const service = await Service.start()
    const { charge } = await saved(service)
    const { data } = await charge({ recurring_data: { agreement_id: 'new' } })
    expect(data).toMatchObject({ status: 'FAILED', failure: 'There was no CIT with this agreement_id' })
  })

  it('goes to the next provider while the first one is down', async () => {
    const service = await Service.start()
    const { charge } = await saved(service)
    await service.faults({ providers: { north: 'down' } })
    const { data } = await charge({})
    expect(data.transactions).toMatchObject([
      { status: 'FAILED', provider: 'north' },
      { status: 'SUCCESSFUL', provider: 'south' },
    ])
  })
})

describe('A charge of a saved card on an intent', () => {
  it('still needs recurring_data where merchant_initiated is true', async () => {
    const service = await Service.start()
    const { body } = await saved(service)
    const { code, status } = await service.post(INTENTS, { ...body, merchant_initiated: true })
    expect(code).toBe(400)
    expect(status.errors).toEqual([{ recurring_data: 'is needed where merchant_initiated is true' }])
  })
})
