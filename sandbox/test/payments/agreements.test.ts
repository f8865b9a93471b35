import { describe, expect, it } from 'vitest'
import { CIT, MIT, removeCard, startWithCard, triesOf } from '../support/saved-card.js'
import { CHALLENGED, Service } from '../support/service.js'

const PAID = { status: 'PROCESSED', failure: null }
const failed = (failure: string) => ({ status: 'FAILED', failure, embed_url: null })
const NO_CIT = failed('There was no CIT with this agreement_id')
const NOT_COVERED = failed('The provider east has no coverage of this agreement')
const ANOTHER_TOKEN = failed('The agreement is for another card token')

describe('An agreement', () => {
  // Specification: agreement-id
  it('has an agreement_id that can be any string: with spaces, or of 100,000 characters', async () => {
    const { charge } = await startWithCard()
    for (const agreement_id of ['any unique string, with spaces', 'x'.repeat(100_000)]) {
      const recurring_data = { agreement_id }
      expect((await charge({ recurring_data })).data).toMatchObject(PAID)
      const mit = await charge({ recurring_data, merchant_initiated: true })
      expect(mit.data).toMatchObject({ ...PAID, agreement_id })
    }
  })

  // Specification: agreement-established, agreement-reference, later-mit, initiator
  it('is established by a CIT: the provider stores its own reference, and later MITs charge the card again', async () => {
    const { service, endpoint, customer, card_token, charge } = await startWithCard()
    await charge(CIT)
    const { agreements } = await service.state()
    const references = { north: expect.stringMatching(/^ref_/) as string }
    const scope = { account: service.sandbox.accountId, is_live: false }
    const agreement = { agreement_id: 'agr-1', customer, card_token, references }
    expect(agreements).toMatchObject([{ ...scope, ...agreement }])
    const { data } = await charge(MIT)
    expect(data).toMatchObject({ ...PAID, merchant_initiated: true, agreement_id: 'agr-1' })
    // It does not change the reference.
    expect((await service.state())['agreements']).toEqual(agreements)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(4)
  })

  // Specification: agreement-established
  it.each([
    ['pass', 1, PAID],
    ['fail', 0, NO_CIT],
  ])(
    'is established once the challenge of its CIT is completed: %s, and the MIT is not challenged',
    async (challenge, count, expected) => {
      const { service, charge } = await startWithCard({ card: CHALLENGED })
      const { id, status } = (await charge(CIT)).data
      expect(status).toBe('AWAITING_CHALLENGE')
      expect((await service.state())['agreements']).toEqual([])
      await service.pay(id, { challenge })
      expect((await service.state())['agreements']).toHaveLength(count)
      expect((await charge(MIT)).data).toMatchObject({ ...expected, embed_url: null })
    },
  )

  it('our choice: a typed card that is not saved establishes it; the first saved token of that card becomes its token', async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const agreementIs = async (card_token: string | null) => {
      expect((await service.state())['agreements']).toMatchObject([{ customer, card_token }])
    }
    const charge = async (card_token: string) => (await service.intent({ customer, card_token, ...MIT })).data
    await service.pay((await service.intent({ customer, ...CIT })).data.id)
    await agreementIs(null)
    const other = await service.savedCard(customer, { card: '5555555555554444' })
    expect(await charge(other)).toMatchObject(failed('The agreement is for another card'))
    const card_token = await service.savedCard(customer)
    expect(await charge(card_token)).toMatchObject(PAID)
    await agreementIs(card_token)
    expect(await charge(await service.savedCard(customer))).toMatchObject(ANOTHER_TOKEN)
  })

  // Specification: agreement-charges
  it('is for one card_token and one customer: a charge of another card, or by another customer, is declined', async () => {
    const { service, customer, charge } = await startWithCard()
    await charge(CIT)
    const second = await service.savedCard(customer)
    const other = await service.customer()
    const foreign = { customer: other, card_token: await service.savedCard(other) }
    for (const fields of [CIT, MIT]) {
      expect((await charge({ ...fields, card_token: second })).data).toMatchObject(ANOTHER_TOKEN)
      const { data } = await charge({ ...fields, ...foreign })
      expect(data).toMatchObject(failed('The agreement is that of another customer'))
    }
    expect((await charge(MIT)).data).toMatchObject(PAID)
  })

  // Specification: deleted-card-charge, agreement-charges
  it('whose card is deleted fails with 404 on its next charge, until a CIT attaches a new card', async () => {
    const { service, customer, charge, remove } = await startWithCard()
    await charge(CIT)
    await remove()
    await service.refuses(() => charge(MIT), 404, { card_token: 'Card token not found' })
    const card_token = await service.savedCard(customer)
    expect((await charge({ ...MIT, card_token })).data).toMatchObject(ANOTHER_TOKEN)
    expect((await charge({ ...CIT, card_token })).data).toMatchObject(PAID)
    expect((await charge({ ...MIT, card_token })).data).toMatchObject(PAID)
  })

  it('our choice: a new card ends the coverage of the old one at all providers, and a second CIT of the same card does not', async () => {
    const { service, customer, card_token, charge } = await startWithCard()
    await charge(CIT)
    await charge({ ...CIT, provider: 'east' })
    expect((await charge({ ...MIT, provider: 'north' })).data).toMatchObject(PAID)
    await removeCard(service, customer, card_token)
    const next = { card_token: await service.savedCard(customer) }
    await charge({ ...CIT, ...next, provider: 'south' })
    const { data } = await charge({ ...MIT, ...next, provider: 'north' })
    expect(data).toMatchObject(failed('The provider north has no coverage of this agreement'))
  })

  // Specification: fresh-agreement, not-covered
  it.each([
    ['a new agreement_id', { recurring_data: { agreement_id: 'new' } }, NO_CIT],
    ['a provider that is not covered', { provider: 'east' }, NOT_COVERED],
  ])('without a CIT there is no charge by the merchant: %s', async (_, change, expected) => {
    const { service, endpoint, charge } = await startWithCard()
    await charge({ ...CIT, webhook_url: undefined })
    const { code, data } = await charge({ ...MIT, ...change })
    expect(code).toBe(200)
    expect(data).toMatchObject(expected)
    await service.sandbox.idle()
    expect(endpoint.types).toEqual(['transaction.purchase.failed'])
    // There is nothing that the customer could do at the form.
    await service.refuses(() => service.pay(data.id), 409)
  })

  it('our choice: the same agreement_id in another mode is another agreement', async () => {
    const { service, charge } = await startWithCard()
    await charge(CIT)
    const live = service.composite(true)
    const customer = await service.customer({}, live)
    const card_token = await service.savedCard(customer, { key: live })
    expect((await service.intent({ customer, card_token, ...MIT }, live)).data).toMatchObject(NO_CIT)
  })

  // Specification: mapping, not-covered
  it('needs a provider that supports agreement mapping to be covered', async () => {
    const { service, charge } = await startWithCard()
    for (const provider of ['north', 'south', 'east']) {
      const recurring_data = { agreement_id: `agr-${provider}` }
      expect((await charge({ ...CIT, recurring_data, provider })).data).toMatchObject(PAID)
    }
    expect((await service.get('/api/v1.4/providers/')).list).toMatchObject([
      { id: 'north', maps_agreements: true, agreements: ['agr-north'] },
      { id: 'south', maps_agreements: true, agreements: ['agr-south'] },
      { id: 'east', maps_agreements: false, agreements: [] },
    ])
    const recurring_data = { agreement_id: 'agr-east' }
    const { data } = await charge({ ...MIT, recurring_data, provider: 'east' })
    expect(data).toMatchObject(NOT_COVERED)
  })
})

