import Type, { type Static } from 'typebox'
import { listOf } from '../http/envelope.js'
import { Operations, type App } from '../http/operation.js'
import { AGREEMENTS, isCovered } from './agreements.js'
import { PROVIDER_FAULTS, PROVIDER_IDS, PROVIDERS, type Provider } from '../faults/providers.js'
import { exactly, flag, oneOf, orNull, text, whole } from '../http/schema.js'
import type { Service } from '../deliveries/service.js'
import { INTENTS } from '../intents/records.js'
import { CARDS } from '../cards/cards.js'

const MAX_COVERAGE = 1000

export const providerDetailSchema = exactly(
  {
    id: oneOf(PROVIDER_IDS),
    maps_agreements: Type.Boolean({ description: 'Whether it can hold coverage at all' }),
    fault: orNull(oneOf(PROVIDER_FAULTS)),
    counts: exactly({
      successful: Type.Integer({ description: 'Its transactions that succeeded' }),
      failed: whole,
      card_tokens: Type.Integer({ description: 'The tokens whose card it holds itself' }),
      agreements: Type.Integer({ description: 'Those that it covers' }),
    }),
    coverage: Type.Array(
      exactly({ key: text, agreement_id: text, account: text, is_live: flag, reference: text }),
      { description: `The newest ${MAX_COVERAGE} agreements that it covers, with its own reference` },
    ),
  },
  { $id: 'ProviderDetail' },
)

/** The providers of all accounts and both modes. */
export function providerDetails(app: App, service: Service): void {
  new Operations(app).add(
    'GET /providers/',
    {
      id: 'listProviderDetails',
      summary: 'The providers, with their faults and what they hold',
      items: providerDetailSchema,
    },
    () => listOf(PROVIDERS.map((provider) => viewProvider(service, provider))),
  )
}

function viewProvider({ store, faults }: Service, provider: Provider): Static<typeof providerDetailSchema> {
  const { id, mapsAgreements } = provider
  const outcomes = { successful: 0, failed: 0 }
  for (const { transactions } of store.list(INTENTS)) {
    for (const { providerId, failure } of transactions) {
      if (providerId === id) outcomes[failure === undefined ? 'successful' : 'failed']++
    }
  }
  const held = store.list(CARDS).filter(({ holders }) => holders.includes(id))
  const covered = store.newestFirst(AGREEMENTS).filter((agreement) => isCovered(agreement, provider))
  return {
    id,
    maps_agreements: mapsAgreements,
    fault: faults.settings.providers?.[id] ?? null,
    counts: { ...outcomes, card_tokens: held.length, agreements: covered.length },
    coverage: covered.slice(0, MAX_COVERAGE).map((agreement) => ({
      key: agreement.id,
      agreement_id: agreement.agreementId,
      account: agreement.scope.accountId,
      is_live: agreement.scope.isLive,
      reference: agreement.references[id]!,
    })),
  }
}
