import type { CaseResult, Group } from '@service-signature/audit'
import Type, { type Static } from 'typebox'
import type { Audit } from '../audits.js'
import { isoTimestamp } from '../events/timestamps.js'
import { page, success } from '../http/envelope.js'
import { byId, operation, pageQuery, type App } from '../http/operation.js'
import { invalid, unknown } from '../model/refusal.js'
import { exactly, oneOf, orNull, text, textOrNull, whole } from '../schema.js'
import type { Service } from '../service.js'

// The package is loaded on the first use, so its list is repeated here.
const GROUPS = [
  'genuine',
  'unsigned',
  'keys',
  'owner',
  'tampered',
  'time',
  'downgrade',
  'header',
  'body',
  'odd',
  'answers',
] as const satisfies readonly Group[]

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

const auditBody = exactly({
  url: Type.String({ description: 'The address of the endpoint' }),
  groups: Type.Optional(Type.Array(oneOf(GROUPS), { minItems: 1, description: 'Default: all' })),
  account: Type.Optional(
    Type.String({ description: 'The account of the endpoint, which must refuse events of another' }),
  ),
  is_live: Type.Optional(
    Type.Boolean({ description: 'The mode of the endpoint, which must refuse events of the other' }),
  ),
})

/** Audits of endpoints: valid and hostile deliveries, and what a correct endpoint would have answered. */
export function audits(app: App, service: Service): void {
  app.post(
    '/audits/',
    {
      schema: operation({
        id: 'startAudit',
        summary: 'Start an audit of an endpoint; one at a time for an address',
        isOwn: true,
        body: auditBody,
        data: exactly({ id: text }),
        refusals: [409],
      }),
    },
    async ({ body }) => {
      const { url, groups, account, is_live: live } = body
      service.targets.check(url, 'url')
      if (account !== undefined && !service.state.accounts.has(account)) {
        throw invalid('account', 'Account not found')
      }
      const owner = { ...(account !== undefined && { account }), ...(live !== undefined && { live }) }
      const { id } = await service.audits.start(url, { ...owner, ...(groups && { groups }) })
      return success({ id })
    },
  )

  app.get(
    '/audits/',
    {
      schema: operation({
        id: 'listAudits',
        summary: 'The audits, newest first',
        isOwn: true,
        query: pageQuery,
        data: auditSchema,
        isList: true,
      }),
    },
    ({ query, origin }) => page(service.audits.list(), viewAudit, `${origin}/_sandbox/audits/`, query),
  )

  app.get(
    '/audits/:id/',
    {
      schema: operation({
        id: 'getAudit',
        summary: 'An audit with all its cases, while it runs and after that',
        isOwn: true,
        params: byId,
        data: auditSchema,
      }),
    },
    ({ params }) => success(viewAudit(getAudit(service, params.id))),
  )

  app.post(
    '/audits/:id/cancel/',
    {
      schema: operation({
        id: 'cancelAudit',
        summary: 'End an audit; one that has ended stays as it is',
        isOwn: true,
        params: byId,
        data: auditSchema,
      }),
    },
    async ({ params }) => {
      getAudit(service, params.id)
      await service.audits.cancel(params.id)
      return success(viewAudit(getAudit(service, params.id)))
    },
  )
}

/** @throws {Refusal} if the id does not exist */
function getAudit({ audits }: Service, id: string): Audit {
  const audit = audits.get(id)
  if (audit === undefined) throw unknown('id', 'Audit not found', 'There is no audit with this id.')
  return audit
}

function viewAudit({ id, url, started, ended, state, problem, cases }: Audit): Static<typeof auditSchema> {
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
