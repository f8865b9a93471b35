import Type, { type Static } from 'typebox'
import { withKey } from '../accounts/access.js'
import { answer } from '../accounts/answer.js'
import { isSameScope } from '../accounts/records.js'
import { cardTokensOf } from '../cards/cards.js'
import { cardTokenSchema, viewCardToken } from '../cards/routes.js'
import type { Model } from '../faults/faults.js'
import { page, success } from '../http/envelope.js'
import { byId, Operations, pageQuery, type App } from '../http/operation.js'
import { exactly, flag, orNull, text, textOrNull } from '../http/schema.js'
import { createCustomer, CUSTOMERS, customFieldsOf, getCustomer, type Customer } from './customers.js'

const PATH = '/api/v1.4/customers/'

const customerBody = Type.Object({
  first_name: Type.Optional(Type.String()),
  last_name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  phone_number: Type.Optional(Type.String()),
  custom_fields: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

export const customerSchema = exactly(
  {
    id: text,
    first_name: textOrNull,
    last_name: textOrNull,
    email: textOrNull,
    phone_number: textOrNull,
    custom_fields: orNull(Type.Object({})),
    card_tokens: Type.Array(text, { description: 'The ids of its saved cards' }),
    is_live: flag,
    created: text,
  },
  { $id: 'Customer' },
)

export function viewCustomer(model: Model, customer: Customer): Static<typeof customerSchema> {
  const cards = cardTokensOf(model, customer.id)
  return answer(
    customerSchema,
    { ...customer.details, ...customer },
    { custom_fields: customFieldsOf(customer), card_tokens: cards.map(({ id }) => id) },
  )
}

/** Customers, and their saved cards. */
export function customers(app: App, model: Model): void {
  const operations = new Operations(app, withKey('account', model))

  operations.add(
    `POST ${PATH}`,
    { id: 'createCustomer', summary: 'Create a customer', body: customerBody, data: customerSchema },
    ({ body, maker }) => success(viewCustomer(model, createCustomer(model, maker.scope, body))),
  )

  operations.add(
    `GET ${PATH}`,
    {
      id: 'listCustomers',
      summary: 'The customers of the account and mode',
      query: pageQuery,
      items: customerSchema,
    },
    (request) => {
      const { scope } = request.maker
      const own = model.store.list(CUSTOMERS).filter((customer) => isSameScope(customer.scope, scope))
      return page(request, own, (customer) => viewCustomer(model, customer))
    },
  )

  operations.add(
    `GET ${PATH}:id/`,
    { id: 'getCustomer', summary: 'A customer', params: byId, data: customerSchema },
    ({ params, maker }) => success(viewCustomer(model, getCustomer(model, maker.scope, params.id, 'id'))),
  )

  operations.add(
    `GET ${PATH}:id/cards/`,
    {
      id: 'listCustomerCards',
      summary: 'The saved cards of a customer',
      params: byId,
      query: pageQuery,
      items: cardTokenSchema,
    },
    (request) => {
      const { id } = getCustomer(model, request.maker.scope, request.params.id, 'id')
      return page(request, cardTokensOf(model, id), viewCardToken)
    },
  )
}
