import Type from 'typebox'
import { faultSettings } from '../faults/faults.js'
import { success } from '../http/envelope.js'
import { operation, type App } from '../http/operation.js'
import type { Service } from '../service.js'

/** Sets what goes wrong. */
export function faults(app: App, service: Service): void {
  app.put(
    '/faults/',
    {
      schema: operation({
        id: 'setFaults',
        summary: 'Set the faults; {} ends them',
        isOwn: true,
        body: faultSettings,
        data: Type.Object({}),
      }),
    },
    ({ body }) => {
      service.faults.settings = body
      return success(body)
    },
  )
}
