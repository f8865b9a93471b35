import Type, { type Static } from 'typebox'
import { listOf } from '../http/envelope.js'
import { operation, type App } from '../http/operation.js'
import { agreementKey } from '../model/agreements.js'
import { PROVIDER_FAULTS, type Provider } from '../model/providers.js'
import { exactly, flag, oneOf, orNull, text, whole } from '../schema.js'
import type { Service } from '../service.js'
import { keyOf } from './entity-views.js'

const MAX_COVERAGE = 1000

export const providerDetailSchema = exactly(
  {
    id: text,
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
  app.get(
    '/providers/',
    {
      schema: operation({
        id: 'listProviderDetails',
        summary: 'The providers, with their faults and what they hold',
        isOwn: true,
        data: providerDetailSchema,
        isList: true,
      }),
    },
    () => listOf(service.state.providers.map((provider) => viewProvider(service, provider))),
  )
}

function viewProvider({ state, faults }: Service, provider: Provider): Static<typeof providerDetailSchema> {
  const { id, mapsAgreements, cards, coverage } = provider
  const outcomes = { successful: 0, failed: 0 }
  for (const { transactions } of state.intents.values()) {
    for (const { providerId, failure } of transactions) {
      if (providerId === id) outcomes[failure === undefined ? 'successful' : 'failed']++
    }
  }
  const covered = [...state.agreements.newestFirst()].flatMap((agreement) => {
    const { id: agreementId, scope } = agreement
    const reference = coverage.get(agreementKey(scope, agreementId))
    if (reference === undefined) return []
    const { accountId: account, isLive: is_live } = scope
    return [{ key: keyOf(agreement), agreement_id: agreementId, account, is_live, reference }]
  })
  return {
    id,
    maps_agreements: mapsAgreements,
    fault: faults.settings.providers?.[id] ?? null,
    counts: { ...outcomes, card_tokens: cards.size, agreements: covered.length },
    coverage: covered.slice(0, MAX_COVERAGE),
  }
}
