import { element } from './card-fields.js'

/** The data of the form. */
export function load() {
  return call('state/', {})
}

/** Sends what the customer entered in this step. */
export async function pay(brought) {
  const answer = await call('pay/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(brought),
  })
  // It was completed elsewhere in the meantime.
  return answer.code === 409 ? { ...(await load()), isLate: true } : answer
}

/** Returns `state`, or what is wrong: `problems` by field, or one `problem`. */
async function call(path, options) {
  try {
    const response = await fetch(path, options)
    const { status, data } = await response.json()
    if (response.ok) return { state: data }
    if (status.code === 404 && options.method === undefined) return { problem: 'There is no such payment.' }
    return { code: status.code, ...wordsOf(Object.assign({}, ...status.errors)) }
  } catch {
    return { problem: 'The payment service did not answer. Try again.' }
  }
}

function wordsOf({ card, expiry, cvv, holder, ...others }) {
  const problems = { card, expiry, cvv, holder }
  const isOfField = Object.values(problems).some((text) => text !== undefined)
  const problem = Object.values(others)[0] ?? (isOfField ? '' : 'The payment service refused this.')
  return { problems, problem }
}

/** An amount with the decimals of its currency: `1,234.50 EUR`. The line does not break inside it. */
export function amountText({ amount, amount_currency: currency, amount_decimals: decimals }) {
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return `${amount.toLocaleString('en', options)}\u00a0${currency}`
}

const DONE = {
  payment: ['Paid', 'Thank you. The payment was successful.'],
  card: ['Saved', 'The card is saved. Nothing was charged.'],
}
const DONE_BEFORE = {
  payment: ['Already paid', 'This payment is complete. Nothing more is charged.'],
  card: ['Already saved', 'This card is already saved. There is nothing left to do.'],
}

/** Shows the outcome of the intent, once there is one. `isFirst`: it is older than what the customer did here. */
export function showResult(root, state, isFirst) {
  const { kind, status } = state
  root.className = ''
  root.replaceChildren()
  if (status !== 'PROCESSED' && status !== 'FAILED') return
  const isGood = status === 'PROCESSED'
  const [title, text] = isGood ? (isFirst ? DONE_BEFORE : DONE)[kind] : failed(state)
  root.className = `notice ${isGood ? 'good' : 'bad'}`
  root.append(element('h2', {}, title), element('p', {}, text))
}

function failed({ kind, failure, is_open: isOpen }) {
  const advice = isOpen ? 'You can try again with another card.' : 'Please contact the merchant.'
  return [kind === 'card' ? 'Not saved' : 'Declined', `${failure}. Nothing was charged. ${advice}`]
}

/** Links to the page of the merchant, if there is one to return to. */
export function showWayBack(root, { return_url: url, is_open: isOpen }) {
  root.hidden = url === null
  if (url === null) return
  const link = root.querySelector('a')
  link.href = url
  link.className = isOpen ? '' : 'button'
  // The address is chosen outside the form, so the customer sees where the link leads.
  link.textContent = `${isOpen ? 'Cancel and return' : 'Return'} to ${new URL(url).host}`
}
