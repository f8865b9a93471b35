import { make, newId } from './dom.js'

/** Prints a value for a control, and reads it again. `read` throws an Error with a sentence if the text is wrong. */
export interface Spelling<Value> {
  readonly print: (value: Value) => string
  readonly read: (text: string) => Value
}

/**
 * A text control and the value that it was given. A control cannot hold every text: a text area turns CRLF into line feeds, and a
 * line drops line breaks. So as long as the reader does not edit it, the given value counts, and not the text.
 */
export class ExactField<Value> {
  readonly control: HTMLInputElement | HTMLTextAreaElement
  /** Says what is wrong with the text. */
  readonly error: HTMLElement
  #spelling: Spelling<Value>
  #given: Value
  #shown = ''

  constructor(
    control: HTMLInputElement | HTMLTextAreaElement,
    given: Value,
    spelling: Spelling<Value>,
    description?: HTMLElement,
  ) {
    this.control = control
    this.error = make('p', { class: 'error', id: newId('error') })
    const describing = description === undefined ? [this.error.id] : [description.id, this.error.id]
    control.setAttribute('aria-describedby', describing.join(' '))
    this.#spelling = spelling
    this.#given = given
    this.show(given)
  }

  show(value: Value, spelling: Spelling<Value> = this.#spelling): void {
    this.#spelling = spelling
    this.#given = value
    this.control.value = spelling.print(value)
    this.#shown = this.control.value
    this.#report('')
  }

  /** Whether the text is the one that was shown. */
  get isExact(): boolean {
    return this.control.value === this.#shown
  }

  /** The value, or undefined if the text is wrong; then the field says why. */
  read(): Value | undefined {
    try {
      const value = this.isExact ? this.#given : this.#spelling.read(this.control.value)
      this.#report('')
      return value
    } catch (error) {
      this.#report((error as Error).message)
      return undefined
    }
  }

  #report(problem: string): void {
    this.error.textContent = problem
    this.control.setAttribute('aria-invalid', String(problem !== ''))
  }
}
