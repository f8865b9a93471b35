import type { CanonicalForm, Version } from '@service-signature/core'
import { CANONICAL_FORMS } from '@service-signature/core/signature/names'
import { VERSIONS } from '@service-signature/core/signature/versions'
import { base64Bytes, encode, ifValid, isEqual } from './encodings.js'
import { JsonText, type SignedValues } from './json-text.js'

/** Printing all forms of v2 of a larger body takes longer than the rest of the search, and most print the same. */
const MAX_BYTES_FOR_FORMS = 16 * 1024

/** A body, or a function that makes it if it may never be needed. */
type Signed = Uint8Array | string | (() => Uint8Array | string)

type MessagesOf = Map<Version, readonly Uint8Array[]>

/** The bytes of a body, and what several rules derive from them, computed once. */
export class BodyView {
  readonly #signed: Signed
  readonly #forms: readonly CanonicalForm[]
  /** The messages of all bodies that are derived from the one that arrived: equal bodies have the same. */
  readonly #known: Map<string, MessagesOf>
  readonly #made = new Map<object, unknown>()
  #bytes: Uint8Array | undefined
  #messages: MessagesOf | undefined
  #text: string | undefined | null = null
  #json: JsonText | undefined | null = null
  /** The values that v2 signs, where the bytes that were signed are lost. */
  readonly values: SignedValues | undefined

  private constructor(
    signed: Signed,
    forms: readonly CanonicalForm[],
    known: Map<string, MessagesOf>,
    values?: SignedValues,
  ) {
    this.#signed = signed
    this.#forms = forms
    this.#known = known
    this.values = values
  }

  static asReceived(bytes: Uint8Array, listed: readonly Version[]): BodyView {
    // One form is enough for a body that is only a candidate.
    const isWorthIt = listed.includes('v2') || bytes.length <= MAX_BYTES_FOR_FORMS
    const body = new BodyView(bytes, isWorthIt ? CANONICAL_FORMS : ['source'], new Map())
    body.messages('v3')
    return body
  }

  /** Another body in place of this one. */
  variant(signed: Signed): BodyView {
    return new BodyView(signed, ['source'], this.#known)
  }

  /** Values in place of this body, whose bytes are lost. */
  withValues(values: SignedValues): BodyView {
    return new BodyView(this.bytes, [], this.#known, values)
  }

  get bytes(): Uint8Array {
    if (this.#bytes === undefined) {
      const signed = typeof this.#signed === 'function' ? this.#signed() : this.#signed
      this.#bytes = typeof signed === 'string' ? encode(signed) : signed
    }
    return this.#bytes
  }

  /** As UTF-8, with a byte order mark if there is one; undefined if it is not UTF-8. */
  get text(): string | undefined {
    if (this.#text === null) this.#text = decode(this.bytes)
    return this.#text
  }

  get base64(): string {
    return new TextDecoder().decode(this.messages('v3')[0])
  }

  get json(): JsonText | undefined {
    if (this.#json === null) this.#json = JsonText.of(this.bytes)
    return this.#json
  }

  /** The bytes that a version signs before "t"; nothing if v2 has no JSON to print. */
  messages(version: Version): readonly Uint8Array[] {
    this.#messages ??= this.#sharedMessages()
    const messages = this.#messages.get(version) ?? ifValid(() => this.#makeMessages(version)) ?? []
    this.#messages.set(version, messages)
    return messages
  }

  #sharedMessages(): MessagesOf {
    const { values } = this
    const key = values === undefined ? keyOf(this.bytes) : `v2 ${values.json.canonical(values.style)}`
    const messages = this.#known.get(key) ?? new Map<Version, readonly Uint8Array[]>()
    this.#known.set(key, messages)
    return messages
  }

  #makeMessages(version: Version): readonly Uint8Array[] {
    if (this.values !== undefined) {
      return version === 'v2' ? [encode(this.values.json.canonical(this.values.style))] : []
    }
    const messages = Array.from(VERSIONS[version].messages(this.bytes, this.#forms), ({ bytes, base64 }) =>
      base64 ? base64Bytes(bytes) : bytes,
    )
    return version === 'v2' ? messages.map((bytes) => this.#sharedText(bytes)) : messages
  }

  /** The same bytes for the same text that v2 signs. */
  #sharedText(bytes: Uint8Array): Uint8Array {
    const key = `v2 ${new TextDecoder().decode(bytes)}`
    const known = this.#known.get(key) ?? new Map<Version, readonly Uint8Array[]>([['v2', [bytes]]])
    this.#known.set(key, known)
    return known.get('v2')![0]!
  }

  isSameAs({ bytes }: BodyView): boolean {
    return isEqual(bytes, this.bytes)
  }

  /** The candidates of a rule, made once, because the same body is tried with several keys. */
  once<Made>(rule: object, make: () => Made): Made {
    const made = this.#made.has(rule) ? (this.#made.get(rule) as Made) : make()
    this.#made.set(rule, made)
    return made
  }
}

/** A text that is equal for equal bytes alone: one character for each byte. */
function keyOf(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
