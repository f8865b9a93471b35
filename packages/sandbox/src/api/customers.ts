import type { FastifyInstance } from 'fastify'
import { forAccount } from '../http/auth.js'
import { page, success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation, pageQuery } from '../http/operation.js'
import { cardTokensOf } from '../model/card-tokens.js'
import { createCustomer, findCustomer } from '../model/customers.js'
import { isSameScope, type Customer, type Scope } from '../model/entities.js'
import { unknown } from '../model/refusal.js'
import type { State } from '../model/state.js'
import type { Service } from '../service.js'
import { viewCardToken } from '../views/card-token.js'
import { viewCustomer } from '../views/customer.js'

const PATH = '/api/v1.4/customers/'

const customerBody = {
  type: 'object',
  properties: {
    first_name: { type: 'string' },
    last_name: { type: 'string' },
    email: { type: 'string' },
    phone_number: { type: 'string' },
    custom_fields: { type: 'object' },
  },
} as const

/** Customers, and their saved cards (S2.3, S4.4). */
export function customers(app: FastifyInstance, service: Service): void {
  const onRequest = forAccount(service)

  app.post<{ Body: Infer<typeof customerBody> }>(
    PATH,
    {
      onRequest,
      schema: operation({
        summary: 'Create a customer',
        isOwn: true,
        key: 'account',
        body: customerBody,
        data: { $ref: 'Customer#' },
      }),
    },
    ({ body: { first_name, last_name, email, phone_number, custom_fields }, maker }) => {
      const customer = createCustomer(service.stage.state, maker.scope, {
        ...(first_name !== undefined && { first_name }),
        ...(last_name !== undefined && { last_name }),
        ...(email !== undefined && { email }),
        ...(phone_number !== undefined && { phone_number }),
        ...(custom_fields !== undefined && { custom_fields }),
      })
      service.changes.announce('customer', customer.id)
      return success(viewCustomer(customer))
    },
  )

  app.get<{ Querystring: Infer<typeof pageQuery> }>(
    PATH,
    {
      onRequest,
      schema: operation({
        summary: 'The customers of the account and mode',
        isOwn: true,
        key: 'account',
        query: pageQuery,
        data: { $ref: 'Customer#' },
        isList: true,
      }),
    },
    ({ query, maker, origin }) => {
      const all = [...service.stage.state.customers.values()]
      const own = all.filter(({ scope }) => isSameScope(scope, maker.scope))
      return page(own, viewCustomer, origin + PATH, query)
    },
  )

  app.get<{ Params: { id: string } }>(
    `${PATH}:id/`,
    {
      onRequest,
      schema: operation(
        { summary: 'A customer', isOwn: true, key: 'account', data: { $ref: 'Customer#' } },
        'id',
      ),
    },
    ({ params, maker }) => success(viewCustomer(getCustomer(service.stage.state, maker.scope, params.id))),
  )

  app.get<{ Params: { id: string }; Querystring: Infer<typeof pageQuery> }>(
    `${PATH}:id/cards/`,
    {
      onRequest,
      schema: operation(
        {
          summary: 'The saved cards of a customer',
          isOwn: true,
          key: 'account',
          query: pageQuery,
          data: { $ref: 'CardToken#' },
          isList: true,
        },
        'id',
      ),
    },
    ({ params, query, maker, origin }) => {
      const { state } = service.stage
      const { id } = getCustomer(state, maker.scope, params.id)
      return page(cardTokensOf(state, id), viewCardToken, `${origin}${PATH}${id}/cards/`, query)
    },
  )
}

function getCustomer(state: State, scope: Scope, id: string): Customer {
  const customer = findCustomer(state, scope, id)
  if (customer === undefined) throw unknown('id', 'Customer not found')
  return customer
}
