import { randomUUID } from 'node:crypto'
import { paragraph } from './paragraph.js'

/** @typedef {import('@service-signature/sandbox').Sandbox} Sandbox */
/** @typedef {import('./endpoint.js').Endpoint} Endpoint */
/** @typedef {import('./merchant.js').Merchant} Merchant */
/** @typedef {import('./merchant.js').Data} Data */
/** @typedef {{ sandbox: Sandbox, endpoint: Endpoint, merchant: Merchant }} Cast */

const INTENTS = '/api/v1.4/payments/intent/'
const price = { amount_currency: 'EUR', operation: 'purchase' }

/**
 * A card is saved and charged again, and then somebody tries to cheat.
 *
 * @param {Cast} cast
 * @returns {Promise<number>} how much went otherwise than it should
 */
export async function tell({ sandbox, endpoint, merchant }) {
  const { id: customer } = await merchant.post('/api/v1.4/customers/', {})
  const order = { ...price, customer, webhook_url: endpoint.url }
  let faults = 0

  /**
   * @param {string} title
   * @param {() => Promise<boolean>} play
   */
  async function scene(title, play) {
    console.log(`\n${title}`)
    if (await play()) return
    console.log('  !! this is not what should have happened')
    faults++
  }

  /**
   * @param {Promise<Data>} payment
   * @returns {Promise<boolean>} whether both of its events were handled, once
   */
  async function isTold(payment) {
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
   * @param {() => Promise<number>} send gives the status of the answer
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

  await scene('A payment of 25.00 EUR at the hosted form, and the customer has the card saved', async () => {
    const { id } = await merchant.post(INTENTS, { ...order, amount: 25, show_save_card_checkbox: true })
    const card = { card: '4242424242424242', saveCard: true }
    return isTold(merchant.post(`/_sandbox/intents/${id}/pay/`, card))
  })

  const cards = /** @type {unknown} */ (await merchant.get(`/api/v1.4/customers/${customer}/cards/`))
  const [card] = /** @type {Data[]} */ (cards)
  const subscription = {
    ...order,
    card_token: card?.id,
    payment_type: 'UNSCHEDULED',
    recurring_data: { agreement_id: randomUUID() },
  }

  await scene('The customer agrees to be charged again: the first charge of the saved card (CIT)', () =>
    isTold(merchant.post(INTENTS, { ...subscription, amount: 9.99, merchant_initiated: false })),
  )

  await scene('A month later, without the customer: the second one, under the same agreement (MIT)', () =>
    isTold(merchant.post(INTENTS, { ...subscription, amount: 9.99, merchant_initiated: true })),
  )

  const [delivery] = /** @type {Data[]} */ (
    /** @type {unknown} */ (await merchant.get('/_sandbox/deliveries/'))
  )
  const resend = `/_sandbox/deliveries/${delivery?.id}/resend/`

  await scene('Somebody on the way changes the amount of the first event', () =>
    isRefused('ERR_SIGNATURE_MISMATCH', async () =>
      lastAnswer(await merchant.post(resend, { tamper: true })),
    ),
  )

  await scene('Somebody comes with a delivery that was signed an hour ago', () =>
    isRefused('ERR_TIMESTAMP_TOO_OLD', async () => lastAnswer(await merchant.post(resend, { stale: true }))),
  )

  await scene('Somebody has recorded the first event, and sends it again, byte by byte', async () => {
    const handled = endpoint.handled.length
    const { attempts } = await merchant.get(`/_sandbox/deliveries/${delivery?.id}/`)
    const [{ headers, body }] = /** @type {[Attempt]} */ (attempts)
    const { status } = await fetch(endpoint.url, {
      method: 'POST',
      headers: { 'Service-Signature': headers['Service-Signature'] ?? '' },
      body,
    })
    console.log(`  answered  ${status}, and not handled`)
    console.log(
      paragraph('It is genuine and fresh, and was handled before. A sender that repeats itself is content.'),
    )
    return status === 200 && endpoint.handled.length === handled
  })

  return faults
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
  return `${name}  of no shape that is known`
}
