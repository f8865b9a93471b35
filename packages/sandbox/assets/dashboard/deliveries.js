import { badge, breakable, byId, el, moment, setText } from './dom.js'
import { createList } from './list.js'

export const TONES = { delivered: 'good', pending: 'wait', dead: 'bad' }

/** The list of deliveries. `open` is called with the id of the one that is chosen. */
export function createDeliveries(open) {
  return createList(
    byId('deliveries'),
    '/_sandbox/newest/deliveries/',
    ({ id, type, intent, url, created }) => {
      const attempts = el('td', { class: 'number wide' })
      const status = el('td')
      const button = el(
        'button',
        { type: 'button', class: 'row', onclick: () => open(id) },
        ...breakable(type),
      )
      const element = el(
        'tr',
        {},
        el('td', {}, button, el('span', { class: 'sub' }, intent)),
        el('td', { class: 'wide address' }, url),
        attempts,
        status,
        el('td', { class: 'number' }, moment(created)),
      )
      return {
        element,
        update(delivery) {
          setText(attempts, String(delivery.attempt_count))
          if (status.textContent !== delivery.status) {
            status.replaceChildren(badge(delivery.status, TONES[delivery.status]))
          }
        },
      }
    },
  )
}
