import {
  parseSignatureHeader,
  recognize,
  WebhookError,
  type SignatureHeader,
  type Version,
  type WebhookErrorCode,
} from '@service-signature/core'
import { parseJson } from '@service-signature/core/signature/canonical-json/parse-json'
import { checkKey, type KeyKind } from '@service-signature/core/signature/keys'
import { VERSIONS } from '@service-signature/core/signature/versions'
import { timeWindowVerdict } from '@service-signature/core/verify/time-window'
import type { ArrivedDelivery } from '../read/arrived-delivery.js'
import type { BodyView } from '../read/body-view.js'
import { resultOf } from '../read/encodings.js'
import { distance, type Age } from '../rules/time-rules.js'
import type { HmacTester } from '../search/hmac-tester.js'
import type { CheckName, ExplainCheck } from './explain-report.js'

/** The checks of the verifier in its order. A check that fails does not end them, as long as there is something to check. */
export class DeliveryChecks {
  readonly list: ExplainCheck[] = []
  /** The code of the first check that failed with one: what the verifier throws. */
  code: WebhookErrorCode | undefined
  /** Undefined if the header is missing or malformed. */
  age: Age | undefined
  /** Which of the keys matched, for each kind that was needed. Undefined if the signature does not match. */
  usedKeys: Readonly<Partial<Record<KeyKind, number>>> | undefined
  readonly #delivery: ArrivedDelivery

  constructor(delivery: ArrivedDelivery) {
    this.#delivery = delivery
  }

  /** @param body undefined if it is too large to be looked at */
  async run(tester: HmacTester<unknown>, body: BodyView | undefined): Promise<void> {
    const { bytes } = this.#delivery
    const header = this.#readHeader()
    const isComplete = header !== undefined && this.#checkVersions(header)
    if (header !== undefined) this.#checkTime(header)
    else this.#skip('there is no header that can be read', 'versions present', 'time window')
    this.#checkKeys()
    if (body === undefined) {
      this.#skip('the body is too large', 'signature', 'body is JSON', 'event recognized')
      return
    }
    if (isComplete) await this.#checkSignature(tester, header, body)
    else this.#skip('the header is missing, malformed or incomplete', 'signature')
    const event = resultOf(() => recognize(parseJson(bytes)))
    if (event instanceof Error) this.#fail('body is JSON', event)
    else this.#add('body is JSON', 'passed', `${bytes.length} bytes`)
    if (event instanceof Error || this.usedKeys === undefined) {
      this.#skip('only a valid delivery is looked at', 'event recognized')
    } else {
      this.#add('event recognized', 'passed', `its shape is "${event.shape}"`)
    }
  }

  #readHeader(): SignatureHeader | undefined {
    const { header } = this.#delivery
    if (header === null || header === undefined) {
      this.#fail('header present', new WebhookError('ERR_SIGNATURE_MISSING'))
      this.#skip('there is no header', 'header grammar')
      return undefined
    }
    this.#add('header present', 'passed', 'it is there')
    const parsed = resultOf(() => parseSignatureHeader(header))
    if (parsed instanceof Error) {
      this.#fail('header grammar', parsed)
      return undefined
    }
    const names = ['t', ...Object.keys(parsed.signatures).sort()].join(', ')
    this.#add('header grammar', 'passed', `it has ${names}`)
    return parsed
  }

  #checkVersions({ signatures }: SignatureHeader): boolean {
    const { versions } = this.#delivery.settings
    const detail = versions.filter((version) => signatures[version] === undefined).join(', ')
    if (detail === '') this.#add('versions present', 'passed', versions.join(', '))
    else this.#fail('versions present', new WebhookError('ERR_SIGNATURE_VERSION_MISSING', { detail }))
    return detail === ''
  }

  #checkTime({ timestamp }: SignatureHeader): void {
    const { now, settings } = this.#delivery
    const { verdict, ageSeconds } = (this.age = timeWindowVerdict(timestamp, now, settings.window))
    const signed = `signed ${distance(ageSeconds)}`
    if (verdict === 'in time') {
      this.#add('time window', 'passed', signed)
      return
    }
    const isOld = verdict === 'too old'
    const option = isOld ? 'toleranceSeconds' : 'futureToleranceSeconds'
    const message = `${signed}, and ${option} is ${settings.window[option]}`
    this.#fail('time window', { message, code: isOld ? 'ERR_TIMESTAMP_TOO_OLD' : 'ERR_TIMESTAMP_IN_FUTURE' })
  }

  /** The verifier refuses keys with white space at their ends by a TypeError, which has no code. */
  #checkKeys(): void {
    const { settings, fingerprints } = this.#delivery
    const kinds = new Set(settings.versions.map((version) => VERSIONS[version].key))
    try {
      const keys = [...kinds].flatMap((kind) => settings.keys[kind])
      const described = keys.map(({ label, material }) => {
        return `${label} ${fingerprints.get(label)!} (${checkKey(material, label).length} characters)`
      })
      this.#add('keys', 'passed', described.join(', '))
    } catch (error) {
      this.#add('keys', 'failed', (error as TypeError).message)
    }
  }

  /** Every version must match, and all versions that are signed with one kind of key under the same key. */
  async #checkSignature(tester: HmacTester<unknown>, header: SignatureHeader, body: BodyView): Promise<void> {
    const { timestamp, signatures } = header
    const { versions, keys } = this.#delivery.settings
    const usedKeys: Partial<Record<KeyKind, number>> = {}
    const mismatched: Version[] = []
    let isUnreadable = false
    for (const version of versions) {
      const { key: kind } = VERSIONS[version]
      const messages = body.messages(version)
      const index = await tester.matchingKey(keys[kind], messages, timestamp, signatures[version]!, true)
      if (index !== undefined && index === (usedKeys[kind] ?? index)) usedKeys[kind] = index
      else if (messages.length === 0) isUnreadable = true
      else mismatched.push(version)
    }
    if (mismatched.length > 0) {
      const detail = mismatched.join(', ')
      this.#fail('signature', new WebhookError('ERR_SIGNATURE_MISMATCH', { detail }))
    } else if (isUnreadable) {
      this.#fail('signature', new WebhookError('ERR_BODY_NOT_JSON', { detail: 'v2 needs JSON' }))
    } else {
      this.usedKeys = usedKeys
      this.#add('signature', 'passed', matching(versions))
    }
  }

  #skip(detail: string, ...names: readonly CheckName[]): void {
    for (const name of names) this.#add(name, 'skipped', detail)
  }

  /** With the first sentence of the message, without the fix, which here depends on the findings. */
  #fail(name: CheckName, { message, code }: { message: string; code?: WebhookErrorCode }): void {
    this.#add(name, 'failed', message.split('. ', 1)[0]!)
    this.code ??= code
  }

  #add(name: CheckName, outcome: ExplainCheck['outcome'], detail: string): void {
    this.list.push({ name, outcome, detail })
  }
}

export function matching(versions: readonly Version[]): string {
  return `${versions.join(', ')} ${versions.length === 1 ? 'matches' : 'match'}`
}
