import { success } from '../http/envelope.js'
import { operation, type App } from '../http/operation.js'
import { defaultEndpointOf, setDefaultEndpoint } from '../model/model.js'
import { exactly, orNull, text } from '../schema.js'
import type { Service } from '../service.js'

const DESCRIPTION = 'Where the events of intents without a webhook_url go'

export const settingsSchema = exactly(
  { default_endpoint: orNull(text, { description: DESCRIPTION }) },
  { $id: 'Settings' },
)

/** What can be set while the sandbox runs, besides its faults. */
export function settings(app: App, service: Service): void {
  app.get(
    '/settings/',
    { schema: operation({ id: 'getSettings', summary: 'The settings', isOwn: true, data: settingsSchema }) },
    () => success(viewSettings(service)),
  )

  app.put(
    '/settings/',
    {
      schema: operation({
        id: 'changeSettings',
        summary: 'Change the settings',
        isOwn: true,
        body: exactly({ default_endpoint: orNull(text, { description: DESCRIPTION }) }),
        data: settingsSchema,
      }),
    },
    ({ body }) => {
      const url = body.default_endpoint ?? undefined
      service.targets.check(url, 'default_endpoint')
      setDefaultEndpoint(service, url)
      return success(viewSettings(service))
    },
  )
}

function viewSettings(service: Service) {
  return { default_endpoint: defaultEndpointOf(service) ?? null }
}
