import type { AuditReport, CaseResult } from '@service-signature/audit'
import { GROUPS } from '@service-signature/audit/groups'
import Type from 'typebox'
import { verdictOf } from '../deliveries/verdict.js'
import { Operations, type App } from '../http/operation.js'
import { firstKeys, organizationOf, signingKey } from '../accounts/organization.js'
import { invalid } from '../http/refusal.js'
import { exactly, oneOf, optionalFlag } from '../http/schema.js'
import type { Service } from '../deliveries/sending.js'
import type { Scope } from '../accounts/records.js'
import { DELIVERIES } from '../deliveries/records.js'

/** A line of the answer. */
export type AuditLine =
  /** The first one: all cases in their order, none of them run. */
  | { readonly cases: readonly CaseResult[] }
  /** After each case. */
  | { readonly result: CaseResult }
  /** The last one. */
  | { readonly report: AuditReport; readonly html: string; readonly junit: string }
  /** The last one, if the audit itself has failed. */
  | { readonly fault: string }

const auditBody = exactly({
  url: Type.String({ description: 'The address of the endpoint' }),
  groups: Type.Optional(Type.Array(oneOf(GROUPS), { minItems: 1, description: 'Default: all' })),
  survives: optionalFlag('Also the group "survives", which books 1,000 payments'),
})

/** Audits an endpoint: valid and hostile deliveries, and what a correct endpoint would have answered. */
export function audits(app: App, service: Service): void {
  new Operations(app).add(
    'POST /audits/',
    {
      id: 'auditEndpoint',
      summary: 'Audit an endpoint. The answer ends with the audit; to hang up cancels it',
      body: auditBody,
      file: {
        description:
          'Lines of JSON: { "cases": [...] }, a { "result": ... } for each, and { "report", "html", "junit" }',
        content: { 'application/x-ndjson': { schema: { type: 'string' } } },
      },
    },
    async ({ body, isTrusted }, reply) => {
      const { url, groups = GROUPS, survives = false } = body
      service.targets.check(url, { isTrusted }, 'url')
      // What it survives depends on whose it is. Otherwise an endpoint of any account and mode passes.
      const { accountId, isLive } = scopeOf(service, url)
      const selection = { groups, survives, ...(survives && { account: accountId, live: isLive }) }
      // Loaded on the first use: most sandboxes are started by tests, which never ask for it.
      const { audit, formatHtml, formatJunit, listCases } = await import('@service-signature/audit')
      const cases = listCases(selection)
      if (cases.length === 0) throw invalid('groups', 'has only "survives", which needs "survives"')

      const { raw } = reply.hijack()
      const controller = new AbortController()
      raw.once('close', () => controller.abort())
      raw.writeHead(200, {
        'Content-Type': 'application/x-ndjson',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      })
      const write = (line: AuditLine) => raw.write(`${JSON.stringify(line)}\n`)
      write({ cases })
      try {
        const report = await audit(url, {
          ...selection,
          secret: organizationOf(service).secret,
          apiKey: signingKey(service, { accountId, isLive }, undefined),
          now: service.now,
          // The sandbox decides itself where its deliveries may go.
          allowRemote: true,
          lookup: service.targets.lookup,
          signal: controller.signal,
          onCase: (result) => write({ result }),
        })
        write({ report, html: formatHtml(report), junit: formatJunit(report) })
      } catch (error) {
        service.settings.logger(`audit ${String(error)}`)
        write({ fault: 'The audit itself has failed. The log of the sandbox says why.' })
      }
      raw.end()
    },
  )
}

/** Whose events the endpoint accepts: those of the newest valid delivery that it did, or else of the first account in test mode. */
function scopeOf(service: Service, url: string): Scope {
  const accepted = service.store
    .newestFirst(DELIVERIES)
    .find((each) => each.url === url && each.attempts.some((attempt) => verdictOf(attempt) === 'accepted'))
  return accepted?.scope ?? { accountId: firstKeys(service).accountKey.accountId, isLive: false }
}
