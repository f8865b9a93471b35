import { createCardFields, cvvProblem, element, showError, testCardList } from './card-fields.js'
import { amountText, load, pay, showResult, showWayBack } from './intent.js'

const find = (selector) => document.querySelector(selector)
const steps = { pay: find('#pay-step'), cvv: find('#cvv-step'), challenge: find('#challenge-step') }
const fields = createCardFields(find('#card-fields'))
const sources = createSources(find('#sources'), find('#new-card'))
const saveCard = find('#save-card-box')

find('#test-cards').append(
  testCardList((number) => {
    sources.chooseNew()
    fields.fillIn(number)
  }),
)
steps.pay.addEventListener('submit', (event) => {
  event.preventDefault()
  const brought = readSource()
  if (brought !== undefined) void send(brought)
})
steps.cvv.addEventListener('submit', (event) => {
  event.preventDefault()
  const input = find('#cvv-again')
  const cvv = input.value.trim()
  showError(input, cvvProblem(cvv))
  if (cvvProblem(cvv) === undefined) void send({ cvv })
  else input.focus()
})
for (const button of steps.challenge.querySelectorAll('button[value]')) {
  button.addEventListener('click', () => void send({ challenge: button.value }))
}
for (const button of document.querySelectorAll('.another')) {
  button.addEventListener('click', () => {
    showStep('pay')
    if (!sources.focus()) fields.focus()
  })
}
show(await load(), { isFirst: true })

/** The card or the saved card to pay with; undefined if something is missing. */
function readSource() {
  const cardToken = sources.chosen()
  if (cardToken !== undefined) return { cardToken }
  const card = fields.read()
  if (find('#save-card').hidden) return card
  const isMissing = saveCard.required && !saveCard.checked
  showError(saveCard, isMissing ? 'Tick this box to pay: this payment saves the card' : undefined)
  if (card === undefined || !isMissing) return card && { ...card, saveCard: saveCard.checked }
  saveCard.focus()
  return undefined
}

async function send(brought) {
  setBusy(true)
  const answer = await pay(brought)
  setBusy(false)
  show(answer, { isFirst: false })
}

function setBusy(isBusy) {
  find('main').setAttribute('aria-busy', String(isBusy))
  for (const button of document.querySelectorAll('main button')) button.disabled = isBusy
}

function show({ state, problems, problem = '', isLate = false }, { isFirst }) {
  find('#problem').textContent = problem
  if (problems !== undefined) fields.showProblems(problems)
  if (state === undefined) return
  showHeader(state)
  showOffer(state)
  showResult(find('#result'), state, isFirst || isLate)
  showWayBack(find('#way-back'), state)
  for (const name of document.querySelectorAll('.card-name')) name.textContent = nameOf(state.card)
  for (const button of document.querySelectorAll('.another')) button.hidden = state.is_card_settled
  // The page keeps neither a number nor a CVV once it is sent.
  fields.clear()
  find('#cvv-again').value = ''
  showStep(stepOf(state))
  if (!isFirst) (find('form:not([hidden]) h2, section:not([hidden]) h2') ?? find('#result')).focus()
}

function stepOf({ status, is_open: isOpen }) {
  if (!isOpen) return undefined
  return { AWAITING_CVV: 'cvv', AWAITING_CHALLENGE: 'challenge' }[status] ?? 'pay'
}

function showStep(name) {
  for (const [step, node] of Object.entries(steps)) node.hidden = step !== name
  find('#test-cards').hidden = name !== 'pay'
}

function showHeader(state) {
  const { kind, is_live: isLive, is_open: isOpen, reference } = state
  const title = kind === 'card' ? 'Save a card' : `${isOpen ? 'Pay' : 'Payment of'} ${amountText(state)}`
  find('#title').textContent = title
  const mode = isLive ? 'live mode of the sandbox' : 'test mode'
  document.title = `${title}, ${mode}`
  const charged = isLive ? 'nothing is charged' : 'no money moves'
  find('.mode').textContent = `${mode[0].toUpperCase()}${mode.slice(1)}: ${charged}`
  find('.mode').classList.toggle('live', isLive)
  find('#reference').hidden = false
  find('#reference span').textContent = reference
}

function showOffer(state) {
  const { kind, save_card: saving, saved_cards: cards } = state
  sources.show(cards.map((card) => ({ id: card.id, name: nameOf(card) })))
  find('#save-card').hidden = saving !== 'optional' && saving !== 'mandatory'
  find('#save-card span').textContent =
    saving === 'mandatory' ? 'Save this card (needed for this payment)' : 'Save this card for next time'
  saveCard.required = saving === 'mandatory'
  saveCard.checked = false
  find('#saved-anyway').hidden = kind === 'card' || saving !== 'automatic'
  const action = kind === 'card' ? 'Save the card' : `Pay ${amountText(state)}`
  for (const button of document.querySelectorAll('button[type="submit"]')) button.textContent = action
}

function nameOf(card) {
  return card === null ? '' : `${card.brand} ending in ${card.last_four}`
}

/** The saved cards of a customer, and "another card". The fields of a new card are shown only for that choice. */
function createSources(fieldset, newCard) {
  const radios = () => [...fieldset.querySelectorAll('input')]
  const update = () => {
    newCard.hidden = chosen() !== undefined
  }
  fieldset.addEventListener('change', update)

  function chosen() {
    return radios().find(({ checked }) => checked)?.value || undefined
  }

  return {
    chosen,
    show(cards) {
      for (const choice of fieldset.querySelectorAll('.choice')) choice.remove()
      fieldset.hidden = cards.length === 0
      if (!fieldset.hidden) {
        const choices = [...cards, { id: '', name: 'Another card' }]
        fieldset.append(...choices.map(({ id, name }) => choice(id, name)))
        radios()[0].checked = true
      }
      update()
    },
    chooseNew() {
      const last = radios().at(-1)
      if (last !== undefined) last.checked = true
      update()
    },
    /** Whether there is something to choose. */
    focus() {
      const current = radios().find(({ checked }) => checked)
      current?.focus()
      return current !== undefined
    },
  }
}

function choice(value, name) {
  const radio = element('input', { type: 'radio', name: 'source', value })
  return element('label', { class: 'choice' }, radio, ' ', element('span', {}, name))
}
