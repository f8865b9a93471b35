import { Refused, send } from './api.js'
import { nameOf } from './customers.js'
import { byId, el } from './dom.js'
import { formLink } from './intents.js'

const REMEMBERED = 'webhook_url'

/** The form that makes a payment as a merchant and its customer would: through the API, with the key of an account. */
export function createPayment(notice) {
  const form = byId('payment')
  const { amount, currency, customer, webhook_url: webhookUrl, card, save } = form.elements
  webhookUrl.value = remembered()

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    remember(webhookUrl.value)
    void notice.during(async () => {
      const key = await accountKey()
      if (customer.value === 'new') choose(await newCustomer(key))
      const customerId = customer.value
      const fields = {
        amount: amount.valueAsNumber,
        amount_currency: currency.value,
        ...(customerId !== '' && { customer: customerId }),
        ...(save.checked && { tokenize_card: true }),
        ...(webhookUrl.value !== '' && { webhook_url: webhookUrl.value }),
      }
      const { data: intent } = await send('POST', '/api/v1.4/payments/intent/', fields, key)
      if (card.value === '') return tell(intent)
      const { data: paid } = await send('POST', `/_sandbox/intents/${intent.id}/pay/`, { card: card.value })
      tell(paid)
    })
  })

  function tell({ id, status, failure, embed_url: address }) {
    if (status === 'PROCESSED') notice.say(`Paid: ${id}.`)
    else if (status === 'FAILED') notice.say(`Declined: ${id}. ${failure}.`)
    else notice.say(`${id} waits for its customer. `, formLink(address))
  }

  /** The next payment is by the same customer. */
  function choose(made) {
    customer.append(optionOf(made))
    customer.value = made.id
  }

  return {
    /** The customers that can be chosen: of test mode, as the key is. */
    offer(customers) {
      const offered = customers.filter((one) => !one.is_live)
      const chosen = customer.selectedOptions[0]
      const values = ['', 'new', ...offered.map(({ id }) => id)]
      // The chosen one may be on another page of the list; but after a reset it is gone.
      const isKept = !values.includes(chosen.value) && customers.length > 0
      const all = [
        ...[...customer.options].slice(0, 2),
        ...offered.map(optionOf),
        ...(isKept ? [chosen] : []),
      ]
      const { value } = chosen
      customer.replaceChildren(...all)
      customer.value = isKept || values.includes(value) ? value : ''
    },
  }
}

function optionOf(customer) {
  return el('option', { value: customer.id }, `${nameOf(customer)} (${customer.id})`)
}

async function newCustomer(key) {
  const details = { first_name: 'Test', last_name: 'Customer' }
  return (await send('POST', '/api/v1.4/customers/', details, key)).data
}

async function accountKey() {
  const { data } = await send('POST', '/_sandbox/keys/reveal/')
  const key = data.keys.find(({ type, is_revoked: isRevoked }) => type === 'account' && !isRevoked)
  if (key === undefined)
    throw new Refused('Every account key is revoked. Make a new one under "Secret and keys".')
  return key.api_key
}

function remembered() {
  try {
    return localStorage.getItem(REMEMBERED) ?? ''
  } catch {
    // The browser keeps nothing for pages.
    return ''
  }
}

function remember(url) {
  try {
    localStorage.setItem(REMEMBERED, url)
  } catch {
    // As above.
  }
}
