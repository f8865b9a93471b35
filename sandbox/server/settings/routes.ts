import { success } from '../http/envelope.js'
import { Operations, type App } from '../http/operation.js'
import { defaultEndpointOf, setDefaultEndpoint } from '../deliveries/default-endpoint.js'
import { exactly, orNull, text } from '../http/schema.js'
import type { Service } from '../deliveries/service.js'

const settingsFields = {
  default_endpoint: orNull(text, { description: 'Where the events of intents without a webhook_url go' }),
}

export const settingsSchema = exactly(settingsFields, { $id: 'Settings' })

/** What else can be set while the sandbox runs. */
export function settings(app: App, service: Service): void {
  const operations = new Operations(app)

  operations.add('GET /settings/', { id: 'getSettings', summary: 'The settings', data: settingsSchema }, () =>
    success(viewSettings(service)),
  )

  operations.add(
    'PUT /settings/',
    {
      id: 'changeSettings',
      summary: 'Change the settings',
      body: exactly(settingsFields),
      data: settingsSchema,
    },
    ({ body, isTrusted }) => {
      const url = body.default_endpoint ?? undefined
      service.targets.check(url, { isTrusted }, 'default_endpoint')
      setDefaultEndpoint(service, url)
      return success(viewSettings(service))
    },
  )
}

function viewSettings(service: Service) {
  return { default_endpoint: defaultEndpointOf(service) ?? null }
}
