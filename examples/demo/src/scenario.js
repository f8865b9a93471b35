import { randomUUID } from 'node:crypto'
import { paragraph } from './paragraph.js'

/** @typedef {import('@service-signature/sandbox').Sandbox} Sandbox */
/** @typedef {import('./endpoint.js').Endpoint} Endpoint */
/** @typedef {import('./merchant.js').Merchant} Merchant */
/** @typedef {import('./merchant.js').Data} Data */
/** @typedef {{ sandbox: Sandbox, endpoint: Endpoint, merchant: Merchant }} Parts */

const INTENTS = '/api/v1.4/payments/intent/'
const price = { amount_currency: 'EUR', operation: 'purchase' }

/**
 * A card is saved and charged again, and then an attacker sends forged deliveries.
 *
 * @param {Parts} parts
 * @returns {Promise<number>} how many steps had another result than expected
 */
export async function runScenario({ sandbox, endpoint, merchant }) {
  const { id: customer } = await merchant.post('/api/v1.4/customers/', {})
  const order = { ...price, customer, webhook_url: endpoint.url }
  let failures = 0

  /**
   * @param {string} title
   * @param {() => Promise<boolean>} run
   */
  async function step(title, run) {
    console.log(`\n${title}`)
    if (await run()) return
    console.log('  !! this is not the expected result')
    failures++
  }

  /**
   * @param {Promise<Data>} payment
   * @returns {Promise<boolean>} whether both of its events were handled once
   */
  async function isDelivered(payment) {
    const seen = endpoint.handled.length
    const { status } = await payment
    await sandbox.drained()
    const events = endpoint.handled.slice(seen)
    for (const event of events) console.log(`  verified  ${lineOf(event)}`)
    const types = events.map(({ type }) => type).sort()
    return status === 'PROCESSED' && types.join() === 'intent.processed,transaction.purchase.successful'
  }

  /**
   * @param {string} code
   * @param {() => Promise<number>} send returns the status of the answer
   */
  async function isRefused(code, send) {
    const handled = endpoint.handled.length
    const refused = endpoint.refused.length
    const status = await send()
    const reasons = await Promise.all(endpoint.refused.slice(refused))
    for (const { code, finding } of reasons) {
      console.log(`  refused   ${status}, ${code}`)
      console.log(paragraph(finding))
    }
    return (
      status === 401 &&
      reasons.map((reason) => reason.code).join() === code &&
      endpoint.handled.length === handled
    )
  }

  await step('A payment of 25.00 EUR at the hosted form; the customer saves the card', async () => {
    const { id } = await merchant.post(INTENTS, { ...order, amount: 25, show_save_card_checkbox: true })
    const card = { card: '4242424242424242', saveCard: true }
    return isDelivered(merchant.post(`/_sandbox/intents/${id}/pay/`, card))
  })

  const cards = /** @type {unknown} */ (await merchant.get(`/api/v1.4/customers/${customer}/cards/`))
  const [card] = /** @type {Data[]} */ (cards)
  const subscription = {
    ...order,
    card_token: card?.id,
    payment_type: 'UNSCHEDULED',
    recurring_data: { agreement_id: randomUUID() },
  }

  await step('The customer agrees to further charges: the first charge of the saved card (CIT)', () =>
    isDelivered(merchant.post(INTENTS, { ...subscription, amount: 9.99, merchant_initiated: false })),
  )

  await step('A month later: the merchant charges the card under the same agreement (MIT)', () =>
    isDelivered(merchant.post(INTENTS, { ...subscription, amount: 9.99, merchant_initiated: true })),
  )

  const newestFirst = /** @type {Data[]} */ (
    /** @type {unknown} */ (await merchant.get('/_sandbox/newest/deliveries/?limit=500'))
  )
  const delivery = newestFirst.at(-1)
  const resend = `/_sandbox/deliveries/${delivery?.id}/resend/`

  await step('An attacker changes the amount of the first event', () =>
    isRefused('ERR_SIGNATURE_MISMATCH', async () =>
      lastAnswer(await merchant.post(resend, { tamper: true })),
    ),
  )

  await step('An attacker sends a delivery that was signed an hour ago', () =>
    isRefused('ERR_TIMESTAMP_TOO_OLD', async () => lastAnswer(await merchant.post(resend, { stale: true }))),
  )

  await step('An attacker recorded the first event, and sends the same bytes again', async () => {
    const handled = endpoint.handled.length
    const { attempts } = await merchant.get(`/_sandbox/deliveries/${delivery?.id}/`)
    const [{ headers, body }] = /** @type {[Attempt]} */ (attempts)
    const { status } = await fetch(endpoint.url, {
      method: 'POST',
      headers: { 'Service-Signature': headers['Service-Signature'] ?? '' },
      body,
    })
    console.log(`  answered  ${status}, not handled again`)
    console.log(
      paragraph(
        'The signature and the timestamp are valid, but the event was handled before. A retry gets 200.',
      ),
    )
    return status === 200 && endpoint.handled.length === handled
  })

  return failures
}

/** @typedef {{ headers: Record<string, string>, body: string, answer: { status: number } | null }} Attempt */

/**
 * @param {Data} delivery
 * @returns {number}
 */
function lastAnswer({ attempts }) {
  return /** @type {Attempt[]} */ (attempts).at(-1)?.answer?.status ?? 0
}

/**
 * @param {import('@service-signature/core').WebhookEvent} event
 * @returns {string}
 */
function lineOf({ shape, type, payload }) {
  const name = type.padEnd(31)
  if (shape === 'transaction') {
    const { id, amount } = payload.intent
    return `${name}  ${id}  ${amount.value} ${amount.currency}`
  }
  if (shape === 'intent') {
    const { id, amount, amount_currency, status } = payload.data.intent
    return `${name}  ${id}  ${amount} ${amount_currency}  ${status}`
  }
  return `${name}  of an unknown shape`
}
