import type { FastifyInstance } from 'fastify'
import { page, success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation, pageQuery } from '../http/operation.js'
import { cardTokensOf } from '../model/card-tokens.js'
import type { Service } from '../service.js'
import type { Stage } from '../stage.js'
import { viewCardToken } from '../views/card-token.js'
import { customerSchema, viewCustomer } from '../views/customer.js'
import { viewDeliverySummary } from '../views/delivery.js'
import { viewIntent } from '../views/intent.js'
import { viewOverview } from '../views/overview.js'

const customerWithCards = {
  type: 'object',
  properties: { ...customerSchema.properties, cards: { type: 'array', items: { $ref: 'CardToken#' } } },
  required: [...customerSchema.required, 'cards'],
  additionalProperties: false,
}

/** What the page at `/` shows of everything: the short at once, the long in pages, the newest first. */
export function overview(app: FastifyInstance, service: Service): void {
  app.get(
    '/overview/',
    {
      schema: operation({
        summary: 'Keys, faults, and how much there is of everything else',
        isOwn: true,
        data: { $ref: 'Overview#' },
      }),
    },
    ({ origin }) => success(viewOverview(service.stage, origin)),
  )

  newest(
    'deliveries',
    { $ref: 'DeliverySummary#' },
    ({ deliveries }) => deliveries.list(),
    viewDeliverySummary,
  )
  newest(
    'intents',
    { $ref: 'Intent#' },
    ({ state }) => state.intents.values(),
    (intent, { state }, origin) => viewIntent(state, origin, intent),
  )
  newest(
    'customers',
    customerWithCards,
    ({ state }) => state.customers.values(),
    (customer, { state }) => ({
      ...viewCustomer(customer),
      cards: cardTokensOf(state, customer.id).map(viewCardToken),
    }),
  )

  function newest<Item>(
    name: string,
    data: object,
    oldestFirst: (stage: Stage) => Iterable<Item>,
    view: (item: Item, stage: Stage, origin: string) => unknown,
  ): void {
    const path = `/newest/${name}/`
    app.get<{ Querystring: Infer<typeof pageQuery> }>(
      path,
      {
        schema: operation({
          summary: `The ${name} of every account, newest first`,
          isOwn: true,
          query: pageQuery,
          data,
          isList: true,
        }),
      },
      ({ query, origin }) => {
        const { stage } = service
        const items = [...oldestFirst(stage)].reverse()
        return page(items, (item) => view(item, stage, origin), `${origin}/_sandbox${path}`, query)
      },
    )
  }
}
