import { send } from './api.js'
import { byId, setText } from './dom.js'

const FLAGS = ['duplicate', 'reorder', 'tamper', 'stale']

/** The form of what is to go wrong. */
export function createFaults(notice) {
  const form = byId('faults')
  const { elements } = form
  let isBeingEdited = false

  form.addEventListener('input', () => (isBeingEdited = true))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void set(read(), 'The faults are set.')
  })
  byId('clear-faults').addEventListener('click', () => {
    form.reset()
    void set({}, 'There are no faults any more.')
  })

  async function set(faults, done) {
    const answer = await notice.during(() => send('PUT', '/_sandbox/faults/', faults), done)
    if (answer !== undefined) isBeingEdited = false
  }

  function read() {
    const numberOf = (name) => (elements[name].value === '' ? undefined : elements[name].valueAsNumber)
    const deliveries = {
      ...Object.fromEntries(FLAGS.filter((name) => elements[name].checked).map((name) => [name, true])),
      ...(numberOf('delayMs') > 0 && { delayMs: numberOf('delayMs') }),
    }
    const secretDelay = numberOf('secretDelayMs')
    const secretEndpoint = {
      mode: elements.mode.value,
      ...(secretDelay !== undefined && { delayMs: secretDelay }),
    }
    const chance = numberOf('chance')
    return {
      ...(Object.keys(deliveries).length > 0 && { deliveries }),
      ...(secretEndpoint.mode !== '' && { secretEndpoint }),
      ...(elements.vault.checked && { vault: 'down' }),
      ...(chance !== undefined && { chance }),
    }
  }

  return {
    /** What is set; but not over what is being typed. */
    show({ vault, secretEndpoint, deliveries = {}, chance }) {
      const { delayMs = 0, ...flags } = deliveries
      const count = [vault, secretEndpoint, delayMs > 0, ...Object.values(flags)].filter(Boolean).length
      setText(byId('faults-count'), count === 0 ? 'none' : `${count} set`)
      if (isBeingEdited) return
      for (const name of FLAGS) elements[name].checked = flags[name] === true
      elements.delayMs.value = delayMs > 0 ? delayMs : ''
      elements.mode.value = secretEndpoint?.mode ?? ''
      elements.secretDelayMs.value = secretEndpoint?.delayMs ?? ''
      elements.vault.checked = vault === 'down'
      elements.chance.value = chance ?? ''
    },
  }
}
