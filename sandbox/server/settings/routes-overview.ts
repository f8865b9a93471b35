import Type from 'typebox'
import { accountSchema, viewAccount } from '../accounts/routes.js'
import { success } from '../http/envelope.js'
import { Operations, type App } from '../http/operation.js'
import { defaultEndpointOf } from '../deliveries/default-endpoint.js'
import { organizationOf } from '../accounts/organization.js'
import { exactly, orNull, ref, text, textOrNull, whole } from '../http/schema.js'
import type { Service } from '../deliveries/service.js'
import { packageVersion } from '../http/package-files.js'
import { countDeliveries, deliveryCounts } from '../deliveries/routes-view.js'
import { keySchema, organizationSchema, viewKey, viewOrganization } from '../accounts/routes.js'
import { ACCOUNTS, KEYS } from '../accounts/records.js'
import { CARDS } from '../cards/cards.js'
import { CUSTOMERS } from '../customers/customers.js'
import { INTENTS } from '../intents/records.js'

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
    keep: Type.Integer({ description: 'How many deliveries are stored, and how many of each other kind' }),
    counts: exactly({ intents: whole, customers: whole, card_tokens: whole, ...deliveryCounts }),
  },
  { $id: 'Overview' },
)

/** What the page at `/` shows at once, the way back to the start, and what the check of a container asks for. */
export function overview(app: App, service: Service): void {
  const operations = new Operations(app)

  operations.add(
    'GET /overview/',
    { id: 'getOverview', summary: 'Keys, faults, and the number of everything else', data: overviewSchema },
    ({ origin }) => success(viewOverview(service, origin)),
  )

  operations.add(
    'POST /reset',
    {
      id: 'reset',
      summary: 'Back to the state of the start, with the same keys and the same secret',
      data: overviewSchema,
    },
    ({ origin }) => {
      service.reset()
      return success(viewOverview(service, origin))
    },
  )

  operations.add('GET /health/', { id: 'getHealth', summary: 'Whether the sandbox answers' }, () =>
    success(null),
  )
}

/** It holds no key and no secret. */
function viewOverview(service: Service, url: string) {
  const { store, faults } = service
  return {
    url,
    organization: viewOrganization(organizationOf(service)),
    accounts: store.list(ACCOUNTS).map(viewAccount),
    keys: store.list(KEYS).map((key) => viewKey(key)),
    faults: faults.settings,
    default_endpoint: defaultEndpointOf(service) ?? null,
    version: packageVersion(),
    is_persistent: store.folder !== undefined,
    data_folder: store.folder ?? null,
    keep: service.settings.keep,
    counts: {
      intents: store.list(INTENTS).length,
      customers: store.list(CUSTOMERS).length,
      card_tokens: store.list(CARDS).length,
      ...countDeliveries(service),
    },
  }
}
