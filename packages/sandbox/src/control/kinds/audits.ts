import type { CaseResult } from '@service-signature/audit'
import { GROUPS } from '@service-signature/audit/groups'
import Type, { type Static } from 'typebox'
import { isoTimestamp } from '../../events/timestamps.js'
import { exactly, oneOf, orNull, ref, text, textOrNull, whole } from '../../schema.js'
import type { Audit } from '../../store/records.js'
import type { Kind } from './kind.js'

const auditCase = exactly({
  group: oneOf(GROUPS),
  name: Type.String({ description: 'Unique' }),
  title: Type.String({ description: 'What is sent' }),
  outcome: oneOf(['passed', 'failed', 'not-run']),
  expected: Type.String({ description: 'What a correct endpoint answers' }),
  got: Type.String({ description: 'What this one answered; empty if the case was not run' }),
  cost: Type.String({ description: 'What a failure costs' }),
  fix: Type.String({ description: 'What to change' }),
})

export const auditSchema = exactly(
  {
    id: text,
    url: text,
    started: text,
    ended: textOrNull,
    state: oneOf(['running', 'done', 'stopped', 'cancelled']),
    problem: orNull(text, { description: 'Why it stopped early' }),
    done: whole,
    total: whole,
    passed: whole,
    failed: whole,
    cases: Type.Array(auditCase),
  },
  { $id: 'Audit' },
)

/** Audits of endpoints. */
export const audits: Kind<Audit> = {
  title: 'Audit',
  list: {
    id: 'listAudits',
    path: '/audits/',
    summary: 'The audits, newest first',
    schema: ref(auditSchema),
  },
  detail: {
    id: 'getAudit',
    path: '/audits/:id/',
    summary: 'An audit with all its cases, while it runs and after that',
    schema: ref(auditSchema),
  },
  newestFirst: ({ store }) => store.newestFirst('audit'),
  find: ({ store }, id) => store.get('audit', id),
  filters: {},
  searched: 'the address',
  textsOf: ({ url }) => [url],
  viewer: () => viewAudit,
  viewDetail: (_service, _url, audit) => viewAudit(audit),
}

export function viewAudit(audit: Audit): Static<typeof auditSchema> {
  const { id, url, started, ended, state, problem, cases } = audit
  const count = (wanted: CaseResult['outcome']) => cases.filter(({ outcome }) => outcome === wanted).length
  const [passed, failed] = [count('passed'), count('failed')]
  return {
    id,
    url,
    started: isoTimestamp(started),
    ended: ended === undefined ? null : isoTimestamp(ended),
    state,
    problem,
    done: passed + failed,
    total: cases.length,
    passed,
    failed,
    cases: cases.map(viewCase),
  }
}

function viewCase({ group, name, title, outcome, expected, got, cost, fix }: CaseResult) {
  return { group, name, title, outcome, expected, got, cost, fix }
}
