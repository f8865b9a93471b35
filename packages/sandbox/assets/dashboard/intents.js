import { badge, byId, el, moment } from './dom.js'
import { createList } from './list.js'

const TONES = { PROCESSED: 'good', FAILED: 'bad' }

export function createIntents() {
  return createList(byId('intents'), '/_sandbox/newest/intents/', (intent) => {
    const { id, amount, amount_currency: currency, customer, created } = intent
    const form = el('span')
    const whose = customer === null ? [] : [el('span', { class: 'sub' }, customer)]
    const status = el('td')
    const element = el(
      'tr',
      {},
      el('td', {}, el('code', {}, id), ...whose, form),
      el('td', { class: 'number' }, `${amount} ${currency}`),
      status,
      el('td', { class: 'number wide' }, moment(created)),
    )
    let shown
    return {
      element,
      update({ status: state, failure, embed_url: address }) {
        const now = JSON.stringify([state, failure, address])
        if (shown === now) return
        shown = now
        status.replaceChildren(badge(state.toLowerCase().replaceAll('_', ' '), TONES[state] ?? 'wait'))
        if (failure !== null) status.append(el('span', { class: 'sub' }, failure))
        form.replaceChildren(...(address === null ? [] : [formLink(address)]))
      },
    }
  })
}

/** The way to the hosted form, where the customer pays. */
export function formLink(address) {
  const path = new URL(address).pathname
  return el('a', { href: path, target: '_blank', rel: 'noopener', class: 'sub' }, 'Open the form')
}
