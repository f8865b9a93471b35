import type { CompleteCase } from '../playground-case.js'
import { fragmentOf } from '../share-address.js'
import { disclosure, labelled, make } from './dom.js'

/** Makes an address that holds the case, without its keys. */
export class SharePanel {
  readonly element: HTMLDetailsElement
  readonly #address = make('input', { type: 'text', readonly: true, class: 'mono' })
  readonly #message = make('p', { class: 'note', role: 'status' })
  #given: CompleteCase | undefined

  constructor() {
    const copy = make('button', { type: 'button', class: 'button' }, 'Copy')
    copy.addEventListener('click', () => void this.#copy())
    this.element = disclosure(
      'share',
      false,
      'Share this case',
      make(
        'p',
        { class: 'note' },
        'The address contains the header and the body, but no key. The body may contain personal data of a customer.',
      ),
      labelled('Address', this.#address),
      make('div', { class: 'bar' }, copy),
      this.#message,
    )
    this.element.classList.add('panel')
    this.element.addEventListener('toggle', () => void this.#refresh())
  }

  /** The case that is shared from now on; undefined while a field is wrong. */
  show(given: CompleteCase | undefined): void {
    this.#given = given
    void this.#refresh()
  }

  async #refresh(): Promise<void> {
    const given = this.#given
    if (!this.element.open) return
    const [address, problem] = await addressOf(given)
    // Another case may have been entered meanwhile.
    if (given !== this.#given) return
    this.#address.value = address
    this.#message.textContent = problem
  }

  async #copy(): Promise<void> {
    if (this.#address.value === '') return
    this.#address.select()
    try {
      await navigator.clipboard.writeText(this.#address.value)
      this.#message.textContent = 'The address is copied.'
    } catch {
      this.#message.textContent = 'The browser does not allow to copy it: copy the selected address.'
    }
  }
}

/** The address, or an empty one and what prevents it. */
async function addressOf(given: CompleteCase | undefined): Promise<readonly [string, string]> {
  if (given === undefined) return ['', 'A field is wrong: correct it first.']
  try {
    return [location.href.replace(/#.*$/s, '') + (await fragmentOf(given)), '']
  } catch (error) {
    return ['', (error as Error).message]
  }
}
