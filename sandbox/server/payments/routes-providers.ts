import Type from 'typebox'
import { withKey } from '../accounts/access.js'
import { answer } from '../accounts/answer.js'
import { isSameScope } from '../accounts/records.js'
import type { Model } from '../faults/faults.js'
import { PROVIDERS } from '../faults/providers.js'
import { page } from '../http/envelope.js'
import { Operations, pageQuery, type App } from '../http/operation.js'
import { exactly, flag, text } from '../http/schema.js'
import { AGREEMENTS, isCovered } from './agreements.js'

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
        const own = model.store
          .list(AGREEMENTS)
          .filter((agreement) => isSameScope(agreement.scope, scope) && isCovered(agreement, provider))
        const agreements = own.map(({ agreementId }) => agreementId)
        return answer(providerSchema, { ...provider, scope }, { agreements })
      })
    },
  )
}
