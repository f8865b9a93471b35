import type { Search } from '../digest/digest.js'
import { WebhookError, type WebhookErrorCode } from '../errors.js'
import { readEvent } from '../events/event.js'
import { freshness, type Freshness } from '../freshness.js'
import { parseSignatureHeader, type SignatureHeader, type SignatureHeaderValue } from '../header.js'
import { matchSignatures, type Match } from '../match.js'
import { checkKey } from '../secrets/keys.js'
import { VERSIONS } from '../versions.js'
import type { Asker } from './asker.js'
import type { TrialKey } from './case.js'
import { Checklist, what } from './checklist.js'
import type { ExplainSettings } from './options.js'
import { resultOf } from './refusal.js'
import type { ExplainCheck } from './report.js'
import { distance } from './time.js'

/** What is explained, and by what rules. */
export interface Subject {
  readonly bytes: Uint8Array
  readonly value: SignatureHeaderValue
  readonly settings: ExplainSettings
  /** One time for the whole report, in milliseconds. */
  readonly now: number
  /** Of each key, by its label. */
  readonly fingerprints: ReadonlyMap<string, string>
}

/** What the verifier would say. */
export interface Verdict {
  readonly checks: readonly ExplainCheck[]
  readonly code: WebhookErrorCode | undefined
  /** Nothing, where the signature does not match. */
  readonly match: Match | undefined
  /** Nothing, where the header is missing or malformed. */
  readonly age: Freshness | undefined
}

/** Makes the verifier's checks in its order, and goes on after one that fails, as far as there is something to check. */
export function* runChecks<Key>(asker: Asker<Key>, subject: Subject): Search<Key, Verdict> {
  const list = new Checklist()
  const { bytes } = subject
  const { header, isComplete, age } = checkHeader(list, subject)
  const match = isComplete ? yield* checkSignature(asker, list, subject, header!) : undefined
  if (!isComplete) list.skip('signature', 'the header has not got what it takes')
  const event = list.attempt(
    'body is JSON',
    () => readEvent(bytes),
    () => `${bytes.length} bytes`,
  )
  if (match === undefined || event === undefined)
    list.skip('event recognized', 'only what is genuine is looked at')
  else list.pass('event recognized', `its shape is "${event.shape}"`)
  return { checks: list.checks, code: list.code, match, age }
}

/** The checks that need no body. */
export function checkHeaderAlone(subject: Subject): Pick<Verdict, 'checks' | 'code'> {
  const list = new Checklist()
  checkHeader(list, subject)
  for (const name of ['signature', 'body is JSON', 'event recognized'] as const)
    list.skip(name, 'the body is too large')
  return { checks: list.checks, code: list.code }
}

function checkHeader(list: Checklist, subject: Subject) {
  const header = checkGrammar(list, subject.value)
  const isComplete = checkVersions(list, subject.settings, header)
  const age = checkTime(list, subject, header)
  checkKeys(list, subject)
  return { header, isComplete, age }
}

function checkGrammar(list: Checklist, value: SignatureHeaderValue): SignatureHeader | undefined {
  if (value === null || value === undefined) {
    const { message, code } = new WebhookError('ERR_SIGNATURE_MISSING')
    list.fail('header present', what(message), code)
    list.skip('header grammar', 'there is no header')
    return undefined
  }
  list.pass('header present', 'it is there')
  return list.attempt(
    'header grammar',
    () => parseSignatureHeader(value),
    ({ signatures }) => `it has ${['t', ...Object.keys(signatures).sort()].join(', ')}`,
  )
}

function checkVersions(
  list: Checklist,
  { versions }: ExplainSettings,
  header: SignatureHeader | undefined,
): boolean {
  if (header === undefined) {
    list.skip('versions present', 'there is no header that can be read')
    return false
  }
  const missing = versions.filter((version) => header.signatures[version] === undefined)
  if (missing.length === 0) {
    list.pass('versions present', versions.join(', '))
    return true
  }
  const { message, code } = new WebhookError('ERR_SIGNATURE_VERSION_MISSING', { detail: missing.join(', ') })
  list.fail('versions present', what(message), code)
  return false
}

function checkTime(
  list: Checklist,
  { now, settings: { window } }: Subject,
  header: SignatureHeader | undefined,
): Freshness | undefined {
  if (header === undefined) {
    list.skip('time window', 'there is no header that can be read')
    return undefined
  }
  const age = freshness(header.timestamp, now, window)
  const said = `signed ${distance(age.ageSeconds)}`
  if (age.verdict === 'too old') {
    list.fail(
      'time window',
      `${said}, and toleranceSeconds is ${window.toleranceSeconds}`,
      'ERR_TIMESTAMP_TOO_OLD',
    )
  } else if (age.verdict === 'in the future') {
    const limit = `and futureToleranceSeconds is ${window.futureToleranceSeconds}`
    list.fail('time window', `${said}, ${limit}`, 'ERR_TIMESTAMP_IN_FUTURE')
  } else {
    list.pass('time window', said)
  }
  return age
}

/** The verifier takes no key with white space at its ends; that is a TypeError, which has no code. */
function checkKeys(list: Checklist, { settings: { keys, versions }, fingerprints }: Subject): void {
  const used = [...new Set(versions.map((version) => VERSIONS[version].key))].flatMap((kind) => keys[kind])
  for (const { label, material } of used) {
    try {
      checkKey(material, label)
    } catch (error) {
      list.fail('keys', (error as TypeError).message)
      return
    }
  }
  const said = used.map(
    ({ label, material }) => `${label} ${fingerprints.get(label)!} (${material.length} characters)`,
  )
  list.pass('keys', said.join(', '))
}

function* checkSignature<Key>(
  asker: Asker<Key>,
  list: Checklist,
  { bytes, settings: { keys, versions } }: Subject,
  header: SignatureHeader,
): Search<Key, Match | undefined> {
  const search = matchSignatures<TrialKey>({ rawBody: bytes, header, versions, keys })
  let step = resultOf(() => search.next())
  while (!WebhookError.is(step) && step.done !== true) {
    const { matched } = (yield* asker.ask(step.value, true))!
    step = resultOf(() => search.next(matched))
  }
  if (WebhookError.is(step)) {
    list.fail('signature', what(step.message), step.code)
    return undefined
  }
  list.pass('signature', `${versions.join(', ')} ${versions.length === 1 ? 'matches' : 'match'}`)
  return step.value
}
