import Type from 'typebox'
import { organizationOf } from '../accounts/organization.js'
import { ACCOUNTS, KEYS } from '../accounts/records.js'
import {
  accountSchema,
  keySchema,
  organizationSchema,
  viewAccount,
  viewKey,
  viewOrganization,
} from '../accounts/routes.js'
import type { Service } from '../deliveries/sending.js'
import { faultSettings } from '../faults/faults.js'
import { success } from '../http/envelope.js'
import { Operations, type App } from '../http/operation.js'
import { packageVersion } from '../http/package-files.js'
import { exactly, orNull, ref, text, textOrNull } from '../http/schema.js'

export type { FaultSettings } from '../faults/faults.js'

const defaultEndpoint = orNull(text, {
  description: 'Where the events of intents without a webhook_url go',
})

export const overviewSchema = exactly(
  {
    url: text,
    organization: organizationSchema,
    accounts: Type.Array(ref(accountSchema)),
    keys: Type.Array(ref(keySchema), { description: 'Masked' }),
    faults: Type.Object({}),
    default_endpoint: defaultEndpoint,
    version: text,
    data_folder: textOrNull,
    keep: Type.Integer({ description: 'How many deliveries are stored, and how many of each other kind' }),
  },
  { $id: 'Overview' },
)

/** What can be set while the sandbox runs, the way back to the start, and what the check of a container asks for. */
export function overview(app: App, service: Service): void {
  const operations = new Operations(app)

  operations.add(
    'GET /overview/',
    { id: 'getOverview', summary: 'The settings, faults, keys and accounts', data: overviewSchema },
    ({ origin }) => success(viewOverview(service, origin)),
  )

  operations.add(
    'PUT /settings/',
    {
      id: 'changeSettings',
      summary: 'Change the settings',
      body: exactly({ default_endpoint: defaultEndpoint }),
      data: overviewSchema,
    },
    ({ body, isTrusted, origin }) => {
      const url = body.default_endpoint ?? undefined
      service.targets.check(url, { isTrusted }, 'default_endpoint')
      service.deliveries.defaultEndpoint = url
      return success(viewOverview(service, origin))
    },
  )

  operations.add(
    'PUT /faults/',
    { id: 'setFaults', summary: 'Set the faults; {} ends them', body: faultSettings, data: Type.Object({}) },
    ({ body }) => {
      service.faults.settings = body
      return success(body)
    },
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
  const { store, faults, deliveries } = service
  return {
    url,
    organization: viewOrganization(organizationOf(service)),
    accounts: store.list(ACCOUNTS).map(viewAccount),
    keys: store.list(KEYS).map((key) => viewKey(key)),
    faults: faults.settings,
    default_endpoint: deliveries.defaultEndpoint ?? null,
    version: packageVersion(),
    data_folder: store.folder ?? null,
    keep: service.settings.keep,
  }
}
