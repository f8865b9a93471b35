import type { FastifyInstance } from 'fastify'
import { forOrganization } from '../http/auth.js'
import { page, success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation, pageQuery } from '../http/operation.js'
import { conflict } from '../model/refusal.js'
import { addAccount } from '../model/state.js'
import type { Service } from '../service.js'
import { viewAccount, viewNewAccount } from '../views/account.js'

const PATH = '/api/v1.4/accounts/'

/** Accounts and keys are never forgotten, so their number is limited instead. */
const MAX_ACCOUNTS = 1000

const accountBody = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1, maxLength: 255 } },
  required: ['name'],
} as const

/** The accounts of the organization (S2.5, S4.4, S5.1). */
export function accounts(app: FastifyInstance, service: Service): void {
  const onRequest = forOrganization(service)

  app.post<{ Body: Infer<typeof accountBody> }>(
    PATH,
    {
      onRequest,
      schema: operation({
        summary: 'Create an account, with its first key',
        isOwn: true,
        key: 'organization',
        body: accountBody,
        data: { $ref: 'NewAccount#' },
        refusals: [409],
      }),
    },
    ({ body }) => {
      const { state } = service.stage
      if (state.accounts.size >= MAX_ACCOUNTS)
        throw conflict('name', `is one account too many: ${MAX_ACCOUNTS} exist`)
      const { account, key } = addAccount(state, body.name)
      service.changes.announce('account', account.id)
      return success(viewNewAccount(account, key))
    },
  )

  app.get<{ Querystring: Infer<typeof pageQuery> }>(
    PATH,
    {
      onRequest,
      schema: operation({
        summary: 'The accounts of the organization',
        isOwn: true,
        key: 'organization',
        query: pageQuery,
        data: { $ref: 'Account#' },
        isList: true,
      }),
    },
    ({ query, origin }) =>
      page([...service.stage.state.accounts.values()], viewAccount, origin + PATH, query),
  )
}
