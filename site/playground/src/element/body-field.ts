import { formatFor, hasCarriageReturn, printBytes, readBytes, type ByteFormat } from '../byte-text.js'
import { counted } from '../words.js'
import { choice, labelled, make, newId } from './dom.js'
import { ExactField, type Spelling } from './exact-field.js'

const FORMATS: readonly (readonly [ByteFormat, string])[] = [
  ['text', 'Text'],
  ['hex', 'Hex'],
  ['base64', 'Base64'],
]

function spelling(format: ByteFormat): Spelling<Uint8Array> {
  return {
    print: (bytes) => printBytes(bytes, format),
    read: (text) => readBytes(text, format),
  }
}

/** The body: typed or pasted as text, hex or base64, or from a file that is opened or dropped. */
export class BodyField {
  readonly element: HTMLElement
  readonly #text: ExactField<Uint8Array>
  readonly #note = make('p', { class: 'note', id: newId('note') })
  readonly #formats = new Map<ByteFormat, HTMLInputElement>()
  readonly #file = make('input', { type: 'file', class: 'file' })

  constructor() {
    const area = make('textarea', { rows: '9', spellcheck: 'false', autocomplete: 'off', class: 'mono' })
    this.#text = new ExactField<Uint8Array>(area, new Uint8Array(), spelling('text'), this.#note)
    const group = newId('format')
    for (const [format, title] of FORMATS) {
      const radio = make('input', {
        type: 'radio',
        name: group,
        value: format,
        'aria-label': `Body as ${title}`,
      })
      radio.addEventListener('change', () => {
        this.#changeFormat(format)
      })
      this.#formats.set(format, radio)
    }
    this.#formats.get('text')!.checked = true
    this.#file.addEventListener('change', () => void this.#open(this.#file.files))
    const radios = FORMATS.map(([format, title]) => choice(title, this.#formats.get(format)!))
    const bar = make(
      'div',
      { class: 'bar' },
      ...radios,
      make('label', { class: 'button small' }, 'Open a file as body', this.#file),
    )
    this.element = labelled('Body', area, bar, this.#note, this.#text.error)
    this.element.addEventListener('dragover', (event) => {
      event.preventDefault()
    })
    this.element.addEventListener('drop', (event) => {
      event.preventDefault()
      void this.#open(event.dataTransfer?.files ?? null)
    })
  }

  show(bytes: Uint8Array): void {
    const format = formatFor(bytes)
    this.#formats.get(format)!.checked = true
    this.#text.show(bytes, spelling(format))
    this.#describe(bytes)
  }

  /** The bytes, or undefined if the text is not of its format. */
  read(): Uint8Array | undefined {
    const bytes = this.#text.read()
    if (bytes !== undefined) this.#describe(bytes)
    return bytes
  }

  #changeFormat(format: ByteFormat): void {
    const bytes = this.#text.read()
    // Text that is not hex may be the base64 that its reader wanted to paste.
    if (bytes === undefined) this.#text.show(new Uint8Array(), spelling(format))
    else this.#text.show(bytes, spelling(format))
    this.#report()
  }

  async #open(files: FileList | null): Promise<void> {
    const file = files?.[0]
    if (file === undefined) return
    this.show(new Uint8Array(await file.arrayBuffer()))
    // So that the same file can be opened once more.
    this.#file.value = ''
    this.#report()
  }

  #describe(bytes: Uint8Array): void {
    const isText = this.#formats.get('text')!.checked
    const notes = [`${counted(bytes.length, 'byte')}. Drop a file here to load its exact bytes.`]
    if (isText && hasCarriageReturn(bytes)) {
      notes.push('It has carriage returns (CR), which this field loses when you edit it: edit it as hex.')
    }
    this.#note.textContent = notes.join(' ')
  }

  #report(): void {
    this.#text.control.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
