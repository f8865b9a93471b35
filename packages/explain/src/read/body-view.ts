import type { CanonicalForm, Version } from '@service-signature/core'
import type { Hmac } from '@service-signature/core/signature/hmac/hmac'
import { CANONICAL_FORMS } from '@service-signature/core/signature/names'
import { VERSIONS } from '@service-signature/core/signature/versions'
import { encode, ifValid, once } from './encodings.js'
import { JsonText, type SignedValues } from './json-text.js'

/** Printing all forms of v2 of a larger body takes longer than the rest of the search, and most print the same. */
const MAX_BYTES_FOR_FORMS = 16 * 1024

/** What a version signs before "t". */
export type Message = Parameters<Hmac['matches']>[1]

/** A body, or a function that makes it if it may never be needed. */
type Signed = Uint8Array | string | (() => Uint8Array | string)

/** The bytes of a body, and what several rules derive from them, computed once. */
export class BodyView {
  readonly #signed: Signed
  readonly #forms: readonly CanonicalForm[]
  /** The messages of all bodies that are derived from the one that arrived: each is compared once. */
  readonly #known: Map<string, Message>
  readonly #made = new Map<object | string, unknown>()
  /** The values that v2 signs, where the bytes that were signed are lost. */
  readonly values: SignedValues | undefined

  private constructor(
    signed: Signed,
    forms: readonly CanonicalForm[],
    known: Map<string, Message>,
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
    return new BodyView(bytes, isWorthIt ? CANONICAL_FORMS : ['source'], new Map())
  }

  variant(signed: Signed): BodyView {
    return new BodyView(signed, ['source'], this.#known)
  }

  /** Values in place of this body, whose bytes are lost. */
  withValues(values: SignedValues): BodyView {
    return new BodyView(this.bytes, [], this.#known, values)
  }

  get bytes(): Uint8Array {
    return this.once('bytes', () => {
      const signed = typeof this.#signed === 'function' ? this.#signed() : this.#signed
      return typeof signed === 'string' ? encode(signed) : signed
    })
  }

  /** Equal for equal bytes alone: one character for each byte. */
  get identity(): string {
    return this.once('identity', () => latin1(this.bytes))
  }

  /** As UTF-8, with a byte order mark if there is one; undefined if it is not UTF-8. */
  get text(): string | undefined {
    return this.once('text', () => decode(this.bytes))
  }

  /** Whether it has no byte that another charset could mean in another way. */
  get isPlainAscii(): boolean {
    return this.text?.length === this.bytes.length && !this.bytes.includes(0)
  }

  get json(): JsonText | undefined {
    return this.once('json', () => JsonText.of(this.bytes))
  }

  messages(version: Version): readonly Message[] {
    return this.once(version, () => {
      const messages = ifValid(() => this.#makeMessages(version)) ?? []
      return messages.map((message) => once(this.#known, version + latin1(message.bytes), () => message))
    })
  }

  #makeMessages(version: Version): readonly Message[] {
    // Only v2 is compared with values.
    if (this.values !== undefined) return [{ bytes: encode(this.values.json.canonical(this.values.style)) }]
    return Array.from(VERSIONS[version].messages(this.bytes, this.#forms))
  }

  /** What its name or rule makes, made once, because the same body is tried with several keys. */
  once<Made>(name: object | string, make: () => Made): Made {
    return once(this.#made, name, make) as Made
  }
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
