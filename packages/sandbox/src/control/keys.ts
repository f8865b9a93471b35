import type { FastifyInstance } from 'fastify'
import { success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation } from '../http/operation.js'
import { masked } from '../model/keys.js'
import { conflict, invalid, unknown } from '../model/refusal.js'
import type { Service } from '../service.js'
import { viewKey } from '../views/account.js'

/** Keys are never forgotten, so their number is limited instead. */
const MAX_KEYS = 2000

const keyBody = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['account', 'organization'] },
    account: { type: 'string', description: 'Default: the first account' },
  },
  required: ['type'],
  additionalProperties: false,
} as const

/** What the dashboard does with keys (S5.1, S5.4), and with the signing secret. */
export function keys(app: FastifyInstance, service: Service): void {
  app.post<{ Body: Infer<typeof keyBody> }>(
    '/keys/',
    {
      schema: operation({
        summary: 'Make a key; that of an account comes with its public key. It is not shown again',
        isOwn: true,
        body: keyBody,
        data: { $ref: 'Key#' },
        refusals: [409],
      }),
    },
    ({ body: { type, account } }) => {
      const { keys, accounts, first } = service.stage.state
      if (type === 'organization' && account !== undefined) {
        throw invalid('account', 'is not for a key of the organization')
      }
      const accountId = account ?? first.accountId
      if (!accounts.has(accountId)) throw invalid('account', 'Account not found')
      if (keys.list().length >= MAX_KEYS) throw conflict('type', `is one key too many: ${MAX_KEYS} exist`)
      const key = type === 'account' ? keys.createForAccount(accountId) : keys.createForOrganization()
      service.changes.announce('key', key.id)
      return success(viewKey(key, (value) => value))
    },
  )

  app.post<{ Params: { id: string } }>(
    '/keys/:id/revoke/',
    {
      schema: operation({ summary: 'Revoke a key', isOwn: true, data: { $ref: 'Key#' } }, 'id'),
    },
    ({ params }) => {
      const key = service.stage.state.keys.get(params.id)
      if (key === undefined) throw unknown('id', 'Key not found')
      key.isRevoked = true
      service.changes.announce('key', key.id)
      return success(viewKey(key))
    },
  )

  app.post(
    '/secret/rotate/',
    {
      schema: operation({
        summary: 'Replace the signing secret; the new one is shown where S4.2 shows it',
        isOwn: true,
        data: {
          type: 'object',
          properties: { webhook_signature_secret: { type: 'string', description: 'Masked' } },
          required: ['webhook_signature_secret'],
          additionalProperties: false,
        },
      }),
    },
    () => {
      const { organization, random } = service.stage.state
      organization.secret = random.key('signing_secret')
      service.changes.announce('secret')
      return success({ webhook_signature_secret: masked(organization.secret) })
    },
  )
}
