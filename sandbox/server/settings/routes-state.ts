import Type from 'typebox'
import { accountSchema, viewAccount } from '../accounts/routes.js'
import { cardTokenSchema, viewCardToken } from '../cards/routes.js'
import { customerSchema, viewCustomer } from '../customers/routes.js'
import {
  cardTokenIntentSchema,
  intentSchema,
  viewCardTokenIntent,
  viewIntent,
} from '../intents/routes-view.js'
import { success } from '../http/envelope.js'
import { Operations, type App } from '../http/operation.js'
import { exactly, flag, ref, text, textOrNull } from '../http/schema.js'
import { AGREEMENTS, isCovered, type Agreement } from '../payments/agreements.js'
import { organizationOf } from '../accounts/organization.js'
import { PROVIDERS, type Provider } from '../faults/providers.js'
import type { Service } from '../deliveries/service.js'
import { ACCOUNTS, KEYS } from '../accounts/records.js'
import { CARD_INTENTS, INTENTS } from '../intents/records.js'
import { CUSTOMERS } from '../customers/customers.js'
import { CARDS, OWN_VAULT, type CardToken } from '../cards/cards.js'
import { countDeliveries, deliveryCounts } from '../deliveries/routes-view.js'
import { keySchema, organizationSchema, viewKey, viewOrganization } from '../accounts/routes.js'

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

const stateSchema = exactly(
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
  const operations = new Operations(app)

  operations.add(
    'GET /state',
    { id: 'getState', summary: 'The whole state', data: stateSchema },
    ({ publicOrigin }) => success(viewState(service, publicOrigin)),
  )

  operations.add(
    'POST /reset',
    {
      id: 'reset',
      summary: 'Back to the state of the start, with the same keys and the same secret',
      data: stateSchema,
    },
    ({ publicOrigin }) => {
      service.reset()
      return success(viewState(service, publicOrigin))
    },
  )
}

/** Everything, to be looked at. It holds no key, no secret and no card number. */
function viewState(service: Service, url: string) {
  const { store, faults } = service
  const [cards, agreements] = [store.list(CARDS), store.list(AGREEMENTS)]
  const omitted: Record<string, number> = {}

  /** The newest items that there is room for, in the order in which they were made. */
  function newest<Item, View>(
    name: string,
    items: readonly Item[],
    view: (item: Item) => View,
  ): readonly View[] {
    const views: View[] = []
    let characters = 0
    for (const item of [...items].reverse()) {
      const next = view(item)
      characters += JSON.stringify(next).length
      if (characters > MAX_CHARACTERS) break
      views.push(next)
    }
    if (views.length < items.length) omitted[name] = items.length - views.length
    return views.reverse()
  }

  return {
    organization: viewOrganization(organizationOf(service)),
    accounts: newest('accounts', store.list(ACCOUNTS), viewAccount),
    keys: newest('keys', store.list(KEYS), (key) => viewKey(key)),
    customers: newest('customers', store.list(CUSTOMERS), (customer) => viewCustomer(service, customer)),
    card_tokens: newest('card_tokens', cards, viewCardToken),
    card_token_intents: newest('card_token_intents', store.list(CARD_INTENTS), (intent) =>
      viewCardTokenIntent(url, intent),
    ),
    intents: newest('intents', store.list(INTENTS), (intent) => viewIntent(service, url, intent)),
    agreements: newest('agreements', agreements, viewAgreement),
    vault: { card_tokens: heldBy(OWN_VAULT, cards) },
    providers: PROVIDERS.map((provider) => viewProvider(provider, cards, agreements)),
    faults: faults.settings,
    omitted,
    deliveries: countDeliveries(service),
  }
}

function viewAgreement({ agreementId, scope, customerId, cardTokenId }: Agreement) {
  return {
    agreement_id: agreementId,
    account: scope.accountId,
    is_live: scope.isLive,
    customer: customerId,
    card_token: cardTokenId ?? null,
  }
}

function viewProvider(provider: Provider, cards: readonly CardToken[], agreements: readonly Agreement[]) {
  return {
    id: provider.id,
    maps_agreements: provider.mapsAgreements,
    card_tokens: heldBy(provider.id, cards),
    coverage: agreements
      .filter((agreement) => isCovered(agreement, provider))
      .map(({ agreementId, scope, references }) => ({
        agreement_id: agreementId,
        account: scope.accountId,
        is_live: scope.isLive,
        reference: references[provider.id],
      })),
  }
}

/** The ids of the tokens whose card it holds. */
function heldBy(holder: string, cards: readonly CardToken[]): readonly string[] {
  return cards.filter(({ holders }) => holders.includes(holder)).map(({ id }) => id)
}
