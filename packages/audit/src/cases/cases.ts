import type { Version } from '@service-signature/core'
import { notRun, type AuditCase, type CaseResult, type GroupedCase } from './audit-case.js'
import { GROUPS, type Group } from './groups.js'
import type { Owner } from '../send/sender.js'
import { answers } from './answers.js'
import { body, odd } from './body.js'
import { keys, unsigned } from './forged.js'
import { genuine } from './genuine.js'
import { header } from './header.js'
import { survives } from './survives.js'
import { tampered } from './tampered.js'
import { downgrade, time } from './time.js'

const CASES_OF: Readonly<Record<Group, readonly AuditCase[]>> = {
  genuine,
  unsigned,
  keys,
  tampered,
  time,
  downgrade,
  header,
  body,
  odd,
  answers,
  survives,
}

/** All cases in their order: valid deliveries, then those that would be the worst to accept. */
export const CASES: readonly GroupedCase[] = GROUPS.flatMap((group) =>
  CASES_OF[group].map((row) => ({ ...row, group })),
)

/** The two valid deliveries that open an audit: a transaction event and an intent event. */
export const OPENING: readonly GroupedCase[] = CASES.slice(0, 2)

/** Which cases are sent. */
export interface Selection extends Owner {
  /** The versions that the endpoint requires, all of them. Default: `['v3']`. */
  readonly versions?: readonly Version[]
  /** Only the cases of these groups. Default: all groups. */
  readonly groups?: readonly Group[]
  /** Only the cases with this text in their name. */
  readonly only?: string
  /** Also the group "survives", which books 1,000 payments, and waits 11 s in all. Default: false. */
  readonly survives?: boolean
}

export function selectCases({
  versions = ['v3'],
  groups = GROUPS,
  only = '',
  survives: isSurvivalAsked = false,
  ...owner
}: Selection): readonly GroupedCase[] {
  const text = only.toLowerCase()
  return CASES.filter(
    ({ group, name, isFor }) =>
      groups.includes(group) &&
      (isSurvivalAsked || group !== 'survives') &&
      name.toLowerCase().includes(text) &&
      isFor?.(versions, owner) !== false,
  )
}

/** The cases that an audit with these options would send, none of them run. */
export function listCases(selection: Selection = {}): readonly CaseResult[] {
  return selectCases(selection).map(notRun)
}
