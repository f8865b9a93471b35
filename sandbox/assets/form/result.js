import { element } from './dom.js'

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
export function showWayBack(root, { return_url: given, is_open: isOpen }) {
  const url = given ?? referrer()
  root.hidden = url === undefined
  if (url === undefined) return
  const link = root.querySelector('a')
  link.href = url
  link.className = isOpen ? '' : 'button'
  // The address is chosen outside the form, so the customer sees where the link leads.
  link.textContent = `${isOpen ? 'Cancel and return' : 'Return'} to ${new URL(url).host}`
}

/** The site that linked here, without the path. In a frame the customer has not left that site. */
function referrer() {
  const { origin } = new URL(document.referrer || location.href)
  return /^https?:/.test(origin) && origin !== location.origin && top === window ? `${origin}/` : undefined
}
