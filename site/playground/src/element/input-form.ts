import type { CompleteCase } from '../playground-case.js'
import { BodyField } from './body-field.js'
import { choice, labelled, make } from './dom.js'
import { ExactField } from './exact-field.js'
import { KeyFields } from './key-fields.js'
import { RuleFields } from './rule-fields.js'

/** Everything that is entered. It reports changes by "input" and "change" events, which bubble. */
export class InputForm {
  readonly element: HTMLElement
  readonly #header: ExactField<CompleteCase['header']>
  readonly #body = new BodyField()
  readonly #secrets = new KeyFields('secret')
  readonly #apiKeys = new KeyFields('API key')
  readonly #rules = new RuleFields()

  constructor() {
    const area = make('textarea', {
      rows: '6',
      spellcheck: 'false',
      autocomplete: 'off',
      class: 'mono',
      placeholder: 't=...,v1=...,v2=...,v3=...',
    })
    this.#header = new ExactField<CompleteCase['header']>(area, null, {
      print: (header) => [header ?? ''].flat().join(', '),
      read: (text) => (text === '' ? null : text),
    })
    const showKeys = make('input', { type: 'checkbox' })
    const keys = make(
      'div',
      { class: 'key-groups hidden-keys' },
      this.#secrets.element,
      this.#apiKeys.element,
      choice('Show the keys', showKeys),
      make(
        'p',
        { class: 'note' },
        'The keys stay on this page, which computes everything itself and sends no requests.',
      ),
    )
    showKeys.addEventListener('change', () => keys.classList.toggle('hidden-keys', !showKeys.checked))
    // Not a form: nothing of it is ever submitted, with Enter neither.
    this.element = make(
      'div',
      { class: 'inputs', role: 'group', 'aria-label': 'Delivery and keys' },
      labelled('Header: the value of Service-Signature', area, this.#header.error),
      this.#body.element,
      keys,
      this.#rules.element,
    )
  }

  show(given: CompleteCase): void {
    this.#header.show(given.header)
    this.#body.show(given.body)
    this.#secrets.show(given.secrets)
    this.#apiKeys.show(given.apiKeys)
    this.#rules.show(given)
  }

  /** What is entered, or undefined if a field is wrong; then the field says why. */
  read(): CompleteCase | undefined {
    const header = this.#header.read()
    const body = this.#body.read()
    const rules = this.#rules.read()
    if (header === undefined || body === undefined || rules === undefined) return undefined
    return { header, body, secrets: this.#secrets.read(), apiKeys: this.#apiKeys.read(), ...rules }
  }

  focusSecret(): void {
    this.#secrets.focus()
  }
}
