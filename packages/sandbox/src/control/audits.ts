import type { CaseResult } from '@service-signature/audit'
import { GROUPS } from '@service-signature/audit/groups'
import Type, { type Static } from 'typebox'
import { AUDITS, type Audit } from '../audits.js'
import { success } from '../http/envelope.js'
import { sendFile } from '../http/file-answer.js'
import { byId, Operations, type App } from '../http/operation.js'
import { invalid, unknown } from '../model/refusal.js'
import {
  exactly,
  oneOf,
  optionalFlag,
  optionalText,
  orNull,
  ref,
  text,
  textOrNull,
  whole,
} from '../schema.js'
import type { Service } from '../service.js'
import { ACCOUNTS } from '../store/records.js'
import { recordsOf, type Kind } from './kinds/kind.js'
import { isoTimestamp } from '../clock.js'

const auditCase = exactly({
  group: oneOf(GROUPS),
  name: Type.String({ description: 'Unique' }),
  title: Type.String({ description: 'What is sent' }),
  outcome: oneOf(['passed', 'failed', 'not-run']),
  weakness: orNull(oneOf(['accepts', 'loses', 'leaks', 'fails']), { description: 'How it failed' }),
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
    conclusion: orNull(text, { description: 'What most matters of what failed, in one sentence' }),
    done: whole,
    total: whole,
    passed: whole,
    failed: whole,
    cases: Type.Array(auditCase),
  },
  { $id: 'Audit' },
)

const auditBody = exactly({
  url: Type.String({ description: 'The address of the endpoint' }),
  groups: Type.Optional(Type.Array(oneOf(GROUPS), { minItems: 1, description: 'Default: all' })),
  account: optionalText('The account of the endpoint, which must refuse events of another'),
  is_live: optionalFlag('The mode of the endpoint, which must refuse events of the other'),
})

/** Audits of endpoints. */
export const auditKind: Kind<Audit> = {
  title: 'Audit',
  list: {
    id: 'listAudits',
    path: '/audits/',
    summary: 'The audits, newest first',
    data: ref(auditSchema),
  },
  detail: {
    id: 'getAudit',
    path: '/audits/:id/',
    summary: 'An audit with all its cases, while it runs and after that',
    data: ref(auditSchema),
  },
  ...recordsOf(AUDITS),
  filters: {},
  searched: 'the address',
  textsOf: ({ url }) => [url],
  viewer: () => viewAudit,
  viewDetail: (_service, _url, audit) => viewAudit(audit),
}

/** Audits of endpoints: valid and hostile deliveries, and what a correct endpoint would have answered. */
export function audits(app: App, service: Service): void {
  const operations = new Operations(app)

  operations.add(
    'POST /audits/',
    {
      id: 'startAudit',
      summary: 'Start an audit of an endpoint; one at a time for an address',
      body: auditBody,
      data: exactly({ id: text }),
      refusals: [409],
    },
    async ({ body, isTrusted }) => {
      const { url, groups, account, is_live: live } = body
      service.targets.check(url, { isTrusted }, 'url')
      if (account !== undefined && service.store.get(ACCOUNTS, account) === undefined) {
        throw invalid('account', 'Account not found')
      }
      const owner = { ...(account !== undefined && { account }), ...(live !== undefined && { live }) }
      const { id } = await service.audits.start(url, { ...owner, ...(groups && { groups }) })
      return success({ id })
    },
  )

  operations.add(
    'GET /audits/:id/report/',
    {
      id: 'exportAudit',
      summary: 'The report of an audit that has ended, as one file',
      params: byId,
      query: Type.Object({
        format: Type.Optional(oneOf(['html', 'junit'], { description: 'Default: html' })),
      }),
      file: {
        description: 'HTML, or JUnit XML',
        content: {
          'text/html': { schema: { type: 'string' } },
          'application/xml': { schema: { type: 'string' } },
        },
      },
    },
    async ({ params, query }, reply) => {
      const report = service.store.get(AUDITS, params.id)?.report
      if (report === undefined)
        throw unknown('id', 'Report not found', 'There is no such audit, or it has not ended.')
      const { formatHtml, formatJunit } = await import('@service-signature/audit')
      return query.format === 'junit'
        ? sendFile(reply, `${params.id}.xml`, formatJunit(report))
        : sendFile(reply, `${params.id}.html`, formatHtml(report))
    },
  )

  operations.add(
    'POST /audits/:id/cancel/',
    {
      id: 'cancelAudit',
      summary: 'End an audit; one that has ended stays as it is',
      params: byId,
      data: auditSchema,
    },
    async ({ params }) => {
      if (service.store.get(AUDITS, params.id) === undefined) throw unknown('id', 'Audit not found')
      await service.audits.cancel(params.id)
      return success(viewAudit(service.store.get(AUDITS, params.id)!))
    },
  )
}

function viewAudit(audit: Audit): Static<typeof auditSchema> {
  const { id, url, started, ended, state, problem, report, cases } = audit
  const count = (wanted: CaseResult['outcome']) => cases.filter(({ outcome }) => outcome === wanted).length
  const [passed, failed] = [count('passed'), count('failed')]
  return {
    id,
    url,
    started: isoTimestamp(started),
    ended: ended === undefined ? null : isoTimestamp(ended),
    state,
    problem,
    conclusion: report?.conclusion ?? null,
    done: passed + failed,
    total: cases.length,
    passed,
    failed,
    cases: cases.map(viewCase),
  }
}

function viewCase({ group, name, title, outcome, weakness, expected, got, cost, fix }: CaseResult) {
  return { group, name, title, outcome, weakness, expected, got, cost, fix }
}
