import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Clock } from '../clock.js'
import { forAccount } from '../http/auth.js'
import { success } from '../http/envelope.js'
import { operation } from '../http/operation.js'
import type { Service } from '../service.js'

const DEFAULT_DELAY_MS = 10_000

/** The signing secret (S4.2, S5.5), or what the fault makes of it. */
export function signatureKey(app: FastifyInstance, service: Service): void {
  app.get(
    '/api/v1/organizations/get-webhook-signature-key/',
    {
      onRequest: forAccount(service),
      schema: operation({
        summary: 'The webhook signing secret',
        key: 'account',
        data: {
          type: 'object',
          properties: { webhook_signature_secret: { type: 'string' } },
          required: ['webhook_signature_secret'],
          additionalProperties: false,
        },
      }),
    },
    async (_request, reply) => {
      const fault = service.stage.faults.secretEndpoint()
      if (fault?.mode === 'slow')
        await pause(service.settings.clock, fault.delayMs ?? DEFAULT_DELAY_MS, reply)
      if (fault?.mode === 'error') throw new Error('The fault was asked for')
      if (fault?.mode === 'wrong-shape') return success({ secret: null })
      return success({ webhook_signature_secret: service.stage.state.organization.secret })
    },
  )
}

/** Also ends when the caller has gone. */
function pause(clock: Clock, milliseconds: number, { raw }: FastifyReply): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.after(milliseconds, resolve)
    raw.once('close', () => {
      stop()
      resolve()
    })
  })
}
