import { element } from './dom.js'

/** Shows the outcome of the intent, once there is one. */
export function showResult(root, state, isFirst) {
  const words = wordsOf(state, isFirst)
  root.className = words === undefined ? '' : `notice ${words.isGood ? 'good' : 'bad'}`
  root.replaceChildren(
    ...(words === undefined ? [] : [element('h2', {}, words.title), element('p', {}, words.text)]),
  )
}

function wordsOf({ kind, status, failure, is_open: isOpen }, isFirst) {
  if (status === 'PROCESSED' && kind === 'card') {
    return isFirst
      ? {
          isGood: true,
          title: 'Already saved',
          text: 'This card is already saved. There is nothing left to do.',
        }
      : { isGood: true, title: 'Saved', text: 'The card is saved. Nothing was charged.' }
  }
  if (status === 'PROCESSED') {
    return isFirst
      ? { isGood: true, title: 'Already paid', text: 'This payment is complete. Nothing more is charged.' }
      : { isGood: true, title: 'Paid', text: 'Thank you. The payment was successful.' }
  }
  if (status !== 'FAILED') return undefined
  const advice = isOpen ? 'You can try again with another card.' : 'Please contact the merchant.'
  const title = kind === 'card' ? 'Not saved' : 'Declined'
  return { isGood: false, title, text: `${failure}. Nothing was charged. ${advice}` }
}
