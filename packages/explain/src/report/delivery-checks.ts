import {
  parseSignatureHeader,
  recognize,
  WebhookError,
  type SignatureHeader,
  type SignatureHeaderValue,
  type Version,
  type WebhookErrorCode,
} from '@service-signature/core'
import { parseJson } from '@service-signature/core/signature/canonical-json/parse-json'
import { checkKey, type KeyKind } from '@service-signature/core/signature/keys'
import { VERSIONS } from '@service-signature/core/signature/versions'
import { timeWindowVerdict } from '@service-signature/core/verify/time-window'
import type { BodyView } from '../read/body-view.js'
import { resultOf } from '../read/encodings.js'
import type { ExplainSettings } from '../read/explain-options.js'
import type { CheckName, ExplainCheck } from './explain-report.js'
import type { Fault } from '../rules/fault-rule.js'
import type { HmacTester } from '../search/hmac-tester.js'

/** A delivery as it arrived, and the rules of its verifier. */
export interface ArrivedDelivery {
  readonly bytes: Uint8Array
  readonly header: SignatureHeaderValue
  readonly settings: ExplainSettings
  /** One time for the whole report, in milliseconds. */
  readonly now: number
  /** The fingerprint of each key, by its label. */
  readonly fingerprints: ReadonlyMap<string, string>
}

type Refusal = Pick<WebhookError, 'message'> & Partial<Pick<WebhookError, 'code'>>

export type Age = ReturnType<typeof timeWindowVerdict>

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

  async run<Key>(tester: HmacTester<Key>, body: BodyView): Promise<void> {
    const header = this.#checkHeader()
    if (header === undefined)
      this.#add('signature', 'skipped', 'the header is missing, malformed or incomplete')
    else await this.#checkSignature(tester, header, body)
    const { bytes } = this.#delivery
    const [event] = this.#check('body is JSON', () => [recognize(parseJson(bytes)), `${bytes.length} bytes`])
    if (this.usedKeys === undefined || event === undefined) {
      this.#add('event recognized', 'skipped', 'only a valid delivery is looked at')
    } else {
      this.#add('event recognized', 'passed', `its shape is "${event.shape}"`)
    }
  }

  /** The checks that need no body. */
  runOnHeader(): void {
    this.#checkHeader()
    for (const name of ['signature', 'body is JSON', 'event recognized'] as const) {
      this.#add(name, 'skipped', 'the body is too large')
    }
  }

  /** Returns the header if it has everything that is required. */
  #checkHeader(): SignatureHeader | undefined {
    const header = this.#checkGrammar()
    let isComplete = false
    if (header === undefined) {
      this.#add('versions present', 'skipped', 'there is no header that can be read')
      this.#add('time window', 'skipped', 'there is no header that can be read')
    } else {
      isComplete = this.#checkVersions(header)
      this.#checkTime(header)
    }
    this.#checkKeys()
    return isComplete ? header : undefined
  }

  #checkGrammar(): SignatureHeader | undefined {
    const { header } = this.#delivery
    if (header === null || header === undefined) {
      this.#fail('header present', new WebhookError('ERR_SIGNATURE_MISSING'))
      this.#add('header grammar', 'skipped', 'there is no header')
      return undefined
    }
    this.#add('header present', 'passed', 'it is there')
    const [parsed] = this.#check('header grammar', () => {
      const value = parseSignatureHeader(header)
      return [value, `it has ${['t', ...Object.keys(value.signatures).sort()].join(', ')}`]
    })
    return parsed
  }

  #checkVersions({ signatures }: SignatureHeader): boolean {
    const { versions } = this.#delivery.settings
    const missing = versions.filter((version) => signatures[version] === undefined)
    const detail = missing.join(', ')
    if (missing.length === 0) this.#add('versions present', 'passed', versions.join(', '))
    else this.#fail('versions present', new WebhookError('ERR_SIGNATURE_VERSION_MISSING', { detail }))
    return missing.length === 0
  }

  #checkTime({ timestamp }: SignatureHeader): void {
    const { now, settings } = this.#delivery
    const { toleranceSeconds, futureToleranceSeconds } = settings.window
    this.age = timeWindowVerdict(timestamp, now, settings.window)
    const signed = `signed ${distance(this.age.ageSeconds)}`
    if (this.age.verdict === 'in time') {
      this.#add('time window', 'passed', signed)
    } else if (this.age.verdict === 'too old') {
      this.#add('time window', 'failed', `${signed}, and toleranceSeconds is ${toleranceSeconds}`)
      this.code ??= 'ERR_TIMESTAMP_TOO_OLD'
    } else {
      this.#add('time window', 'failed', `${signed}, and futureToleranceSeconds is ${futureToleranceSeconds}`)
      this.code ??= 'ERR_TIMESTAMP_IN_FUTURE'
    }
  }

  /** The verifier refuses keys with white space at their ends by a TypeError, which has no code. */
  #checkKeys(): void {
    const { settings, fingerprints } = this.#delivery
    const kinds = new Set(settings.versions.map((version) => VERSIONS[version].key))
    const used = [...kinds].flatMap((kind) => settings.keys[kind])
    try {
      const described = used.map(({ label, material }) => {
        return `${label} ${fingerprints.get(label)!} (${checkKey(material, label).length} characters)`
      })
      this.#add('keys', 'passed', described.join(', '))
    } catch (error) {
      this.#add('keys', 'failed', (error as TypeError).message)
    }
  }

  /** Every version must match, and all versions that are signed with one kind of key under the same key. */
  async #checkSignature<Key>(
    tester: HmacTester<Key>,
    header: SignatureHeader,
    body: BodyView,
  ): Promise<void> {
    const { versions } = this.#delivery.settings
    const usedKeys: Partial<Record<KeyKind, number>> = {}
    const mismatched: Version[] = []
    let isUnreadable = false
    for (const version of versions) {
      const { key: kind } = VERSIONS[version]
      const index = await this.#keyIndex(tester, version, header, body, usedKeys[kind])
      if (index !== undefined) usedKeys[kind] = index
      else if (body.messages(version).length === 0) isUnreadable = true
      else mismatched.push(version)
    }
    if (mismatched.length > 0) {
      const detail = mismatched.join(', ')
      this.#fail('signature', new WebhookError('ERR_SIGNATURE_MISMATCH', { detail }))
    } else if (isUnreadable) {
      this.#fail('signature', new WebhookError('ERR_BODY_NOT_JSON', { detail: 'v2 needs JSON' }))
    } else {
      this.usedKeys = usedKeys
      const list = versions.join(', ')
      this.#add('signature', 'passed', `${list} ${versions.length === 1 ? 'matches' : 'match'}`)
    }
  }

  /** Which key makes the digest of a version; only this one, if another version has required it. */
  async #keyIndex<Key>(
    tester: HmacTester<Key>,
    version: Version,
    { timestamp, signatures }: SignatureHeader,
    body: BodyView,
    required: number | undefined,
  ): Promise<number | undefined> {
    const keys = this.#delivery.settings.keys[VERSIONS[version].key]
    for (const bytes of body.messages(version)) {
      for (const [index, key] of keys.entries()) {
        const answer = await tester.compare({ key, bytes, timestamp, digest: signatures[version]! }, true)
        if (answer!.matched && (required ?? index) === index) return index
      }
    }
    return undefined
  }

  /** Adds a check, which fails if the call refuses. Returns what the call returns. */
  #check<Value>(name: CheckName, call: () => readonly [Value, string]): readonly [Value?, string?] {
    const result = resultOf(call)
    if (result instanceof Error) {
      this.#fail(name, result)
      return []
    }
    this.#add(name, 'passed', result[1])
    return result
  }

  /** The first sentence of the message, without the fix, which here depends on the findings. */
  #fail(name: CheckName, { message, code }: Refusal): void {
    this.#add(name, 'failed', message.split('. ', 1)[0]!)
    this.code ??= code
  }

  #add(name: CheckName, outcome: ExplainCheck['outcome'], detail: string): void {
    this.list.push({ name, outcome, detail })
  }
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The largest offset of a time zone. */
const MAX_ZONE_HOURS = 14

