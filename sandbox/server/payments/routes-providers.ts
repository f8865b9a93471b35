import Type, { type Static } from 'typebox'
import { withKey } from '../accounts/access.js'
import { answer } from '../accounts/answer.js'
import { isSameScope } from '../accounts/records.js'
import { CARDS } from '../cards/cards.js'
import type { Model } from '../faults/model.js'
import { PROVIDER_FAULTS, PROVIDER_IDS, PROVIDERS, type Provider } from '../faults/providers.js'
import { listOf, page } from '../http/envelope.js'
import { Operations, pageQuery, type App } from '../http/operation.js'
import { unknown } from '../http/refusal.js'
import { exactly, flag, oneOf, orNull, text, whole } from '../http/schema.js'
import { INTENTS } from '../intents/records.js'
import { AGREEMENTS, isCovered, type Agreement } from './agreements.js'

const NO_PAYOUTS =
  'The sandbox has no payouts. The service documents that keys are used for them, but no path, request or answer.'

const MAX_COVERAGE = 1000

/** A provider, as an account sees it. */
const providerSchema = exactly(
  {
    id: text,
    account: text,
    is_live: flag,
    maps_agreements: Type.Boolean({ description: 'Whether it can hold coverage of an agreement' }),
    agreements: Type.Array(text, { description: 'The agreements of the account and mode that it covers' }),
  },
  { $id: 'Provider' },
)

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

/** The providers that are connected to an account (in the sandbox, the same three to every account), and payouts. */
export function providers(app: App, model: Model): void {
  new Operations(app, withKey('account', model)).add(
    'GET /api/v1.4/providers/',
    {
      id: 'listProviders',
      summary: 'The providers of the account and mode',
      query: pageQuery,
      items: providerSchema,
    },
    (request) => {
      const { scope } = request.maker
      return page(request, PROVIDERS, (provider) => {
        const own = coveredBy(model, provider).filter((agreement) => isSameScope(agreement.scope, scope))
        return answer(
          providerSchema,
          { ...provider, scope },
          {
            maps_agreements: provider.mapsAgreements,
            agreements: own.map(({ agreementId }) => agreementId),
          },
        )
      })
    },
  )

  // A payout may be made with any key, also a public one.
  new Operations(app, withKey('any', model)).add(
    'POST /api/v1.4/payouts/',
    {
      id: 'createPayout',
      summary: 'Payouts, which the sandbox does not have',
      data: exactly({}),
    },
    () => {
      throw unknown('path', 'There are no payouts', NO_PAYOUTS)
    },
  )
}

/** The providers of all accounts and both modes. */
export function providerDetails(app: App, model: Model): void {
  new Operations(app).add(
    'GET /providers/',
    {
      id: 'listProviderDetails',
      summary: 'The providers, with their faults and what they hold',
      items: providerDetailSchema,
    },
    () => listOf(PROVIDERS.map((provider) => viewDetail(model, provider))),
  )
}

function viewDetail(model: Model, provider: Provider): Static<typeof providerDetailSchema> {
  const { store, faults } = model
  const { id, mapsAgreements } = provider
  const covered = coveredBy(model, provider)
  const charges = store.list(INTENTS).flatMap(({ transactions }) => transactions)
  const own = charges.filter(({ providerId }) => providerId === id)
  const failed = own.filter(({ failure }) => failure !== undefined).length
  const held = store.list(CARDS).filter(({ holders }) => holders.includes(id))
  return {
    id,
    maps_agreements: mapsAgreements,
    fault: faults.settings.providers?.[id] ?? null,
    counts: {
      successful: own.length - failed,
      failed,
      card_tokens: held.length,
      agreements: covered.length,
    },
    coverage: covered
      .slice(-MAX_COVERAGE)
      .reverse()
      .map(({ id: key, agreementId, scope, references }) => ({
        key,
        agreement_id: agreementId,
        account: scope.accountId,
        is_live: scope.isLive,
        reference: references[id]!,
      })),
  }
}

/** The agreements that a provider covers, the oldest first. */
function coveredBy({ store }: Model, provider: Provider): readonly Agreement[] {
  return store.list(AGREEMENTS).filter((agreement) => isCovered(agreement, provider))
}
