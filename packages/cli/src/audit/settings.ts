import type { Version } from '@service-signature/core'
import { UsageError } from '../exit.js'
import type { Io } from '../io.js'
import { keysFor, readKeys, type KeyOptions, type Keys } from '../keys.js'
import { positiveSeconds, versionList } from '../values.js'
import type { AuditPlan } from './audit.js'
import type { GroupedCase } from './case.js'
import { CASES } from './cases.js'
import { Sender, type SenderKeys } from './sender.js'
import { findTarget } from './target.js'

export interface AuditOptions extends KeyOptions {
  readonly versions?: string
  readonly iOwnThisEndpoint?: true
  readonly only?: string
  readonly pace?: string
  readonly timeout?: string
  readonly junit?: string
  readonly json?: true
}

/** What is to be played, and what is to be said about it. */
export interface AuditSettings extends Omit<AuditPlan, 'onCase'> {
  readonly notes: readonly string[]
}

// A timer that is set further ahead goes off at once.
const LONGEST_TIMEOUT_SECONDS = 3600
const LONGEST_PACE_MS = 60_000
const PACE_MS = 20

/**
 * @throws {UsageError} on a wrong value, a missing key, and an endpoint that is not to be audited
 * @throws {UnreachableError} when its host is not found
 */
export async function readSettings(url: string, options: AuditOptions, io: Io): Promise<AuditSettings> {
  const versions = versionList(options.versions ?? 'v3')
  const timeoutSeconds = positiveSeconds('--timeout', options.timeout ?? '10', LONGEST_TIMEOUT_SECONDS)
  const pace = options.pace === undefined ? undefined : milliseconds('--pace', options.pace)
  const cases = casesFor(versions, options.only ?? '')
  const keys = await readKeys(options, io, { need: keysFor(versions) })
  const target = await findTarget(url, { isOwn: options.iOwnThisEndpoint === true })
  return {
    target,
    timeoutSeconds,
    cases,
    first: CASES[0]!,
    sender: new Sender(both(keys), versions, io.now),
    paceMs: pace ?? (target.isLoopback ? 0 : PACE_MS),
    notes: keys.apiKey === undefined ? [NO_API_KEY] : [],
  }
}

const NO_API_KEY =
  'There was no API key, so v1 was signed with the secret: that the endpoint falls back to v1 may have gone unseen.'

function casesFor(versions: readonly Version[], text: string): readonly GroupedCase[] {
  const wanted = text.toLowerCase()
  const cases = CASES.filter(
    ({ name, isFor }) => name.toLowerCase().includes(wanted) && isFor?.(versions) !== false,
  )
  if (cases.length > 0) return cases
  throw new UsageError(`No case has ${JSON.stringify(text)} in its name. Without --only, all are listed.`)
}

/** Every version is signed, as the payment service does (S6.2); where one key is missing, with the other one. */
function both({ secret, apiKey }: Keys): SenderKeys {
  return { secret: (secret ?? apiKey)!, apiKey: (apiKey ?? secret)! }
}

function milliseconds(flag: string, text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : NaN
  if (value <= LONGEST_PACE_MS) return value
  throw new UsageError(
    `${flag} must be a whole number of milliseconds, at most ${LONGEST_PACE_MS}, and is ${JSON.stringify(text)}.`,
  )
}
