import Type from 'typebox'
import { accountSchema, viewAccount } from '../api/accounts.js'
import { cardTokenIntentSchema, viewCardTokenIntent } from '../api/card-token-intents.js'
import { cardTokenSchema, viewCardToken } from '../api/card-tokens.js'
import { customerSchema, viewCustomer } from '../api/customers.js'
import { intentSchema, viewIntent } from '../api/intent-view.js'
import { success } from '../http/envelope.js'
import { operation, type App } from '../http/operation.js'
import { exactly, flag, ref, text, textOrNull } from '../schema.js'
import { agreementKey } from '../model/agreements.js'
import type { Agreement } from '../model/entities.js'
import type { Provider } from '../model/providers.js'
import type { Service } from '../service.js'
import { deliveryCounts } from './delivery-view.js'
import { keySchema, organizationSchema, viewKey, viewOrganization } from './keys.js'

const provider = exactly({
  id: text,
  maps_agreements: Type.Boolean({ description: 'Whether it can hold coverage at all' }),
  card_tokens: Type.Array(text, { description: 'The tokens whose card it holds itself' }),
  coverage: Type.Array(exactly({ agreement_id: text, account: text, is_live: flag, reference: text })),
})

const agreement = exactly({
  agreement_id: text,
  account: text,
  is_live: flag,
  customer: text,
  card_token: textOrNull,
})

/** The text of one list is no longer than this, so that the answer can still be sent. */
const MAX_CHARACTERS = 2 * 1024 * 1024

export const stateSchema = exactly(
  {
    organization: organizationSchema,
    accounts: Type.Array(ref(accountSchema)),
    keys: Type.Array(ref(keySchema), { description: 'Masked' }),
    customers: Type.Array(ref(customerSchema)),
    card_tokens: Type.Array(ref(cardTokenSchema)),
    card_token_intents: Type.Array(ref(cardTokenIntentSchema)),
    intents: Type.Array(ref(intentSchema)),
    agreements: Type.Array(agreement),
    vault: exactly({ card_tokens: Type.Array(text, { description: 'The tokens whose card it holds' }) }),
    providers: Type.Array(provider),
    faults: Type.Object({}),
    omitted: Type.Record(Type.String(), Type.Integer(), {
      description: `How many of the oldest of each list are left out, if all would be more than ${MAX_CHARACTERS} characters`,
    }),
    deliveries: exactly(deliveryCounts),
  },
  { $id: 'State' },
)

/** The state as a whole, and the way back to its start. */
export function fullState(app: App, service: Service): void {
  app.get(
    '/state',
    { schema: operation({ id: 'getState', summary: 'The whole state', isOwn: true, data: stateSchema }) },
    ({ publicOrigin }) => success(viewState(service, publicOrigin)),
  )

  app.post(
    '/reset',
    {
      schema: operation({
        id: 'reset',
        summary: 'Back to the state of the start, with the same keys and the same secret',
        isOwn: true,
        data: stateSchema,
      }),
    },
    ({ publicOrigin }) => {
      service.reset()
      return success(viewState(service, publicOrigin))
    },
  )
}

/** Everything, to be looked at. It holds no key, no secret and no card number. */
function viewState({ state, faults, deliveries }: Service, url: string) {
  const agreements = [...state.agreements.values()]
  const omitted: Record<string, number> = {}

  /** The newest items that there is room for, in the order in which they were made. */
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
    customers: newest('customers', state.customers.values(), (customer) => viewCustomer(state, customer)),
    card_tokens: newest('card_tokens', state.cardTokens.values(), viewCardToken),
    card_token_intents: newest('card_token_intents', state.cardTokenIntents.values(), (intent) =>
      viewCardTokenIntent(url, intent),
    ),
    intents: newest('intents', state.intents.values(), (intent) => viewIntent(state, url, intent)),
    agreements: newest('agreements', agreements, viewAgreement),
    vault: { card_tokens: state.vault.list() },
    providers: state.providers.map((provider) => viewProvider(provider, agreements)),
    faults: faults.settings,
    omitted,
    deliveries: deliveries.count(),
  }
}

function viewAgreement({ id, scope, customerId, cardTokenId }: Agreement) {
  return {
    agreement_id: id,
    account: scope.accountId,
    is_live: scope.isLive,
    customer: customerId,
    card_token: cardTokenId ?? null,
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
