import { CANONICAL_FORMS, VERSIONS, type CanonicalForm, type Version } from '@service-signature/core/internal'
import { base64Bytes, encode, ifValid } from './encodings.js'
import type { JsonStyle } from './json-styles.js'
import { JsonText } from './json-text.js'

/** Printing all forms of v2 of a larger body takes longer than the rest of the search, and most print the same. */
const MAX_BYTES_FOR_FORMS = 16 * 1024

/** The bytes of a body, and what several rules derive from them, computed once. */
export class BodyView {
  readonly bytes: Uint8Array
  readonly #forms: readonly CanonicalForm[]
  readonly #messages = new Map<Version, readonly Uint8Array[]>()
  readonly #restyled = new Map<JsonStyle, BodyView>()
  #text: string | undefined | null = null
  #json: JsonText | undefined | null = null

  /** @param forms in which v2 is printed; one is enough for a body that is only a candidate */
  constructor(signed: Uint8Array | string, forms: readonly CanonicalForm[] = ['source']) {
    this.bytes = typeof signed === 'string' ? encode(signed) : signed
    this.#forms = forms
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

  /** As software sees it that decodes every body as UTF-8. */
  get decoded(): BodyView {
    return new BodyView(new TextDecoder().decode(this.bytes))
  }

  get json(): JsonText | undefined {
    if (this.#json === null) this.#json = JsonText.of(this.bytes)
    return this.#json
  }

  /** Its JSON in another style. Several rules look at the same. */
  restyled(style: JsonStyle, json: JsonText): BodyView {
    const view = this.#restyled.get(style) ?? new BodyView(json.restyle(style))
    this.#restyled.set(style, view)
    return view
  }

  /** What a version signs of it before "t"; nothing if v2 has no JSON to print. */
  messages(version: Version): readonly Uint8Array[] {
    const messages = this.#messages.get(version) ?? ifValid(() => this.#makeMessages(version)) ?? []
    this.#messages.set(version, messages)
    return messages
  }

  #makeMessages(version: Version): readonly Uint8Array[] {
    return Array.from(VERSIONS[version].messages(this.bytes, this.#forms), ({ bytes, base64 }) =>
      base64 ? base64Bytes(bytes) : bytes,
    )
  }

  isSameAs({ bytes }: BodyView): boolean {
    return bytes.length === this.bytes.length && bytes.every((byte, at) => byte === this.bytes[at])
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
