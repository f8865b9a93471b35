import Type from 'typebox'
import { success } from '../http/envelope.js'
import { Operations, type App } from '../http/operation.js'
import { defaultEndpointOf, setDefaultEndpoint } from '../model/model.js'
import { exactly, orNull, text } from '../schema.js'
import type { Service } from '../service.js'
import { faultSettings } from '../faults.js'

const settingsFields = {
  default_endpoint: orNull(text, { description: 'Where the events of intents without a webhook_url go' }),
}

export const settingsSchema = exactly(settingsFields, { $id: 'Settings' })

/** What goes wrong. */
export function faults(app: App, service: Service): void {
  new Operations(app).add(
    'PUT /faults/',
    { id: 'setFaults', summary: 'Set the faults; {} ends them', body: faultSettings, data: Type.Object({}) },
    ({ body }) => {
      service.faults.settings = body
      return success(body)
    },
  )
}

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
