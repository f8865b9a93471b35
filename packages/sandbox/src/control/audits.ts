import { GROUPS } from '@service-signature/audit/groups'
import Type from 'typebox'
import { success } from '../http/envelope.js'
import { byId, operation, type App } from '../http/operation.js'
import { invalid, unknown } from '../model/refusal.js'
import { exactly, oneOf, text } from '../schema.js'
import type { Service } from '../service.js'
import { auditSchema, viewAudit } from './kinds/audits.js'

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
      if (account !== undefined && service.store.get('account', account) === undefined) {
        throw invalid('account', 'Account not found')
      }
      const owner = { ...(account !== undefined && { account }), ...(live !== undefined && { live }) }
      const { id } = await service.audits.start(url, { ...owner, ...(groups && { groups }) })
      return success({ id })
    },
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
      if (service.store.get('audit', params.id) === undefined) throw unknown('id', 'Audit not found')
      await service.audits.cancel(params.id)
      return success(viewAudit(service.store.get('audit', params.id)!))
    },
  )
}
