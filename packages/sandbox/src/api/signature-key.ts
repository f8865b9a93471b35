import type { FastifyReply } from 'fastify'
import type { Clock } from '../clock.js'
import { forAccount } from '../http/auth.js'
import { success } from '../http/envelope.js'
import { operation, type App } from '../http/operation.js'
import { organizationOf } from '../model/model.js'
import { exactly, text } from '../schema.js'
import type { Service } from '../service.js'

const DEFAULT_DELAY_MS = 10_000

/** The signing secret, or the answer of the fault that is set. */
export function signatureKey(app: App, service: Service): void {
  app.get(
    '/api/v1/organizations/get-webhook-signature-key/',
    {
      onRequest: forAccount(service),
      schema: operation({
        id: 'getWebhookSignatureKey',
        summary: 'The webhook signing secret',
        key: 'account',
        data: exactly({ webhook_signature_secret: text }),
      }),
    },
    async (_request, reply) => {
      const fault = service.faults.secretEndpoint()
      if (fault?.mode === 'slow')
        await pause(service.settings.clock, fault.delayMs ?? DEFAULT_DELAY_MS, reply)
      if (fault?.mode === 'error') throw new Error('The fault was asked for')
      if (fault?.mode === 'wrong-shape') return success({ secret: null })
      return success({ webhook_signature_secret: organizationOf(service).secret })
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
