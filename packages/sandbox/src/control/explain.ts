import type { FastifyInstance } from 'fastify'
import type { Attempt, Delivery } from '../deliveries/delivery.js'
import { success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation } from '../http/operation.js'
import { unknown } from '../model/refusal.js'
import type { State } from '../model/state.js'
import type { Service } from '../service.js'
import { viewExplanation } from '../views/explanation.js'
import { getDelivery } from './deliveries.js'

const attemptQuery = {
  type: 'object',
  properties: {
    attempt: {
      type: 'string',
      pattern: '^[1-9][0-9]{0,8}$',
      description: 'Which, counted from 1. Default: the last',
    },
  },
} as const

/** Why an attempt verifies or does not, under the keys of now and at the time when it was made. */
export function explanations(app: FastifyInstance, service: Service): void {
  app.get<{ Params: { id: string }; Querystring: Infer<typeof attemptQuery> }>(
    '/deliveries/:id/explain/',
    {
      schema: operation(
        {
          summary: 'Why an attempt verifies or does not',
          isOwn: true,
          query: attemptQuery,
          data: { $ref: 'Explanation#' },
        },
        'id',
      ),
    },
    async ({ params, query }) => {
      const { state, deliveries } = service.stage
      const delivery = getDelivery(deliveries, params.id)
      const number = query.attempt === undefined ? delivery.attempts.length : Number(query.attempt)
      const attempt = delivery.attempts[number - 1]
      if (attempt === undefined) throw unknown('attempt', `There are ${delivery.attempts.length} attempts`)
      return success(viewExplanation(delivery, attempt, await explainAttempt(state, delivery, attempt)))
    },
  )
}

async function explainAttempt(state: State, { accountId, keyId }: Delivery, { at, headers, body }: Attempt) {
  // Loaded when it is asked for: most sandboxes are started by tests, and never are.
  const { explain, formatReport } = await import('@service-signature/explain')
  const report = await explain(body, headers['Service-Signature'], {
    secret: state.organization.secret,
    apiKey: state.keys.signing(accountId, keyId),
    versions: ['v1', 'v2', 'v3'],
    now: at,
    // Only the developer waits for it, so it may take longer than in an endpoint.
    timeLimitMilliseconds: 1000,
    bodyLimit: Infinity,
  })
  return { report, words: formatReport(report) }
}
