import Type, { type Static } from 'typebox'
import { withKey } from '../accounts/access.js'
import { page, success } from '../http/envelope.js'
import { byId, Operations, pageQuery, type App } from '../http/operation.js'
import type { Intent, Transaction } from '../intents/records.js'
import type { Scope } from '../accounts/records.js'
import { intentsOf } from '../intents/intents.js'
import { unknown } from '../http/refusal.js'
import type { Model } from '../faults/model.js'
import { exactly, flag, oneOf, text } from '../http/schema.js'
import type { Service } from '../deliveries/service.js'
import { transactionFields, viewTransaction } from '../intents/routes-view.js'

const PATH = '/api/v1.4/transactions/'

/** A transaction, with the fields of its intent that identify it and say how much it is about. */
export const transactionSchema = exactly(
  {
    ...transactionFields,
    intent: text,
    account: text,
    amount: Type.Number(),
    amount_currency: text,
    is_live: flag,
  },
  { $id: 'Transaction' },
)

const transactionQuery = Type.Object({
  ...pageQuery.properties,
  intent: Type.Optional(Type.String()),
  status: Type.Optional(oneOf(['SUCCESSFUL', 'FAILED'])),
  provider: Type.Optional(Type.String()),
})

/** The transactions of an account: every try to pay one of its intents. */
export function transactions(app: App, service: Service): void {
  const operations = new Operations(app, withKey('account', service))

  operations.add(
    `GET ${PATH}`,
    {
      id: 'listTransactions',
      summary: 'The transactions of the account and mode, by intent, oldest first',
      query: transactionQuery,
      items: transactionSchema,
    },
    (request) => {
      const { query, maker } = request
      const found = transactionsOf(service, maker.scope).filter(
        (view) =>
          (query.intent === undefined || view.intent === query.intent) &&
          (query.status === undefined || view.status === query.status) &&
          (query.provider === undefined || view.provider === query.provider),
      )
      return page(request, found, (view) => view)
    },
  )

  operations.add(
    `GET ${PATH}:id/`,
    { id: 'getTransaction', summary: 'A transaction', params: byId, data: transactionSchema },
    ({ params, maker }) => {
      const found = transactionsOf(service, maker.scope).find(({ id }) => id === params.id)
      if (found === undefined) throw unknown('id', 'Transaction not found')
      return success(found)
    },
  )
}

function transactionsOf(model: Model, scope: Scope): readonly Static<typeof transactionSchema>[] {
  return intentsOf(model, scope).flatMap((intent) =>
    intent.transactions.map((transaction) => viewWithIntent(intent, transaction)),
  )
}

export function viewWithIntent(intent: Intent, transaction: Transaction): Static<typeof transactionSchema> {
  return {
    ...viewTransaction(transaction),
    intent: intent.id,
    account: intent.scope.accountId,
    amount: intent.amount,
    amount_currency: intent.currency,
    is_live: intent.scope.isLive,
  }
}
