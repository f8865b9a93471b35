// What a team did with its sandbox in two days: the data of the screenshots.
import { caller } from '../../support/call.js'

/** @typedef {import('@service-signature/sandbox').Sandbox} Sandbox */
/** @typedef {import('@service-signature/sandbox').ManualClock} ManualClock */
/** @typedef {import('../../support/call.js').Data} Data */
/** @typedef {{ card?: string, currency?: string, key?: string, pay?: object }} PayOptions */

const INTENTS = '/api/v1.4/payments/intent/'
const TOKENS = '/api/v1.4/tokens/cards/'
const SHOP = 'http://127.0.0.1:3000'
const WEBHOOKS = `${SHOP}/webhooks`
const LEGACY = `${SHOP}/legacy/hooks`
const INVOICES = `${SHOP}/invoices`
const ORDERS = `${SHOP}/orders`
const GONE = 'http://127.0.0.1:3999/webhooks'
const MINUTE = 60_000
/** The schedule of retries, so that each is made at its time. */
const RETRIES_MS = [1000, 5000, 25_000, 120_000, 600_000]

const CARD = '4242424242424242'
const MASTERCARD = '5555555555554444'
const DECLINED = '4000000000000002'
const NO_FUNDS = '4000000000009995'
const CHALLENGED = '4000000000003220'
const DECLINED_WHEN_SAVED = '4000000000000341'

export class History {
  #sandbox
  #clock
  #api

  /**
   * @param {Sandbox} sandbox
   * @param {ManualClock} clock
   */
  constructor(sandbox, clock) {
    this.#sandbox = sandbox
    this.#clock = clock
    this.#api = caller(sandbox)
  }

  /** Everything before today. */
  async lastDays() {
    const ada = await this.#customer('Ada', 'Berger', { custom_fields: { plan: 'team', seats: 12 } })
    await this.#pay(24.9, { customer: ada, tokenize_card: true, custom_fields: { reference: 'Order 1001' } })
    const card_token = (await this.firstOf('newest/card-tokens')).id
    await this.#pass(95)
    const jonas = await this.#customer('Jonas', 'Weber')
    await this.#pay(149, { customer: jonas, tokenize_card: true }, { card: MASTERCARD })
    await this.#pass(37)
    await this.#pay(59.5, {}, { card: NO_FUNDS })
    await this.#pass(210)
    await this.#pay(12000, { webhook_url: INVOICES }, { currency: 'JPY' })
    await this.#pay(89.99, { customer: jonas }, { card: CHALLENGED, pay: { challenge: 'pass' } })
    await this.#pass(340)
    const subscription = {
      customer: ada,
      card_token,
      recurring_data: { agreement_id: 'sub_team_2041' },
      payment_type: 'UNSCHEDULED',
    }
    for (const merchant_initiated of [false, true]) {
      await this.#pay(79, { ...subscription, merchant_initiated })
      await this.#pass(600)
    }
    await this.#pay(18.4, { webhook_url: GONE })
    await this.#pass(260)
    await this.#api.call('PUT', '/_sandbox/faults/', { providers: { north: 'declines' } })
    await this.#pay(32, { webhook_url: INVOICES })
    await this.#api.call('PUT', '/_sandbox/faults/', {})
    await this.#pass(45)
    const saving = await this.#api.post(TOKENS, { customer: await this.#customer('Mina', 'Okafor') })
    await this.#api.post(`/_sandbox/intents/${saving.id}/pay/`, { card: DECLINED_WHEN_SAVED })
    await this.#pass(70)
    for (const [index, amount] of [4.5, 12.75, 64, 230.1, 9.99, 41].entries()) {
      const webhook_url = [WEBHOOKS, LEGACY, INVOICES][index % 3]
      await this.#pay(amount, { webhook_url, custom_fields: { reference: `Order ${1010 + index}` } })
      await this.#pass(11)
    }
    await this.#liveShop()
    await this.#pass((Date.now() - this.#clock.now()) / MINUTE)
  }

  /** An account of its own, with a payment in live mode, and a key that is revoked. */
  async #liveShop() {
    const { organization } = this.#sandbox.apiKeys
    const { id: account } = await this.#api.post(
      '/api/v1.4/accounts/',
      { name: 'Shop in Lisbon' },
      organization,
    )
    const live = { type: 'account', account, is_live: true }
    await this.#pay(320, {}, { key: (await this.#api.post('/_sandbox/keys/', live)).api_key })
    const old = await this.#api.post('/_sandbox/keys/', { type: 'account' })
    await this.#api.post(`/_sandbox/keys/${old.id}/revoke/`)
  }

  /** The last minutes: forgeries, a failure that is still retried, and mistakes of a client. */
  async today() {
    const intent = await this.#pay(10.5, {})
    const legacy = await this.#pay(10.5, { webhook_url: LEGACY })
    await this.#sandbox.idle()
    await this.#forge(intent)
    await this.#forge(legacy)
    await this.#pay(7.2, {}, { card: DECLINED })
    await this.#pay(18.4, { webhook_url: GONE })
    await this.#api.post(INTENTS, { amount: '10', amount_currency: 'EUR' }).catch(() => undefined)
    const open = await this.#api.post(INTENTS, {
      amount: 25,
      amount_currency: 'EUR',
      customer: await this.#customer('Lena', 'Fischer'),
      show_save_card_checkbox: true,
      custom_fields: { reference: 'Order 1042', return_url: 'https://shop.example/orders/1042' },
    })
    const orders = await this.#pay(10.5, { webhook_url: ORDERS })
    await this.#sandbox.idle()
    return { refused: await this.firstOf('newest/deliveries', `intent=${orders.id}`), open }
  }

  /**
   * @param {string} list
   * @param {string} [query]
   */
  async firstOf(list, query = '') {
    const items = await this.#api.call('GET', `/_sandbox/${list}/?limit=1&${query}`)
    const [first] = /** @type {Data[]} */ (/** @type {unknown} */ (items))
    if (first === undefined) throw new Error(`There is nothing in ${list} with ${query}.`)
    return first
  }

  /** @param {Data} intent whose delivery is sent again, tampered with */
  async #forge({ id }) {
    const delivery = await this.firstOf('newest/deliveries', `intent=${id}`)
    await this.#api.post(`/_sandbox/deliveries/${delivery.id}/resend/`, { tamper: true })
  }

  /**
   * @param {string} first_name
   * @param {string} last_name
   * @param {object} [others]
   */
  async #customer(first_name, last_name, others) {
    const email = `${first_name}.${last_name}@example.com`.toLowerCase()
    return (await this.#api.post('/api/v1.4/customers/', { first_name, last_name, email, ...others })).id
  }

  /**
   * @param {number} amount
   * @param {object} fields
   * @param {PayOptions} [options]
   */
  async #pay(amount, fields, { card = CARD, currency = 'EUR', key, pay = {} } = {}) {
    const body = { amount, amount_currency: currency, webhook_url: WEBHOOKS, ...fields }
    const intent = await this.#api.post(INTENTS, body, key)
    if (!('card_token' in fields))
      await this.#api.post(`/_sandbox/intents/${intent.id}/pay/`, { card, ...pay })
    return intent
  }

  /** @param {number} minutes */
  async #pass(minutes) {
    const end = this.#clock.now() + minutes * MINUTE
    await this.#sandbox.idle()
    for (const delay of RETRIES_MS) {
      if (this.#clock.now() + delay < end) this.#clock.advance(delay)
      await this.#sandbox.idle()
    }
    this.#clock.advance(Math.max(0, end - this.#clock.now()))
    await this.#sandbox.idle()
  }
}
