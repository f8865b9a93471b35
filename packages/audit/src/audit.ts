import type { Version } from '@service-signature/core'
import { numberOption, ownOptions } from '@service-signature/core/shared/check-options'
import { checkKey } from '@service-signature/core/signature/keys'
import type { CaseResult } from './cases/audit-case.js'
import { AuditRun } from './run/audit-run.js'
import { selectCases, type Selection } from './cases/cases.js'
import { conclusionOf, withOneFix } from './report/conclusion.js'
import { GROUPS, type Group } from './cases/groups.js'
import type { AuditReport } from './report/report.js'
import { Sender, type SenderKeys } from './send/sender.js'
import { clockNote } from './run/stop.js'
import { findTarget, type TargetOptions } from './send/target.js'

export interface AuditOptions extends Selection, TargetOptions {
  /** The signing secret of the endpoint, for v2 and v3. */
  readonly secret?: string
  /** The account API key, for v1. Without it, v1 is signed with the secret. */
  readonly apiKey?: string
  /** How long a delivery may take, its answer included. Default: 10. */
  readonly timeoutSeconds?: number
  /** The pause before each case. Default: 20, and 0 on this machine. */
  readonly paceMs?: number
  /** How many cases may run at the same time. Default: 1. */
  readonly concurrency?: number
  /** Cancels the audit, which then resolves with what it has found so far. */
  readonly signal?: AbortSignal
  /** Called after each case. */
  readonly onCase?: (result: CaseResult) => void
  /** The clock, in milliseconds. Default: `Date.now`. */
  readonly now?: () => number
}

const OPTIONS = [
  'secret',
  'apiKey',
  'versions',
  'groups',
  'only',
  'survives',
  'account',
  'live',
  'timeoutSeconds',
  'paceMs',
  'concurrency',
  'signal',
  'onCase',
  'now',
  'allowRemote',
  'lookup',
] as const satisfies readonly (keyof AuditOptions)[]

const PACE_MS = 20
const VERSIONS = ['v1', 'v2', 'v3'] as const satisfies readonly Version[]
// A timer with a longer delay fires at once.
const MAX_TIMEOUT_SECONDS = 3600
const MAX_PACE_MS = 60_000
const MAX_CONCURRENCY = 32

/**
 * Sends valid and hostile deliveries to an endpoint, and reports which answers are not those of a correct endpoint. The
 * endpoint handles the valid ones, so audit one that has no customers.
 *
 * It ends early if the endpoint gives no answer or refuses valid deliveries: `report.problem` says so.
 *
 * @example
 * const report = await audit('http://localhost:3000/webhooks', { secret: process.env.WEBHOOK_SECRET })
 * console.log(formatText(report))
 *
 * @throws {TypeError | RangeError} on an option that is misspelled, missing or out of bounds
 * @throws {AuditTargetError} on an address that must not be audited
 */
export async function audit(url: string | URL, options: AuditOptions): Promise<AuditReport> {
  const own = ownOptions(options, OPTIONS, 'audit')
  const { now = Date.now, signal = new AbortController().signal, onCase = () => undefined } = own
  const versions = checkNames('versions', VERSIONS, own.versions ?? ['v3'])
  const groups = checkNames('groups', GROUPS, own.groups ?? GROUPS)
  checkOwner(own)
  checkFlag('survives', own.survives)
  const cases = selectCases({ ...own, versions, groups })
  if (cases.length === 0) throw new RangeError(noCase(own))
  const keys = checkKeys(own, versions)
  const timeoutSeconds = numberOption(own, 'timeoutSeconds', 10, {
    above: 0,
    max: MAX_TIMEOUT_SECONDS,
  })
  const concurrency = numberOption(own, 'concurrency', 1, {
    above: 0,
    max: MAX_CONCURRENCY,
    isWhole: true,
  })
  const pace = own.paceMs === undefined ? undefined : numberOption(own, 'paceMs', 0, { max: MAX_PACE_MS })
  const target = await findTarget(String(url), own)
  const paceMs = pace ?? (target.isLoopback ? 0 : PACE_MS)

  const started = new Date(now()).toISOString()
  const sender = new Sender(keys, versions, own, now)
  const run = new AuditRun({ target, sender, cases, paceMs, timeoutSeconds, concurrency, signal, onCase })
  await run.run()
  return {
    url: target.shown,
    versions,
    started,
    ended: new Date(now()).toISOString(),
    ...resultOf(run, { ...own, groups, signal }),
  }
}

type Result = Omit<AuditReport, 'url' | 'versions' | 'started' | 'ended'>

