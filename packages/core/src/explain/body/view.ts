import { CANONICAL_FORMS, type CanonicalForm } from '../../canonical-json/forms.js'
import { WebhookError } from '../../errors.js'
import { VERSIONS, type Message, type Version } from '../../versions.js'
import { toBase64 } from '../encoding.js'
import { resultOf } from '../refusal.js'
import type { Spelling } from '../json/spelling.js'
import { JsonText } from '../json/text.js'

/** Printing all forms of v2 of a larger body takes longer than all the rest, and most print the same. */
const MAX_BYTES_FOR_FORMS = 16 * 1024

/** The bytes of a body, and what several hypotheses make of them, made once. */
export class BodyView {
  readonly bytes: Uint8Array
  readonly #forms: readonly CanonicalForm[]
  readonly #messages = new Map<Version, readonly Message[]>()
  readonly #respelled = new Map<Spelling, BodyView>()
  #base64: string | undefined
  #text: string | undefined | null = null
  #json: JsonText | undefined | null = null

  /** @param forms in which v2 is printed; of what a body might have been, one has to do */
  constructor(bytes: Uint8Array, forms: readonly CanonicalForm[] = ['source']) {
    this.bytes = bytes
    this.#forms = forms
  }

  static asReceived(bytes: Uint8Array, listed: readonly Version[]): BodyView {
    const isWorthIt = listed.includes('v2') || bytes.length <= MAX_BYTES_FOR_FORMS
    return new BodyView(bytes, isWorthIt ? CANONICAL_FORMS : ['source'])
  }

  static ofText(text: string): BodyView {
    return new BodyView(new TextEncoder().encode(text))
  }

  /** As UTF-8, with a byte order mark if there is one; nothing where it is not UTF-8. */
  get text(): string | undefined {
    if (this.#text === null) this.#text = decode(this.bytes)
    return this.#text
  }

  get base64(): string {
    this.#base64 ??= toBase64(this.bytes)
    return this.#base64
  }

  get json(): JsonText | undefined {
    if (this.#json === null) this.#json = JsonText.of(this.bytes)
    return this.#json
  }

  /** In another spelling; several hypotheses look at the same. */
  respelled(spelling: Spelling, json: JsonText): BodyView {
    const known = this.#respelled.get(spelling)
    if (known !== undefined) return known
    const view = BodyView.ofText(json.respell(spelling))
    this.#respelled.set(spelling, view)
    return view
  }

  /** What a version signs of it; nothing where v2 has no JSON to print. */
  messages(version: Version): readonly Message[] {
    const known = this.#messages.get(version)
    if (known !== undefined) return known
    const made = resultOf(() => [...VERSIONS[version].messages(this.bytes, this.#forms)])
    const messages = WebhookError.is(made) ? [] : made
    this.#messages.set(version, messages)
    return messages
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
