import type { FastifyInstance } from 'fastify'
import { success } from '../http/envelope.js'
import { operation } from '../http/operation.js'
import type { Service } from '../service.js'
import { keySchema, viewKey } from '../views/account.js'

const revealed = {
  type: 'object',
  properties: {
    webhook_signature_secret: { type: 'string' },
    keys: { type: 'array', items: { $ref: `${keySchema.$id}#` } },
  },
  required: ['webhook_signature_secret', 'keys'],
  additionalProperties: false,
}

/**
 * The sandbox's own keys and secret, to be copied into an endpoint under test. They open nothing but this sandbox. A
 * POST, since no page of another origin may make one here.
 */
export function reveal(app: FastifyInstance, service: Service): void {
  app.post(
    '/keys/reveal/',
    {
      schema: operation({
        summary: 'The keys and the signing secret, in full',
        isOwn: true,
        data: revealed,
      }),
    },
    () => {
      const { organization, keys } = service.stage.state
      return success({
        webhook_signature_secret: organization.secret,
        keys: keys.list().map((key) => viewKey(key, (value) => value)),
      })
    },
  )
}
