import { EXAMPLES } from '../examples.js'
import type { PlaygroundCase } from '../playground-case.js'
import { readDeliveries, type SavedDelivery } from '@service-signature/deliveries'
import { disclosure, labelled, make } from './dom.js'

/** What a "load-case" event carries. */
export interface LoadRequest {
  readonly given: PlaygroundCase
  /** Keys and rules that are entered are kept. */
  readonly keepsKeys: boolean
  /** What was loaded, and what may have been lost. */
  readonly message: string
  /** The id of the example, if it is one. */
  readonly example?: string
}

/** Loads examples, files and pasted requests. It dispatches "load-case" with a {@link LoadRequest}. */
export class LoadPanel {
  readonly element: HTMLElement
  readonly #examples = exampleList()
  readonly #pasted = make('textarea', { rows: '5', spellcheck: 'false', autocomplete: 'off', class: 'mono' })
  readonly #file = make('input', { type: 'file', class: 'file' })
  readonly #error = make('p', { class: 'error', role: 'alert' })
  readonly #found = make('div', { class: 'found' })

  constructor() {
    const load = make('button', { type: 'button', class: 'button' }, 'Load the pasted text')
    const panel = disclosure(
      'load',
      false,
      'Load a HAR or request',
      labelled(
        'A HAR, a raw request, a curl command or a saved delivery: paste it, or drop a file',
        this.#pasted,
      ),
      make('div', { class: 'bar' }, load, make('label', { class: 'button' }, 'Open a file', this.#file)),
      this.#error,
      this.#found,
    )
    panel.classList.add('panel')
    this.element = make('div', { class: 'loading' }, labelled('Example', this.#examples), panel)
    this.#examples.addEventListener('change', () => {
      this.#loadExample()
    })
    load.addEventListener('click', () => {
      this.#read(new TextEncoder().encode(this.#pasted.value))
    })
    this.#file.addEventListener('change', () => void this.#open(this.#file.files))
    panel.addEventListener('dragover', (event) => {
      event.preventDefault()
    })
    panel.addEventListener('drop', (event) => {
      event.preventDefault()
      void this.#open(event.dataTransfer?.files ?? null)
    })
  }

  /** Shows that the case is not an example, or no longer. */
  forgetExample(): void {
    this.#examples.value = ''
  }

  showExample(id: string): void {
    this.#examples.value = id
  }

  #loadExample(): void {
    const example = EXAMPLES.find(({ id }) => id === this.#examples.value)
    if (example === undefined) return
    this.#dispatch({ given: example.given, keepsKeys: false, message: '', example: example.id })
  }

  async #open(files: FileList | null): Promise<void> {
    const file = files?.[0]
    if (file === undefined) return
    this.#read(new Uint8Array(await file.arrayBuffer()))
    // So that the same file can be opened once more.
    this.#file.value = ''
  }

  #read(bytes: Uint8Array): void {
    this.#error.textContent = ''
    this.#found.replaceChildren()
    try {
      const deliveries = readDeliveries(bytes)
      if (deliveries.length === 1) this.#load(deliveries[0]!)
      else this.#offer(deliveries)
    } catch (error) {
      this.#error.textContent = (error as Error).message
    }
  }

  #offer(deliveries: readonly SavedDelivery[]): void {
    const items = deliveries.map((delivery) => {
      const button = make('button', { type: 'button', class: 'link' }, delivery.label)
      button.addEventListener('click', () => {
        this.#load(delivery)
      })
      return make('li', {}, button)
    })
    const title = make(
      'p',
      { tabindex: '-1' },
      `There are ${deliveries.length} signed deliveries. Choose one:`,
    )
    this.#found.append(title, make('ul', {}, ...items))
    title.focus()
  }

  #load({ label, header, body, receivedAt, notes }: SavedDelivery): void {
    const given = { header, body, receivedAt: receivedAt ?? 'header' } as const
    this.#dispatch({ given, keepsKeys: true, message: [`Loaded: ${label}.`, ...notes].join(' ') })
  }

  #dispatch(detail: LoadRequest): void {
    this.element.dispatchEvent(new CustomEvent('load-case', { detail, bubbles: true }))
  }
}

function exampleList(): HTMLSelectElement {
  const groups = [...new Set(EXAMPLES.map(({ group }) => group))].map((group) => {
    const options = EXAMPLES.filter((example) => example.group === group)
    return make(
      'optgroup',
      { label: group },
      ...options.map(({ id, title }) => make('option', { value: id }, title)),
    )
  })
  return make('select', {}, make('option', { value: '' }, 'None'), ...groups)
}
