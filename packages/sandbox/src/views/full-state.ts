import { agreementKey } from '../model/agreements.js'
import type { Agreement } from '../model/entities.js'
import type { Provider } from '../model/providers.js'
import type { Stage } from '../stage.js'
import { keySchema, viewAccount, viewKey } from './account.js'
import { viewCardToken } from './card-token.js'
import { viewCardTokenIntent } from './card-token-intent.js'
import { viewCustomer } from './customer.js'
import { countDeliveries, deliveryCounts } from './delivery.js'
import { viewIntent } from './intent.js'
import { organizationSchema, viewOrganization } from './organization.js'

const text = { type: 'string' }
const listOf = (name: string) => ({ type: 'array', items: { $ref: `${name}#` } })

const provider = {
  type: 'object',
  properties: {
    id: text,
    maps_agreements: { type: 'boolean', description: 'Whether it can hold coverage at all' },
    card_tokens: { type: 'array', items: text, description: 'The tokens whose card it holds itself' },
    coverage: {
      type: 'array',
      items: {
        type: 'object',
        properties: { agreement_id: text, account: text, is_live: { type: 'boolean' }, reference: text },
        required: ['agreement_id', 'account', 'is_live', 'reference'],
        additionalProperties: false,
      },
    },
  },
  required: ['id', 'maps_agreements', 'card_tokens', 'coverage'],
  additionalProperties: false,
}

/** The text of one list is no longer than this, so that the answer stays one that can be sent. */
const MAX_CHARACTERS = 2 * 1024 * 1024

const agreement = {
  type: 'object',
  properties: {
    agreement_id: text,
    account: text,
    is_live: { type: 'boolean' },
    customer: text,
    card_token: text,
  },
  required: ['agreement_id', 'account', 'is_live', 'customer', 'card_token'],
  additionalProperties: false,
}

const properties = {
  organization: organizationSchema,
  accounts: listOf('Account'),
  keys: { ...listOf(keySchema.$id), description: 'Masked' },
  customers: listOf('Customer'),
  card_tokens: listOf('CardToken'),
  card_token_intents: listOf('CardTokenIntent'),
  intents: listOf('Intent'),
  agreements: { type: 'array', items: agreement },
  vault: {
    type: 'object',
    properties: {
      card_tokens: { type: 'array', items: text, description: 'The tokens whose card it holds' },
    },
    required: ['card_tokens'],
    additionalProperties: false,
  },
  providers: { type: 'array', items: provider },
  faults: { type: 'object' },
  omitted: {
    type: 'object',
    description: `How many of the oldest of each list are left out, where all would be more than ${MAX_CHARACTERS} characters`,
    additionalProperties: { type: 'integer' },
  },
  deliveries: {
    type: 'object',
    properties: deliveryCounts,
    required: Object.keys(deliveryCounts),
    additionalProperties: false,
  },
}

export const stateSchema = {
  $id: 'State',
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
}

/** All that there is, for looking at. No key, no secret and no card number is in it. */
export function viewState({ state, faults, deliveries }: Stage, url: string) {
  const agreements = [...state.agreements.values()]
  const omitted: Record<string, number> = {}

  /** The newest that there is room for, in the order in which they were made. */
  function newest<Item, View>(
    name: string,
    items: Iterable<Item>,
    view: (item: Item) => View,
  ): readonly View[] {
    const all = [...items]
    const views: View[] = []
    for (let characters = 0; views.length < all.length;) {
      const next = view(all[all.length - 1 - views.length]!)
      characters += JSON.stringify(next).length
      if (characters > MAX_CHARACTERS) break
      views.push(next)
    }
    if (views.length < all.length) omitted[name] = all.length - views.length
    return views.reverse()
  }

  return {
    organization: viewOrganization(state.organization),
    accounts: newest('accounts', state.accounts.values(), viewAccount),
    keys: newest('keys', state.keys.list(), (key) => viewKey(key)),
    customers: newest('customers', state.customers.values(), viewCustomer),
    card_tokens: newest('card_tokens', state.cardTokens.values(), viewCardToken),
    card_token_intents: newest('card_token_intents', state.cardTokenIntents.values(), (intent) =>
      viewCardTokenIntent(url, intent),
    ),
    intents: newest('intents', state.intents.values(), (intent) => viewIntent(state, url, intent)),
    agreements: newest('agreements', agreements, viewAgreement),
    vault: { card_tokens: state.vault.list() },
    providers: state.providers.map((provider) => viewProvider(provider, agreements)),
    faults: faults.get(),
    omitted,
    deliveries: countDeliveries(deliveries.list()),
  }
}

function viewAgreement({ id, scope, customerId, cardTokenId }: Agreement) {
  return {
    agreement_id: id,
    account: scope.accountId,
    is_live: scope.isLive,
    customer: customerId,
    card_token: cardTokenId,
  }
}

function viewProvider(provider: Provider, agreements: readonly Agreement[]) {
  return {
    id: provider.id,
    maps_agreements: provider.mapsAgreements,
    card_tokens: [...provider.cards.keys()],
    coverage: agreements.flatMap(({ id, scope }) => {
      const reference = provider.coverage.get(agreementKey(scope, id))
      if (reference === undefined) return []
      return [{ agreement_id: id, account: scope.accountId, is_live: scope.isLive, reference }]
    }),
  }
}
