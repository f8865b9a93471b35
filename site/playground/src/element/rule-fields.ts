import type { Version } from '@service-signature/core'
import { VERSION_NAMES } from '@service-signature/core/signature/names'
import { VERSIONS } from '@service-signature/core/signature/versions'
import type { CompleteCase, ReceivedAt } from '../playground-case.js'
import { printTime, readFutureTolerance, readTime, readTolerance } from '../typed-values.js'
import { choice, labelled, make, newId } from './dom.js'
import { ExactField } from './exact-field.js'

type Rules = Pick<CompleteCase, 'versions' | 'receivedAt' | 'toleranceSeconds' | 'futureToleranceSeconds'>

/** The rules of the verifier: versions, time and tolerance. */
export class RuleFields {
  readonly element: HTMLElement
  readonly #versions = new Map<Version, HTMLInputElement>()
  readonly #versionError = make('p', { class: 'error' })
  readonly #when = make(
    'select',
    {},
    make('option', { value: 'header' }, 'At the time in the header'),
    make('option', { value: 'now' }, 'Now'),
    make('option', { value: 'at' }, 'At another time'),
  )
  readonly #at = new ExactField<number>(line({ placeholder: '2025-03-27T15:41:20Z' }), Date.now(), {
    print: printTime,
    read: readTime,
  })
  readonly #atField = labelled('Received at (UTC)', this.#at.control, this.#at.error)
  readonly #tolerance = new ExactField<number>(line({ inputmode: 'decimal' }), 300, {
    print: String,
    read: readTolerance,
  })
  readonly #future = new ExactField<number>(line({ inputmode: 'decimal' }), 60, {
    print: String,
    read: readFutureTolerance,
  })

  constructor() {
    for (const version of VERSION_NAMES.toReversed()) {
      this.#versions.set(version, make('input', { type: 'checkbox', value: version }))
    }
    const versions = [...this.#versions].map(([version, box]) =>
      choice(`${version} (${VERSIONS[version].key === 'secret' ? 'secret' : 'API key'})`, box),
    )
    this.element = make(
      'div',
      { class: 'rules' },
      make(
        'fieldset',
        { class: 'field wide' },
        make('legend', {}, 'Required versions'),
        make('div', { class: 'bar' }, ...versions),
        this.#versionError,
      ),
      labelled('Received', this.#when),
      this.#atField,
      labelled('Tolerance in seconds', this.#tolerance.control, this.#tolerance.error),
      labelled('Tolerance for the future', this.#future.control, this.#future.error),
    )
    this.#when.addEventListener('change', () => {
      this.#hideTime()
    })
    this.show({ versions: ['v3'], receivedAt: 'header', toleranceSeconds: 300, futureToleranceSeconds: 60 })
  }

  show({ versions, receivedAt, toleranceSeconds, futureToleranceSeconds }: Rules): void {
    for (const [version, box] of this.#versions) box.checked = versions.includes(version)
    this.#when.value = typeof receivedAt === 'number' ? 'at' : receivedAt
    if (typeof receivedAt === 'number') this.#at.show(receivedAt)
    this.#tolerance.show(toleranceSeconds)
    this.#future.show(futureToleranceSeconds)
    this.#hideTime()
  }

  /** The rules, or undefined if one of them is wrong. */
  read(): Rules | undefined {
    // In the order of the specification, which messages follow.
    const versions = VERSION_NAMES.filter((version) => this.#versions.get(version)!.checked)
    this.#versionError.textContent = versions.length === 0 ? 'Choose at least one version.' : ''
    const receivedAt = this.#when.value === 'at' ? this.#at.read() : (this.#when.value as ReceivedAt)
    const toleranceSeconds = this.#tolerance.read()
    const futureToleranceSeconds = this.#future.read()
    if (receivedAt === undefined || toleranceSeconds === undefined) return undefined
    if (futureToleranceSeconds === undefined || versions.length === 0) return undefined
    return { versions, receivedAt, toleranceSeconds, futureToleranceSeconds }
  }

  #hideTime(): void {
    this.#atField.hidden = this.#when.value !== 'at'
  }
}

function line(attributes: Readonly<Record<string, string>>): HTMLInputElement {
  return make('input', {
    id: newId('line'),
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    ...attributes,
  })
}
