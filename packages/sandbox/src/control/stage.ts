import type { FastifyInstance } from 'fastify'
import { success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation } from '../http/operation.js'
import type { Service } from '../service.js'
import { viewState } from '../views/full-state.js'

const delayMs = { type: 'integer', minimum: 0, maximum: 600_000 } as const
const flag = { type: 'boolean' } as const

const faultsBody = {
  type: 'object',
  properties: {
    vault: { type: 'string', enum: ['down'] },
    secretEndpoint: {
      type: 'object',
      properties: { mode: { type: 'string', enum: ['slow', 'error', 'wrong-shape'] }, delayMs },
      required: ['mode'],
      additionalProperties: false,
    },
    deliveries: {
      type: 'object',
      properties: { duplicate: flag, reorder: flag, delayMs, tamper: flag, stale: flag },
      additionalProperties: false,
    },
    chance: { type: 'number', minimum: 0, maximum: 1 },
  },
  additionalProperties: false,
} as const

/** The state as a whole, and what is to go wrong in it. */
export function stage(app: FastifyInstance, service: Service): void {
  app.get(
    '/state',
    {
      schema: operation({
        summary: 'All that there is',
        isOwn: true,
        data: { $ref: 'State#' },
      }),
    },
    ({ origin }) => success(viewState(service.stage, origin)),
  )

  app.post(
    '/reset',
    {
      schema: operation({
        summary: 'Back to the state of the start, with the same keys and the same secret',
        isOwn: true,
        data: { $ref: 'State#' },
      }),
    },
    ({ origin }) => {
      service.reset()
      return success(viewState(service.stage, origin))
    },
  )

  app.put<{ Body: Infer<typeof faultsBody> }>(
    '/faults/',
    {
      schema: operation({
        summary: 'Set what is to go wrong; {} ends it',
        isOwn: true,
        body: faultsBody,
        data: { type: 'object' },
      }),
    },
    ({ body }) => {
      service.stage.faults.set(body)
      service.changes.announce('faults')
      return success(body)
    },
  )
}
