/** Where this file comes from is where the vault is. */
const ORIGIN = new URL(import.meta.url).origin

/**
 * The client of a page that takes payments.
 *
 * @example
 * const client = new Client({ type: 'payment', publicApiKey })
 * await client.cardForm.mount(document.querySelector('#card'))
 * const { state, stateDetails } = await client.cardForm.pay({ intentId, saveCard: true })
 */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- the documented SDK is an object that the page of the merchant constructs
export class Client {
  constructor({ type, publicApiKey } = {}) {
    if (type !== 'payment') throw new TypeError("type must be 'payment'")
    this.cardForm = new CardForm(text({ publicApiKey }))
  }
}

/** The fields of a card, in a frame of the vault's origin: this page never gets to know the number. */
class CardForm {
  #publicApiKey
  #frame
  #port
  #waiting = new Map()
  #asked = 0

  constructor(publicApiKey) {
    this.#publicApiKey = publicApiKey
  }

  /** Shows the card form inside an element. Resolves when it can be used. */
  async mount(element) {
    if (!(element instanceof Element))
      throw new TypeError('mount needs the element that the card form goes into')
    if (this.#frame !== undefined) throw new TypeError('The card form is mounted already: call unmount first')
    const frame = document.createElement('iframe')
    frame.title = 'Card details'
    frame.src = `${ORIGIN}/vault/card-form/`
    Object.assign(frame.style, { display: 'block', width: '100%', height: '24rem', border: '0' })
    this.#frame = frame
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
    element.append(frame)
    await loaded

    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => this.#hear(data)
    this.#port = port1
    frame.contentWindow.postMessage({ publicApiKey: this.#publicApiKey }, ORIGIN, [port2])
  }

  /** Takes the card form away. */
  unmount() {
    this.#frame?.remove()
    this.#port?.close()
    this.#frame = this.#port = undefined
    for (const { reject } of this.#waiting.values()) reject(new Error('The card form was unmounted'))
    this.#waiting.clear()
  }

  /** Pays an intent with the card in the form. `saveCard` needs `allow_tokenize_card` on the intent. */
  async pay({ intentId, saveCard = false } = {}) {
    const path = `/vault/intents/${encodeURIComponent(text({ intentId }))}/pay/`
    if (typeof saveCard !== 'boolean') throw new TypeError('saveCard must be true or false')
    const { id } = await this.#ask('collect')
    const result = await this.#post(path, { cardData: id, ...(saveCard && { saveCard }) })
    // Not after a refused call: the customer need not type the card again.
    this.#clear()
    return this.#complete(path, result)
  }

  /** Hands the card in the form to the vault. The result represents it, and can be used for one token. */
  async collect() {
    const cardData = await this.#ask('collect')
    this.#clear()
    return cardData
  }

  /** Makes a card token of what was collected. */
  async createCardToken({ cardData, cardIntentId } = {}) {
    const path = `/vault/card-intents/${encodeURIComponent(text({ cardIntentId }))}/card-token/`
    return this.#complete(path, await this.#post(path, { cardData: text({ 'cardData.id': cardData?.id }) }))
  }

  async #complete(path, result) {
    if (result.status !== 'AWAITING_CHALLENGE') return stateOf(result)
    return stateOf(await this.#post(path, { challenge: await this.#ask('challenge') }))
  }

  async #post(path, body) {
    const response = await fetch(ORIGIN + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Api-Key': this.#publicApiKey },
      body: JSON.stringify(body),
      credentials: 'omit',
    })
    const { status, data } = await response.json()
    if (response.ok) return data
    const [[field, problem] = ['', '']] = status.errors.flatMap(Object.entries)
    throw errorOf({ message: field === '' ? status.message : `${field} ${problem}`, status: status.code })
  }

  #clear() {
    this.#port?.postMessage({ call: 'clear' })
  }

  #ask(call) {
    if (this.#port === undefined) {
      return Promise.reject(new TypeError('There is no card form yet: await cardForm.mount(element) first'))
    }
    const id = (this.#asked += 1)
    this.#port.postMessage({ id, call })
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #hear({ id, value, error, height }) {
    if (height !== undefined) this.#frame.style.height = `${height}px`
    const asked = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) asked?.resolve(value)
    else asked?.reject(errorOf(error))
  }
}

/** The status is that of the vault, where the vault refused something. */
function errorOf({ message, status }) {
  return Object.assign(new Error(message), status !== undefined && { status })
}

function stateOf({ status, failure, card_token: cardToken }) {
  return { state: status, stateDetails: { failure, cardToken } }
}

function text(named) {
  const [[name, value]] = Object.entries(named)
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`${name} must be a string that is not empty`)
  return value
}
