import { byId, el, moment, setText } from './dom.js'
import { createList } from './list.js'

/** The list of customers and their cards. `onCustomers` hears of those that are shown. */
export function createCustomers(onCustomers) {
  return createList(
    byId('customers'),
    '/_sandbox/newest/customers/',
    (customer) => {
      const cards = el('ul', { class: 'plain' })
      const element = el(
        'tr',
        {},
        el('td', { class: 'address' }, nameOf(customer), el('span', { class: 'sub' }, customer.id)),
        el('td', {}, cards),
        el('td', { class: 'number wide' }, moment(customer.created)),
      )
      let shown
      return {
        element,
        update({ cards: all }) {
          const now = all.map(({ id }) => id).join()
          if (shown === now) return
          shown = now
          if (all.length === 0) setText(cards, 'none')
          else cards.replaceChildren(...all.map(cardItem))
        },
      }
    },
    onCustomers,
  )
}

function cardItem({ id, brand, last_four: lastFour, card_token_type: type, provider }) {
  const where = provider === null ? type : `${type} at ${provider}`
  return el('li', {}, `${brand} ${lastFour}, ${where}`, el('span', { class: 'sub' }, id))
}

export function nameOf({ first_name: first, last_name: last, email, id }) {
  const name = [first, last].filter((part) => part !== null).join(' ')
  return name || email || id
}
