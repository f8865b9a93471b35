import Type from 'typebox'
import { success } from '../http/envelope.js'
import { Operations, type App } from '../http/operation.js'
import type { Model } from './model.js'
import { faultSettings } from './faults.js'

export type { FaultSettings } from './faults.js'

/** What goes wrong. */
export function faults(app: App, model: Model): void {
  new Operations(app).add(
    'PUT /faults/',
    { id: 'setFaults', summary: 'Set the faults; {} ends them', body: faultSettings, data: Type.Object({}) },
    ({ body }) => {
      model.faults.settings = body
      return success(body)
    },
  )
}
