import { describe, expect, it } from 'vitest'
import { holds } from '../support/holds.js'
import { sdkInNode } from '../support/sdk-in-node.js'
import { CARD, CARD_TOKENS, CHALLENGED, CUSTOMERS, INTENTS, Service } from '../support/service.js'

const cardIntent = async (service: Service, fields: object = {}) =>
  (await service.post(CARD_TOKENS, { customer: await service.customer(), ...fields })).data.id

describe('Client SDK', () => {
  it(
    'a client of the type payment with the public API key pays an intent',
    holds('sdk-client', 'sdk-pay', 'public-key'),
    async () => {
      const service = await Service.start()
      const { id } = (await service.intent()).data
      const cardForm = await sdkInNode(service, { card: CARD })
      expect(await cardForm.pay({ intentId: id })).toEqual({
        state: 'PROCESSED',
        stateDetails: { failure: null, cardToken: null },
      })
      expect((await service.get(`${INTENTS}${id}/`)).data.transactions).toMatchObject([
        { status: 'SUCCESSFUL' },
      ])
    },
  )

  it('our choice: the SDK reports that the key of its client is not a public key', async () => {
    const service = await Service.start()
    const cardIntentId = await cardIntent(service)
    const cardData = await (await sdkInNode(service, { card: CARD })).collect()
    const cardForm = await sdkInNode(service, { card: CARD }, service.sandbox.apiKeys.account)
    const made = cardForm.createCardToken({ cardData, cardIntentId })
    await expect(made).rejects.toThrow(/^X-Api-Key is a secret key/)
    expect((await service.state())['card_tokens']).toEqual([])
  })

  it('pay with saveCard saves the card if the intent has allow_tokenize_card', holds('sdk-pay'), async () => {
    const service = await Service.start()
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, allow_tokenize_card: true })).data
    const cardForm = await sdkInNode(service, { card: CARD })
    const { state, stateDetails } = await cardForm.pay({ intentId: id, saveCard: true })
    const { list } = await service.get(`${CUSTOMERS}${customer}/cards/`)
    expect({ state, saved: list.map((card) => card.id) }).toEqual({
      state: 'PROCESSED',
      saved: [stateDetails.cardToken],
    })
  })

  it(
    'pay with saveCard is refused without allow_tokenize_card, and pays nothing',
    holds('sdk-pay'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const { id } = (await service.intent({ customer })).data
      const cardForm = await sdkInNode(service, { card: CARD })
      await expect(cardForm.pay({ intentId: id, saveCard: true })).rejects.toThrow(
        'saveCard needs allow_tokenize_card on the intent',
      )
      expect((await service.get(`${INTENTS}${id}/`)).data.transactions).toEqual([])
      expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list).toEqual([])
    },
  )

  it('our choice: after a refused call the card is still in the form, after a payment it is not', async () => {
    const service = await Service.start()
    const { id } = (await service.intent()).data
    const cardForm = await sdkInNode(service, { card: CARD })
    await expect(cardForm.pay({ intentId: id, saveCard: true })).rejects.toThrow('allow_tokenize_card')
    expect(await cardForm.pay({ intentId: id })).toMatchObject({ state: 'PROCESSED' })
    const next = (await service.intent()).data.id
    await expect(cardForm.pay({ intentId: next })).rejects.toThrow('The card form is not complete')
    expect((await service.get(`${INTENTS}${next}/`)).data.transactions).toEqual([])
  })

  it(
    'pay without saveCard saves no card, although the intent has allow_tokenize_card',
    holds('sdk-pay'),
    async () => {
      const service = await Service.start()
      const customer = await service.customer()
      const { id } = (await service.intent({ customer, allow_tokenize_card: true })).data
      const cardForm = await sdkInNode(service, { card: CARD })
      expect(await cardForm.pay({ intentId: id, saveCard: false })).toMatchObject({ state: 'PROCESSED' })
      expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list).toEqual([])
    },
  )

  it(
    'collect returns card data without the number, and makes no token before createCardToken',
    holds('sdk-collect'),
    async () => {
      const service = await Service.start()
      const cardIntentId = await cardIntent(service)
      const cardForm = await sdkInNode(service, { card: CARD })
      const cardData = await cardForm.collect()
      expect(JSON.stringify(cardData)).not.toContain(CARD)
      const details = async () => (await service.get(`${CARD_TOKENS}intents/${cardIntentId}/`)).data
      expect(await details()).toMatchObject({ status: 'CREATED' })
      expect((await service.state())['card_tokens']).toEqual([])
      await cardForm.createCardToken({ cardData, cardIntentId })
      expect(await details()).toMatchObject({ status: 'PROCESSED' })
    },
  )

  it.each(['UNIVERSAL', 'PROVIDER', 'BOTH'])(
    'createCardToken makes a token of the card_token_type of its card intent: %s',
    holds('sdk-token', 'card-intent'),
    async (card_token_type) => {
      const service = await Service.start()
      const cardIntentId = await cardIntent(service, { card_token_type })
      const cardForm = await sdkInNode(service, { card: CARD })
      const made = await cardForm.createCardToken({ cardData: await cardForm.collect(), cardIntentId })
      const { card_token } = (await service.get(`${CARD_TOKENS}intents/${cardIntentId}/`)).data
      expect(made).toEqual({ state: 'PROCESSED', stateDetails: { failure: null, cardToken: card_token } })
      expect((await service.get(`${CARD_TOKENS}${card_token!}/`)).data.card_token_type).toBe(card_token_type)
    },
  )

  it.each([
    ['pass', { state: 'PROCESSED', stateDetails: { failure: null } }],
    ['fail', { state: 'FAILED', stateDetails: { failure: 'The challenge was not passed', cardToken: null } }],
  ] as const)(
    'our choice: createCardToken waits for a challenge, and its state is the outcome: %s',
    async (challenge, outcome) => {
      const service = await Service.start()
      const cardIntentId = await cardIntent(service)
      const cardForm = await sdkInNode(service, { card: CHALLENGED, challenge })
      const made = await cardForm.createCardToken({ cardData: await cardForm.collect(), cardIntentId })
      expect(made).toMatchObject(outcome)
    },
  )
})