const SETUP = { ...CIT, routing_action: 'SMART_RECURRING_SETUP' }
const PROCESSING = { ...MIT, routing_action: 'SMART_RECURRING_PROCESSING' }
const RECOVERY = { ...MIT, routing_action: 'SMART_RECURRING_RECOVERY' }

describe('The routing actions of agreements', () => {
  // Specification: smart-setup
  it('Smart Recurring Setup sends each CIT to a provider that is not covered yet; (our choice) then as without it', async () => {
    const { service, charge } = await startWithCard()
    for (const expected of ['north', 'south', 'north'])
      expect(triesOf(await charge(SETUP))).toEqual([`${expected} SUCCESSFUL`])
    for (const provider of ['north', 'south']) expect(await service.coveredBy(provider)).toEqual(['agr-1'])
  })

  // Specification: provider-token, smart-setup
  it.each(['south', 'east'])(
    'Smart Recurring Setup sends a PROVIDER token only to its own provider, covered or not: %s',
    async (provider) => {
      const { charge } = await startWithCard({ type: 'PROVIDER', provider })
      for (const fields of [SETUP, SETUP])
        expect(triesOf(await charge(fields))).toEqual([`${provider} SUCCESSFUL`])
    },
  )

  // Specification: smart-processing, smart-recovery
  it('Smart Recurring Processing sends an MIT to the covered provider, and Recovery one that failed to another', async () => {
    const { service, charge } = await startWithCard()
    await charge({ ...CIT, provider: 'south' })
    expect(triesOf(await charge(PROCESSING))).toEqual(['south SUCCESSFUL'])
    await charge({ ...CIT, provider: 'north' })
    await service.faults({ providers: { north: 'rejects-stolen' } })
    const failed = await charge(PROCESSING)
    expect(failed.data.failure).toBe('The card is reported as stolen')
    expect(triesOf(failed)).toEqual(['north FAILED'])
    expect(triesOf(await charge(RECOVERY))).toEqual(['south SUCCESSFUL'])
  })

  it('our choice: Smart Recurring Recovery fails if there is no other covered provider', async () => {
    const { service, charge } = await startWithCard()
    await charge(CIT)
    await service.faults({ vault: 'down' })
    expect(triesOf(await charge(MIT))).toEqual(['north FAILED'])
    await service.faults({})
    const { data } = await charge(RECOVERY)
    expect(data).toMatchObject(failed('There is no other provider that covers this agreement'))
  })

  // Specification: smart-recovery
  it.each([
    ['no charge', []],
    ['a CIT', [CIT]],
    ['a CIT and an MIT that succeeded', [CIT, MIT]],
    ['a failure of another agreement', [CIT, { ...MIT, recurring_data: { agreement_id: 'other' } }]],
    ['a CIT, and a failure in live mode', [CIT], [MIT]],
  ])(
    'Smart Recurring Recovery is for a charge that has failed: after %s it is refused',
    async (_, before, beforeInLive: readonly object[] = []) => {
      const { service, charge } = await startWithCard()
      for (const fields of before) await charge(fields)
      const live = service.composite(true)
      const customer = await service.customer({}, live)
      const card_token = await service.savedCard(customer, { key: live })
      for (const fields of beforeInLive) await service.intent({ customer, card_token, ...fields }, live)
      await service.refuses(() => charge(RECOVERY), 400, {
        routing_action: 'needs an agreement whose last charge has failed',
      })
    },
  )

  it.each([
    ['routing_action', { ...SETUP, merchant_initiated: true }, 'is not for an MIT'],
    ['routing_action', { ...PROCESSING, merchant_initiated: false }, 'is not for a CIT'],
    ['routing_action', { ...RECOVERY, merchant_initiated: false }, 'is not for a CIT'],
    ['recurring_data', { routing_action: SETUP.routing_action }, 'is needed where routing_action is given'],
    ['provider', { ...SETUP, provider: 'north' }, 'cannot be given together with routing_action'],
  ])(
    'our choice: fields that do not match a routing action are refused: %s of %j',
    async (field, fields, problem) => {
      const { service, charge } = await startWithCard()
      await service.refuses(() => charge(fields), 400, { [field]: problem })
    },
  )
})
