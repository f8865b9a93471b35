import { make, newId } from './dom.js'
import { ExactField } from './exact-field.js'

const AS_IT_IS = { print: (text: string) => text, read: (text: string) => text }

/** The keys of one kind: one field, and more while a key is rotated. */
export class KeyFields {
  readonly element: HTMLElement
  readonly #title: string
  readonly #list = make('div', { class: 'keys' })
  readonly #add: HTMLButtonElement
  #fields: ExactField<string>[] = []

  constructor(title: string) {
    this.#title = title
    this.#add = make('button', { type: 'button', class: 'button small quiet' }, `Add another ${title}`)
    this.#add.addEventListener('click', () => {
      this.#append('')
      this.#fields.at(-1)!.control.focus()
    })
    this.element = make('div', { class: 'field' }, this.#list, this.#add)
    this.show([])
  }

  show(keys: readonly string[]): void {
    this.#fields = []
    this.#list.replaceChildren()
    for (const key of keys.length === 0 ? [''] : keys) this.#append(key)
  }

  /** The keys that are not empty. */
  read(): readonly string[] {
    return this.#fields.map((field) => field.read()!).filter((key) => key !== '')
  }

  focus(): void {
    this.#fields[0]!.control.focus()
  }

  #append(key: string): void {
    const name = this.#fields.length === 0 ? this.#title : `${this.#title} ${this.#fields.length + 1}`
    // Not a password field: a browser would offer to save the key, and to send it to other devices.
    const input = make('input', {
      id: newId('key'),
      type: 'text',
      class: 'mono key',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
    })
    const field = new ExactField(input, key, AS_IT_IS)
    this.#fields.push(field)
    const label = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    this.#list.append(make('label', { for: input.id }, label), input, field.error)
    if (/[\r\n]/.test(key)) {
      this.#list.append(
        make('p', { class: 'note' }, 'This key has a line break, which the field does not show.'),
      )
    }
  }
}