function resultOf(
  { stop, results, notes, clockAheadSeconds }: AuditRun,
  options: AuditOptions & { readonly groups: readonly Group[]; readonly signal: AbortSignal },
): Result {
  const conclusion = stop === undefined ? conclusionOf(results) : null
  const cases = withOneFix(results, conclusion)
  const count = (wanted: CaseResult['outcome']) => cases.filter(({ outcome }) => outcome === wanted).length
  const isCancelled = stop === undefined && options.signal.aborted && count('not-run') > 0
  const clock = clockNote(clockAheadSeconds)
  const isV1Guessed = options.apiKey === undefined && cases.some(({ group }) => group === 'downgrade')
  const remarks = [
    ...(isV1Guessed ? [NO_API_KEY] : []),
    ...(cases.some(isSurvival) ? [BOOKINGS] : []),
    ...uncheckedOwner(options),
    ...(clock === undefined ? [] : [clock]),
  ]
  return {
    state: stop !== undefined ? 'stopped' : isCancelled ? 'cancelled' : 'done',
    reason: stop?.reason ?? null,
    problem: stop?.problem ?? null,
    conclusion,
    total: cases.length,
    passed: count('passed'),
    failed: count('failed'),
    notes: [...notes, ...(stop === undefined ? remarks : [])],
    cases,
  }
}

/** `"account", "live" and "survives"` */
const LIST = new Intl.ListFormat('en-GB')

const BOOKINGS =
  'Look for the orders "audit-copies-..", "audit-lost-.." and "audit-late-.." in your bookings: no answer shows whether each was booked once.'

function isSurvival({ group, outcome, name }: CaseResult): boolean {
  return group === 'survives' && outcome !== 'not-run' && !name.startsWith('other ')
}

const NO_API_KEY =
  'No API key was given, so v1 was signed with the secret: an endpoint that falls back to v1 may have gone unnoticed.'

/** What was not checked about whose delivery it is, because the audit does not know whose the endpoint is. */
function uncheckedOwner({
  account,
  live,
  survives = false,
  groups,
  only,
}: AuditOptions & { readonly groups: readonly Group[] }) {
  const sent = {
    'another account': survives && account !== undefined,
    'the other mode': survives && live !== undefined,
  }
  const unchecked = Object.entries(sent).flatMap(([name, isSent]) => (isSent ? [] : name))
  if (unchecked.length === 0 || only !== undefined || !groups.includes('survives')) return []
  const missing = { account, live, survives: survives || undefined }
  const options = Object.entries(missing).flatMap(([name, value]) => (value === undefined ? `"${name}"` : []))
  return [
    `Not checked: whether the endpoint refuses genuine events of ${unchecked.join(' and of ')}, which have ` +
      `the same secret. Set ${LIST.format(options)}.`,
  ]
}

function noCase({ only }: AuditOptions): string {
  return only === undefined
    ? 'The group "survives" needs "survives": it books 1,000 payments'
    : `No case of the groups has ${JSON.stringify(only)} in its name`
}

/** @throws {TypeError} on a value of another kind */
function checkOwner({ account, live }: { readonly account?: unknown; readonly live?: unknown }): void {
  if (account !== undefined && (typeof account !== 'string' || account === '')) {
    throw new TypeError(`"account" must be a non-empty string, got ${JSON.stringify(account)}`)
  }
  checkFlag('live', live)
}

/** @throws {TypeError} on a value of another kind */
function checkFlag(option: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean') {
    throw new TypeError(`"${option}" must be a boolean, got ${JSON.stringify(value)}`)
  }
}

/** @throws {TypeError} on a name that is unknown, and on a list that is empty */
function checkNames<Name extends string>(
  option: string,
  known: readonly Name[],
  given: readonly Name[],
): readonly Name[] {
  // As unknown, because Array.isArray() would narrow the list to any[].
  const names: unknown = given
  if (!Array.isArray(names) || names.length === 0) {
    throw new TypeError(`"${option}" must list one or more of ${known.join(', ')}`)
  }
  const unknown = given.find((name) => !known.includes(name))
  if (unknown === undefined) return known.filter((name) => given.includes(name))
  throw new TypeError(
    `"${option}" contains an unknown name ${JSON.stringify(unknown)}; expected one or more of ${known.join(', ')}`,
  )
}

/**
 * Every version is signed, as the payment service does; if one key is not given, with the other one.
 *
 * @throws {TypeError} if the key of a required version is missing
 */
function checkKeys({ secret, apiKey }: AuditOptions, versions: readonly Version[]): SenderKeys {
  if (secret === undefined && versions.some((version) => version !== 'v1')) {
    throw new TypeError('"secret" is missing: v2 and v3 are signed with it')
  }
  if (apiKey === undefined && versions.includes('v1')) {
    throw new TypeError('"apiKey" is missing: v1 is signed with it')
  }
  // Otherwise the first message would name the key of v1.
  if (secret !== undefined) checkKey(secret, 'secret')
  return { secret: (secret ?? apiKey)!, apiKey: (apiKey ?? secret)! }
}
