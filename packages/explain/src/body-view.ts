import { CANONICAL_FORMS, VERSIONS, type CanonicalForm, type Version } from '@service-signature/core/internal'
import { base64Bytes, encode, ifValid } from './encodings.js'
import { JsonText } from './json-text.js'

/** Printing all forms of v2 of a larger body takes longer than the rest of the search, and most print the same. */
const MAX_BYTES_FOR_FORMS = 16 * 1024

/** A body, or a function that makes it if it may never be needed. */
type Signed = Uint8Array | string | (() => Uint8Array | string)

/** The bytes of a body, and values that several rules derive from them, computed once. */
export class BodyView {
  readonly #signed: Signed
  readonly #canonical: (() => string) | undefined
  #bytes: Uint8Array | undefined
  readonly #forms: readonly CanonicalForm[]
  readonly #messages = new Map<Version, readonly Uint8Array[]>()
  readonly #made = new Map<object, unknown>()
  #text: string | undefined | null = null
  #json: JsonText | undefined | null = null

  /**
   * @param forms of v2 to print; one is enough for a body that is only a candidate
   * @param canonical makes the text that v2 signs, if it is known
   */
  constructor(signed: Signed, forms: readonly CanonicalForm[] = ['source'], canonical?: () => string) {
    this.#signed = signed
    this.#forms = forms
    this.#canonical = canonical
  }

  get bytes(): Uint8Array {
    if (this.#bytes === undefined) {
      const signed = typeof this.#signed === 'function' ? this.#signed() : this.#signed
      this.#bytes = typeof signed === 'string' ? encode(signed) : signed
    }
    return this.#bytes
  }

  static asReceived(bytes: Uint8Array, listed: readonly Version[]): BodyView {
    const isWorthIt = listed.includes('v2') || bytes.length <= MAX_BYTES_FOR_FORMS
    return new BodyView(bytes, isWorthIt ? CANONICAL_FORMS : ['source'])
  }

  /** As UTF-8, with a byte order mark if there is one; undefined if it is not UTF-8. */
  get text(): string | undefined {
    if (this.#text === null) this.#text = decode(this.bytes)
    return this.#text
  }

  get base64(): string {
    return new TextDecoder().decode(this.messages('v3')[0])
  }

  /** The text for software that decodes every body as UTF-8. */
  get decoded(): BodyView {
    return new BodyView(new TextDecoder().decode(this.bytes))
  }

  get json(): JsonText | undefined {
    if (this.#json === null) this.#json = JsonText.of(this.bytes)
    return this.#json
  }

  /** The bytes that a version signs before "t"; nothing if v2 has no JSON to print. */
  messages(version: Version): readonly Uint8Array[] {
    const messages = this.#messages.get(version) ?? ifValid(() => this.#makeMessages(version)) ?? []
    this.#messages.set(version, messages)
    return messages
  }

  #makeMessages(version: Version): readonly Uint8Array[] {
    if (version === 'v2' && this.#canonical !== undefined) return [encode(this.#canonical())]
    return Array.from(VERSIONS[version].messages(this.bytes, this.#forms), ({ bytes, base64 }) =>
      base64 ? base64Bytes(bytes) : bytes,
    )
  }

  isSameAs({ bytes }: BodyView): boolean {
    const { bytes: own } = this
    if (bytes.length !== own.length) return false
    for (let at = 0; at < own.length; at++) if (bytes[at] !== own[at]) return false
    return true
  }

  /** The candidates of a rule, made once, because the same body is tried with several keys. */
  once<Made>(rule: object, make: () => Made): Made {
    const made = this.#made.has(rule) ? (this.#made.get(rule) as Made) : make()
    this.#made.set(rule, made)
    return made
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
