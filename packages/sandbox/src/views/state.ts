import { agreementKey, type Agreement } from '../model/agreements.js'
import type { Provider } from '../providers/provider.js'
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
export function viewState({ world, faults, deliveries }: Stage, url: string) {
  const agreements = [...world.agreements.values()]
  return {
    organization: viewOrganization(world.organization),
    accounts: [...world.accounts.values()].map(viewAccount),
    keys: world.keys.list().map((key) => viewKey(key)),
    customers: [...world.customers.values()].map(viewCustomer),
    card_tokens: [...world.cardTokens.values()].map(viewCardToken),
    card_token_intents: [...world.cardTokenIntents.values()].map((intent) =>
      viewCardTokenIntent(url, intent),
    ),
    intents: [...world.intents.values()].map((intent) => viewIntent(world, url, intent)),
    agreements: agreements.map(viewAgreement),
    vault: { card_tokens: world.vault.list() },
    providers: world.providers.map((provider) => viewProvider(provider, agreements)),
    faults: faults.get(),
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
