import { coalesced, get, send } from './api.js'
import { attemptView } from './attempt.js'
import { TONES } from './deliveries.js'
import { badge, byId, el, moment, setText } from './dom.js'
import { createNotice } from './notice.js'
import { createRows } from './rows.js'

const RESENDS = [
  ['resend', {}, 'Sent once more'],
  ['resend-tampered', { tamper: true }, 'Sent with another amount', 'a forgery'],
  ['resend-stale', { stale: true }, 'Sent with a time an hour old', 'a delivery that was signed an hour ago'],
]

const wasAccepted = ({ answer }) => answer !== null && answer.status >= 200 && answer.status < 300
const wasRefused = ({ answer }) => answer !== null && answer.status >= 400 && answer.status < 500

/** Whether the endpoint reacted as it should: it must refuse what was spoiled on purpose, and accept everything else. */
const isRight = (attempt) => (attempt.faults.length > 0 ? wasRefused(attempt) : wasAccepted(attempt))

/** One delivery with its attempts, in a dialog over the lists. */
export function createDeliverySheet() {
  const dialog = byId('delivery')
  const notice = createNotice(byId('delivery-notice'))
  const rows = createRows(byId('attempts'), ({ key }) => key, attemptRow)
  let delivery
  /** The number of the attempt that was chosen. Without a choice it is the last one, whichever that is. */
  let chosen
  let view

  const refresh = coalesced(async () => {
    if (delivery !== undefined) show((await get(`/_sandbox/deliveries/${delivery.id}/`)).data)
  })

  function show(data) {
    // It may have been closed, or another one opened, in the meantime.
    if (delivery?.id !== data.id) return
    delivery = data
    setText(byId('delivery-title'), data.type)
    showFacts(data)
    // After a restart with the same seed the same ids name other deliveries, so the time is part of the key.
    const attempts = data.attempts.map((attempt, index) => ({
      ...attempt,
      number: index + 1,
      key: `${data.id} ${index} ${attempt.at}`,
    }))
    const number = chosen ?? attempts.length
    rows(attempts.map((attempt) => ({ ...attempt, isShown: attempt.number === number })).reverse())
    byId('no-attempts').hidden = attempts.length > 0
    byId('attempts').parentElement.hidden = attempts.length === 0
    if (number === 0) {
      view = undefined
      byId('attempt').replaceChildren()
    } else if (view?.key !== attempts[number - 1].key) {
      view = attemptView(data.id, attempts[number - 1])
      byId('attempt').replaceChildren(view.element)
    }
  }

  function attemptRow(attempt) {
    const { number, at, faults, answer, error, duration_ms: duration } = attempt
    const choose = () => {
      chosen = number
      show(delivery)
    }
    const button = el('button', { type: 'button', class: 'row', onclick: choose }, `Attempt ${number}`)
    const outcome = badge(answer === null ? error : String(answer.status), isRight(attempt) ? 'good' : 'bad')
    const element = el(
      'tr',
      {},
      el('td', {}, button, ...faults.map((fault) => el('span', { class: 'sub' }, fault))),
      el('td', {}, moment(at)),
      el('td', {}, outcome),
      el('td', { class: 'number wide' }, `${Math.round(duration)} ms`),
    )
    return { element, update: ({ isShown }) => button.setAttribute('aria-pressed', String(isShown)) }
  }

  for (const [id, body, done, spoiled] of RESENDS) {
    byId(id).addEventListener('click', () => {
      void notice.during(async () => {
        const { data } = await send('POST', `/_sandbox/deliveries/${delivery.id}/resend/`, body)
        chosen = undefined
        show(data)
        const attempt = data.attempts.at(-1)
        notice.judge(isRight(attempt), sentence(attempt, done, spoiled))
      })
    })
  }
  byId('close-delivery').addEventListener('click', () => dialog.close())
  // Where the dialog does not reach, the pointer meets the dialog itself.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  dialog.addEventListener('close', () => {
    delivery = undefined
    empty()
  })

  /** Nothing of one delivery may be seen in the next one. */
  function empty() {
    chosen = undefined
    view = undefined
    rows([])
    byId('attempt').replaceChildren()
  }

  return {
    async open(id) {
      delivery = { id }
      empty()
      notice.clear()
      await refresh()
      // It may have been forgotten in the meantime, as the oldest are.
      if (delivery?.id === id && delivery.attempts !== undefined && !dialog.open) dialog.showModal()
    },
    close: () => dialog.close(),
    /** Something is new: about one delivery, or about any. */
    refresh: async (id) => {
      if (delivery !== undefined && (id === undefined || id === delivery.id)) await refresh()
    },
    /** The keys have changed, and with them what there is to explain. */
    explainAgain: async () => {
      await view?.explain()
    },
  }
}

/** What an attempt says about the endpoint. */
function sentence(attempt, done, spoiled) {
  const { answer, error } = attempt
  if (answer === null) return `${done}: ${error}.`
  const answered = `${done}: the answer was ${answer.status}`
  if (spoiled === undefined) return `${answered}.`
  if (wasAccepted(attempt)) return `Your endpoint accepted ${spoiled}: it answered ${answer.status}.`
  if (wasRefused(attempt)) return `${done}: your endpoint refused it with ${answer.status}, as it should.`
  return `${answered}, which is not a refusal.`
}

function showFacts({ status, id, intent, url, created, next_attempt_at: next }) {
  const facts = [
    ['Status', badge(status, TONES[status])],
    ['Delivery', el('code', {}, id)],
    ['Intent', el('code', {}, intent)],
    ['To', url],
    ['Created', moment(created)],
    ...(next === null ? [] : [['Next attempt', moment(next)]]),
  ]
  byId('delivery-facts').replaceChildren(
    ...facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
  )
}
