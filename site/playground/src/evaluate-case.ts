import { verify, WebhookError, type WebhookErrorCode } from '@service-signature/core'
import type { KeyKind } from '@service-signature/core/signature/keys'
import { VERSIONS } from '@service-signature/core/signature/versions'
import { explain, type ExplainReport } from '@service-signature/explain'
import { digestSteps, type ReceivedHeader, type VersionSteps } from './digest-steps.js'
import { eventSummary, type EventSummary } from './event-summary.js'
import { headerParts, parsedHeader, type HeaderParts } from './header-parts.js'
import { receivedTime, type CompleteCase } from './playground-case.js'
import { firstSentence, joinedWords, lowerFirst } from './words.js'

/** What the verifier does with the delivery. */
export interface Verdict {
  /** `incomplete` if something is missing that only the reader can add, such as the secret. */
  readonly outcome: 'verified' | 'refused' | 'incomplete'
  readonly sentence: string
  /** The code of the error that the verifier throws. */
  readonly code?: WebhookErrorCode
  /** The HTTP status of the answer to the sender. */
  readonly status?: number
}

/** Everything that the playground shows about a case. */
export interface Evaluation {
  readonly verdict: Verdict
  /** Missing while the verdict is incomplete. */
  readonly report?: ExplainReport
  readonly header: HeaderParts
  readonly versions: readonly VersionSteps[]
  readonly event: EventSummary
}

// Enough for the whole search on a phone, and little enough that a page does not seem to hang.
const TIME_LIMIT_MILLISECONDS = 3000
const BODY_LIMIT = 1024 * 1024

/** @param clock the present time in milliseconds */
export async function evaluateCase(given: CompleteCase, clock: number): Promise<Evaluation> {
  const { parsed } = parsedHeader(given.header)
  const now = receivedTime(given, parsed, clock)
  const header = headerParts(given, now)
  const missing = missingInput(given)
  const shown = {
    header,
    versions: await digestSteps(given, receivedHeader(header)),
    event: eventSummary(given.body),
  }
  if (missing !== undefined) return { verdict: { outcome: 'incomplete', sentence: missing }, ...shown }
  return { verdict: await verdictOn(given, now), report: await reportOn(given, now), ...shown }
}

/** The values to compare with, also of a header that the verifier refuses: the first of each name. */
function receivedHeader({ parts, timestamp }: HeaderParts): ReceivedHeader {
  return { timestamp, values: new Map(parts.toReversed().map(({ name, value }) => [name, value])) }
}

/** What the reader has to add before the delivery can be verified. */
function missingInput({ header, body, versions, secrets, apiKeys }: CompleteCase): string | undefined {
  const keys: Readonly<Record<KeyKind, readonly string[]>> = { secret: secrets, apiKey: apiKeys }
  const isEmpty = header === null && body.length === 0
  if (isEmpty && secrets.length + apiKeys.length === 0) {
    return 'Enter a header, a body and a key, or load an example.'
  }
  const without = versions.filter((version) => keys[VERSIONS[version].key].length === 0)
  const [first] = without
  if (first === undefined) return undefined
  const name = VERSIONS[first].key === 'secret' ? 'secret' : 'API key'
  const signed = without.filter((version) => VERSIONS[version].key === VERSIONS[first].key)
  const verb = signed.length === 1 ? 'is' : 'are'
  return `Enter the ${name} to verify this delivery: ${joinedWords(signed)} ${verb} signed with it.`
}

async function verdictOn(given: CompleteCase, now: number): Promise<Verdict> {
  try {
    const { versions } = await verify(given.body, given.header, { ...optionsOf(given), now: () => now })
    const sentence = `This delivery verifies: ${joinedWords(versions)} ${versions.length === 1 ? 'matches' : 'match'}.`
    return { outcome: 'verified', sentence }
  } catch (error) {
    if (WebhookError.is(error)) {
      const { code, status } = error
      return {
        outcome: 'refused',
        sentence: `Refused: ${lowerFirst(firstSentence(error.message))}.`,
        code,
        status,
      }
    }
    // The other options were checked before, so it is a key that no verifier accepts.
    const { message } = error as TypeError
    return { outcome: 'refused', sentence: `createVerifier throws: ${firstSentence(message)}.` }
  }
}

async function reportOn(given: CompleteCase, now: number): Promise<ExplainReport> {
  return explain(given.body, given.header, {
    ...optionsOf(given),
    now,
    timeLimitMilliseconds: TIME_LIMIT_MILLISECONDS,
    bodyLimit: BODY_LIMIT,
  })
}

function optionsOf({ secrets, apiKeys, versions, toleranceSeconds, futureToleranceSeconds }: CompleteCase) {
  return {
    ...(secrets.length > 0 && { secret: oneOrList(secrets) }),
    ...(apiKeys.length > 0 && { apiKey: oneOrList(apiKeys) }),
    versions,
    toleranceSeconds,
    futureToleranceSeconds,
  }
}

/** Messages name a key of a list by its index, and a single key only by its kind. */
function oneOrList(keys: readonly string[]): string | readonly string[] {
  return keys.length === 1 ? keys[0]! : keys
}
