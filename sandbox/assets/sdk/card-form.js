import { createCardFields, testCardList } from '/vault/assets/form/card-fields.js'

const find = (selector) => document.querySelector(selector)
const form = find('#entry')
const challenge = find('#challenge')
const fields = createCardFields(find('#card-fields'))
find('details').append(testCardList((number) => fields.fillIn(number)))
// To pay is for the page of the merchant.
form.addEventListener('submit', (event) => event.preventDefault())

addEventListener('message', function connect({ source, data, ports: [port] }) {
  if (source !== window.parent || port === undefined) return
  removeEventListener('message', connect)
  const calls = {
    collect: () => collect(data.publicApiKey),
    clear: () => fields.clear(),
    challenge: askForChallenge,
  }
  port.onmessage = async ({ data: { id, call } }) => {
    try {
      port.postMessage({ id, value: await calls[call]() })
    } catch (error) {
      port.postMessage({ id, error: { message: error.message, status: error.status } })
    }
  }
  new ResizeObserver(() => port.postMessage({ height: Math.ceil(find('main').offsetHeight) })).observe(
    find('main'),
  )
})

/** What the page of the merchant gets of a card. The number goes to the vault alone. */
async function collect(publicApiKey) {
  find('#problem').textContent = ''
  const card = fields.read()
  if (card === undefined) throw new Error('The card form is not complete: the fields say what is missing')
  const response = await fetch('/vault/cards/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': publicApiKey },
    body: JSON.stringify(card),
  })
  const { status, data } = await response.json()
  if (!response.ok) throw refused(status)
  return { id: data.id, brand: data.brand, lastFour: data.last_four }
}

function refused({ code, message, errors }) {
  const problems = Object.assign({}, ...errors)
  fields.showProblems(problems)
  const [[field, problem] = ['', message]] = Object.entries(problems)
  const words = `${field} ${problem}`.trim()
  find('#problem').textContent = 'The card was not taken.'
  return Object.assign(new Error(words), { status: code })
}

/** Shows 3-D Secure in the place of the card. */
async function askForChallenge() {
  form.hidden = true
  challenge.hidden = false
  challenge.querySelector('h2').focus()
  const outcome = await new Promise((resolve) => {
    for (const button of challenge.querySelectorAll('button')) button.onclick = () => resolve(button.value)
  })
  challenge.hidden = true
  form.hidden = false
  return outcome
}
