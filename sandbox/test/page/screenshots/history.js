// What a team did with its sandbox in two days: the data of the screenshots.

/** @typedef {import('@service-signature/sandbox').Sandbox} Sandbox */
/** @typedef {Awaited<ReturnType<typeof import('./shop.js').startShop>>} Shop */
/** @typedef {{ id: string, key: string, state: string, api_key: string }} Data what is read of any answer */

const INTENTS = '/api/v1.4/payments/intent/'
const CARD = '4242424242424242'
const MASTERCARD = '5555555555554444'
const AMEX = '378282246310005'
const DECLINED = '4000000000000002'
const NO_FUNDS = '4000000000009995'
const CHALLENGED = '4000000000003220'
const DECLINED_WHEN_SAVED = '4000000000000341'

export class History {
  #sandbox
  #shop
  #pass

  /**
   * @param {Sandbox} sandbox
   * @param {Shop} shop
   * @param {(minutes: number) => Promise<void>} pass lets time pass
   */
  constructor(sandbox, shop, pass) {
    this.#sandbox = sandbox
    this.#shop = shop
    this.#pass = pass
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @param {string} [key]
   * @returns {Promise<Data>}
   */
  async call(method, path, body, key = this.#sandbox.apiKeys.account) {
    const response = await fetch(this.#sandbox.url + path, {
      method,
      headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { status, data } = /** @type {{ status: object, data: Data }} */ (await response.json())
    if (!response.ok) throw new Error(`${method} ${path} answered ${JSON.stringify(status)}`)
    return data
  }

  /**
   * @param {string} path
   * @param {object} [body]
   * @param {string} [key]
   */
  post(path, body, key) {
    return this.call('POST', path, body, key)
  }

  /**
   * @param {number} amount
   * @param {object} fields
   * @param {{ card?: string, currency?: string, key?: string, pay?: object }} [options]
   */
  async pay(amount, fields, { card = CARD, currency = 'EUR', key, pay = {} } = {}) {
    const body = { amount, amount_currency: currency, webhook_url: this.#shop.webhooks, ...fields }
    const intent = await this.post(INTENTS, body, key)
    if (!('card_token' in fields)) await this.post(`/_sandbox/intents/${intent.id}/pay/`, { card, ...pay })
    return intent
  }

  /** Everything before today. */
  async lastDays() {
    const ada = await this.post('/api/v1.4/customers/', {
      first_name: 'Ada',
      last_name: 'Berger',
      email: 'ada.berger@example.com',
      phone_number: '+49 30 5550 1842',
      custom_fields: { plan: 'team', seats: 12 },
    })
    await this.#pass(4)
    await this.pay(24.9, {
      customer: ada.id,
      tokenize_card: true,
      custom_fields: { reference: 'Order 1001' },
    })
    await this.#pass(95)
    const jonas = await this.customer('Jonas', 'Weber')
    await this.pay(149, { customer: jonas, tokenize_card: true }, { card: MASTERCARD })
    await this.#pass(37)
    await this.pay(59.5, {}, { card: NO_FUNDS })
    await this.#pass(210)
    await this.pay(12000, { webhook_url: this.#shop.invoices }, { currency: 'JPY' })
    await this.#pass(8)
    await this.pay(89.99, { customer: jonas }, { card: CHALLENGED, pay: { challenge: 'pass' } })
    await this.#pass(340)
    const [card] = /** @type {Data[]} */ (
      /** @type {unknown} */ (await this.call('GET', `/api/v1.4/customers/${ada.id}/cards/`))
    )
    const subscription = {
      customer: ada.id,
      card_token: card?.id,
      recurring_data: { agreement_id: 'sub_team_2041' },
    }
    await this.pay(79, { ...subscription, payment_type: 'UNSCHEDULED', merchant_initiated: false })
    await this.#pass(600)
    await this.pay(79, { ...subscription, payment_type: 'UNSCHEDULED', merchant_initiated: true })
    await this.#pass(120)
    await this.pay(18.4, { webhook_url: this.#shop.gone })
    await this.#pass(260)
    await this.call('PUT', '/_sandbox/faults/', { providers: { north: 'declines' } })
    await this.pay(32, { webhook_url: this.#shop.invoices }, { card: AMEX })
    await this.call('PUT', '/_sandbox/faults/', {})
    await this.#pass(45)
    const mina = await this.customer('Mina', 'Okafor')
    await this.post('/api/v1.4/tokens/cards/', { customer: mina, webhook_url: this.#shop.webhooks })
    const saving = await this.post('/api/v1.4/tokens/cards/', { customer: mina })
    await this.post(`/_sandbox/intents/${saving.id}/pay/`, { card: DECLINED_WHEN_SAVED })
    await this.#pass(70)
    for (const [index, amount] of [4.5, 12.75, 64, 230.1, 9.99, 41].entries()) {
      const url = [this.#shop.webhooks, this.#shop.legacy, this.#shop.invoices][index % 3]
      await this.pay(amount, { webhook_url: url, custom_fields: { reference: `Order ${1010 + index}` } })
      await this.#pass(11)
    }
    await this.#lisbon()
  }

  /** An account of its own, with a payment in live mode. */
  async #lisbon() {
    const account = await this.post('/_sandbox/accounts/', { name: 'Shop in Lisbon' })
    const { api_key } = await this.post('/_sandbox/keys/', {
      type: 'account',
      account: account.id,
      is_live: true,
    })
    await this.pay(320, {}, { key: api_key })
    const old = await this.post('/_sandbox/keys/', { type: 'account' })
    await this.post(`/_sandbox/keys/${old.id}/revoke/`)
    await this.#pass(25)
  }

  /** The last minutes: forgeries, a failure that is still retried, and mistakes of a client. */
  async today() {
    const forged = await this.pay(10.5, { webhook_url: this.#shop.webhooks })
    const legacy = await this.pay(10.5, { webhook_url: this.#shop.legacy })
    await this.#sandbox.idle()
    const strict = await this.#deliveryOf(forged)
    await this.post(`/_sandbox/deliveries/${strict.id}/resend/`, { tamper: true })
    const unverified = await this.#deliveryOf(legacy)
    await this.post(`/_sandbox/deliveries/${unverified.id}/resend/`, { tamper: true })
    await this.pay(7.2, {}, { card: DECLINED })
    await this.pay(18.4, { webhook_url: this.#shop.gone })
    await this.post(INTENTS, { amount: '10', amount_currency: 'EUR' }).catch(() => undefined)
    await this.post(INTENTS, { amount: 10, amount_currency: 'EUR' }, 'account_key_wrong').catch(
      () => undefined,
    )
    return { intent: forged, forged: strict, accepted: unverified, open: await this.#openIntent() }
  }

  /** An intent whose customer has not paid yet. */
  async #openIntent() {
    const customer = await this.customer('Lena', 'Fischer')
    return this.post(INTENTS, {
      amount: 25,
      amount_currency: 'EUR',
      customer,
      show_save_card_checkbox: true,
      custom_fields: { reference: 'Order 1042', return_url: 'https://shop.example/orders/1042' },
    })
  }

  /** @param {Data} intent */
  async #deliveryOf({ id }) {
    const path = `/_sandbox/newest/deliveries/?intent=${id}&limit=1`
    const [delivery] = /** @type {Data[]} */ (/** @type {unknown} */ (await this.call('GET', path)))
    if (delivery === undefined) throw new Error(`There is no delivery of ${id}.`)
    return delivery
  }

  /**
   * @param {string} first_name
   * @param {string} last_name
   */
  async customer(first_name, last_name) {
    const email = `${first_name}.${last_name}@example.com`.toLowerCase()
    return (await this.post('/api/v1.4/customers/', { first_name, last_name, email })).id
  }
}