/** The kind of fault of the time, when the signature is right and the time is outside of the window. */
export function timeFault({ verdict, ageSeconds }: Age): Fault | undefined {
  if (verdict === 'in time') return undefined
  const seconds = Math.abs(ageSeconds)
  const hours = Math.round(seconds / HOUR)
  const signed = `the signature is right, but it was made ${distance(ageSeconds)}`
  // The travel of a delivery and two clocks may take it a minute away from a whole hour.
  if (hours >= 1 && hours <= MAX_ZONE_HOURS && Math.abs(seconds - hours * HOUR) <= MINUTE) {
    const happened = `${signed}, nearly a whole number of hours, which looks like a time zone`
    return { name: 'time-zone', happened }
  }
  // A clock that is slow by more than an hour is rarely an accident.
  if (ageSeconds < 0 || seconds <= HOUR) {
    return { name: 'clock-skew', happened: `${signed}, which looks like a clock that is wrong` }
  }
  return { name: 'replay', happened: `${signed}, which looks like a recorded delivery that was sent again` }
}

const UNITS = [
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
] as const

/** `312 s (5 min) ago`: how far away a time is, and in which direction. */
export function distance(ageSeconds: number): string {
  const whole = Math.round(Math.abs(ageSeconds))
  const unit = UNITS.find(([size]) => whole >= 2 * size)
  const rounded = unit === undefined ? '' : ` (${Math.floor(whole / unit[0])} ${unit[1]})`
  return `${whole} s${rounded} ${ageSeconds < 0 ? 'ahead' : 'ago'}`
}
