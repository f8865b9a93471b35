import Type, { type TSchema } from 'typebox'
import { accountSchema, viewAccount } from '../api/accounts.js'
import { cardTokenSchema, viewCardToken } from '../api/card-tokens.js'
import { customerFields, viewCustomer } from '../api/customers.js'
import { intentSchema, viewIntent } from '../api/intent-view.js'
import { page, success } from '../http/envelope.js'
import { longPageQuery, operation, type App } from '../http/operation.js'
import { exactly, orNull, ref, text, textOrNull, whole } from '../schema.js'
import { cardTokensOf } from '../model/card-tokens.js'
import type { Service } from '../service.js'
import { packageVersion } from '../version.js'
import { deliveryCounts } from './delivery-view.js'
import { keySchema, organizationSchema, viewKey, viewOrganization } from './keys.js'

export const overviewSchema = exactly(
  {
    url: text,
    organization: organizationSchema,
    accounts: Type.Array(ref(accountSchema)),
    keys: Type.Array(ref(keySchema), { description: 'Masked' }),
    faults: Type.Object({}),
    default_endpoint: orNull(text, { description: 'Where the events of intents without a webhook_url go' }),
    version: text,
    is_persistent: Type.Boolean({ description: 'Whether it is kept in a folder' }),
    data_folder: textOrNull,
    counts: exactly({ intents: whole, customers: whole, card_tokens: whole, ...deliveryCounts }),
  },
  { $id: 'Overview' },
)

const customerWithCards = exactly({ ...customerFields, cards: Type.Array(ref(cardTokenSchema)) })

/** The data of the page at `/`: everything short at once, long lists in pages, the newest first. */
export function overview(app: App, service: Service): void {
  app.get(
    '/overview/',
    {
      schema: operation({
        summary: 'Keys, faults, and the number of everything else',
        isOwn: true,
        data: overviewSchema,
      }),
    },
    ({ origin }) => success(viewOverview(service, origin)),
  )

  addNewest(app, {
    name: 'intents',
    data: intentSchema,
    newestFirst: () => service.state.intents.newestFirst(),
    view: (intent, origin) => viewIntent(service.state, origin, intent),
  })
  addNewest(app, {
    name: 'customers',
    data: customerWithCards,
    newestFirst: () => service.state.customers.newestFirst(),
    view: (customer) => ({
      ...viewCustomer(service.state, customer),
      cards: cardTokensOf(service.state, customer.id).map(viewCardToken),
    }),
  })
}

interface Newest<Item> {
  readonly name: string
  readonly data: TSchema
  readonly newestFirst: () => Iterable<Item>
  readonly view: (item: Item, origin: string) => unknown
}

function addNewest<Item>(app: App, { name, data, newestFirst, view }: Newest<Item>): void {
  const path = `/newest/${name}/`
  app.get(
    path,
    {
      schema: operation({
        summary: `The ${name} of every account, newest first`,
        isOwn: true,
        query: longPageQuery,
        data,
        isList: true,
      }),
    },
    ({ query, origin }) =>
      page(newestFirst(), (item) => view(item, origin), `${origin}/_sandbox${path}`, query),
  )
}

/** It holds no key and no secret. */
function viewOverview({ state, faults, deliveries }: Service, url: string) {
  const { organization, accounts, keys, intents, customers, cardTokens } = state
  return {
    url,
    organization: viewOrganization(organization),
    accounts: [...accounts.values()].map(viewAccount),
    keys: keys.list().map((key) => viewKey(key)),
    faults: faults.settings,
    default_endpoint: state.defaultEndpoint ?? null,
    version: packageVersion(),
    is_persistent: false,
    data_folder: null,
    counts: {
      intents: intents.size,
      customers: customers.size,
      card_tokens: cardTokens.size,
      ...deliveries.count(),
    },
  }
}
