import Type, { type Static } from 'typebox'
import { forAccount } from '../http/auth.js'
import { page } from '../http/envelope.js'
import { operation, pageQuery, type App } from '../http/operation.js'
import { isCovered } from '../model/agreements.js'
import type { Model } from '../model/model.js'
import { PROVIDERS, type Provider } from '../model/providers.js'
import { isSameScope, type Scope } from '../store/records.js'
import { exactly, flag, text } from '../schema.js'
import type { Service } from '../service.js'

const PATH = '/api/v1.4/providers/'

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

/** The providers that are connected to an account: in the sandbox, the same three to every account. */
export function providers(app: App, service: Service): void {
  app.get(
    PATH,
    {
      onRequest: forAccount(service),
      schema: operation({
        id: 'listProviders',
        summary: 'The providers of the account and mode',
        isOwn: true,
        key: 'account',
        query: pageQuery,
        data: providerSchema,
        isList: true,
      }),
    },
    ({ query, maker: { scope }, origin }) =>
      page(PROVIDERS, (provider) => viewProvider(service, scope, provider), origin + PATH, query),
  )
}

function viewProvider({ store }: Model, scope: Scope, provider: Provider): Static<typeof providerSchema> {
  const covered = store
    .list('agreement')
    .filter((agreement) => isSameScope(agreement.scope, scope) && isCovered(agreement, provider))
  return {
    id: provider.id,
    account: scope.accountId,
    is_live: scope.isLive,
    maps_agreements: provider.mapsAgreements,
    agreements: covered.map(({ agreementId }) => agreementId),
  }
}
