import { grouped, TEST_CARDS } from './test-cards.js'

const FIELDS = [
  { name: 'card', label: 'Card number', inputmode: 'numeric', maxlength: '23', class: 'field' },
  { name: 'expiry', label: 'Expiry, MM/YY', inputmode: 'numeric', maxlength: '5', class: 'field half' },
  { name: 'cvv', label: 'CVV', inputmode: 'numeric', maxlength: '4', class: 'field half' },
  { name: 'holder', label: 'Name on the card', inputmode: 'text', maxlength: '100', class: 'field' },
]

const PROBLEMS = { card: cardProblem, expiry: expiryProblem, cvv: cvvProblem, holder: holderProblem }

/** Adds the fields of a card to a page. Typed values stay in the fields. */
export function createCardFields(root) {
  const inputs = {}
  for (const { name, label, class: className, ...attributes } of FIELDS) {
    const input = element('input', {
      ...attributes,
      id: name,
      // The browser must not offer a real card here.
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-describedby': `${name}-error`,
      'aria-required': 'true',
    })
    inputs[name] = input
    const error = element('p', { class: 'error', id: `${name}-error` })
    root.append(element('div', { class: className }, element('label', { for: name }, label), input, error))
  }
  inputs.card.addEventListener('input', () => reformat(inputs.card, grouped))
  inputs.expiry.addEventListener('input', (event) => {
    // A deleted slash must not reappear at once.
    if (!event.inputType?.startsWith('delete')) reformat(inputs.expiry, withSlash)
  })

  return {
    /** The typed values; undefined if they cannot be a card, with an error next to each wrong field. */
    read() {
      const values = Object.fromEntries(FIELDS.map(({ name }) => [name, inputs[name].value.trim()]))
      const problems = Object.fromEntries(FIELDS.map(({ name }) => [name, PROBLEMS[name](values[name])]))
      this.showProblems(problems)
      if (Object.values(problems).some((problem) => problem !== undefined)) return undefined
      return { ...values, card: digitsOf(values.card) }
    },
    /** Shows these problems and no others, and goes to the first. */
    showProblems(problems) {
      for (const { name } of FIELDS) showError(inputs[name], problems[name])
      inputs[FIELDS.find(({ name }) => problems[name] !== undefined)?.name]?.focus()
    },
    fillIn(number) {
      inputs.card.value = grouped(number)
      inputs.expiry.value = '12/34'
      inputs.cvv.value = number.startsWith('37') ? '1234' : '123'
      if (inputs.holder.value === '') inputs.holder.value = 'Test Customer'
      this.showProblems({})
    },
    clear() {
      for (const input of Object.values(inputs)) input.value = ''
      this.showProblems({})
    },
    focus() {
      inputs.card.focus()
    },
  }
}

/** What is wrong with a CVV, if anything is. */
export function cvvProblem(text) {
  return /^\d{3,4}$/.test(text) ? undefined : 'Enter three or four digits'
}

function cardProblem(text) {
  if (text === '') return 'Enter the card number'
  if (TEST_CARDS.some(({ number }) => number === digitsOf(text))) return undefined
  return 'This is not a test card number. Real cards are not accepted here'
}

function expiryProblem(text) {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text) ?? []
  if (month === undefined) return 'Enter month and year, such as 12/34'
  return Date.UTC(2000 + Number(year), Number(month), 1, 12) > Date.now()
    ? undefined
    : 'This date is in the past'
}

function holderProblem(text) {
  return text === '' ? 'Enter the name on the card' : undefined
}

function digitsOf(text) {
  return text.replace(/[ -]/g, '')
}

function withSlash(text) {
  const digits = text.replace(/\D/g, '').slice(0, 4)
  return digits.length < 2 ? digits : `${digits.slice(0, 2)}/${digits.slice(2)}`
}

/** Only while the cursor is at the end: anywhere else it would jump. */
function reformat(input, format) {
  if (input.selectionStart === input.value.length) input.value = format(digitsOf(input.value))
}

/** A list of the test numbers, each with a button that calls `use` with the number. */
export function testCardList(use) {
  const items = TEST_CARDS.map(({ number, brand, outcome }) => {
    const text = grouped(number)
    const label = { type: 'button', 'aria-label': `Fill in ${text}: ${outcome}` }
    const button = element('button', label, 'Fill in')
    button.addEventListener('click', () => use(number))
    const shown = element('span', { class: 'number' }, text)
    const hint = element('span', { class: 'hint' }, `${outcome} (${brand})`)
    return element('li', {}, element('div', {}, shown, hint), button)
  })
  return element('ul', { class: 'test-cards' }, ...items)
}

/** Makes an element. Text is always text, never markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

/** Shows the error of a field under it, or removes it. */
export function showError(input, text = '') {
  document.getElementById(`${input.id}-error`).textContent = text
  if (text === '') input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}
