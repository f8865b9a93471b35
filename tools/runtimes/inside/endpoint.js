import { deliveryKey } from '@service-signature/core'
import { serviceSignature } from '@service-signature/fetch'
import { setUp } from './setups.js'

/**
 * @typedef {import('./setups.js').Seen} Seen
 * @typedef {{ seen: Seen, receive: (request: Request) => Promise<Response> }} Endpoint
 */

/**
 * An endpoint, and what it has seen.
 *
 * @param {string} name of its setup
 * @param {string} service
 * @returns {Endpoint}
 */
export function openEndpoint(name, service) {
  /** @type {Seen} */
  const seen = { arrived: 0, handled: [], codes: [], told: [], findings: [], isFinished: false }
  const { options, dispatch, answer, isConsumed } = setUp(name, seen, service)
  const { onRejected } = options
  const observed = {
    ...options,
    onRejected: /** @type {NonNullable<typeof onRejected>} */ (
      (error, context) => {
        seen.codes.push(error.code)
        return onRejected?.(error, context)
      }
    ),
  }

  /** @param {import('@service-signature/core').VerifiedWebhook} webhook */
  const note = async (webhook) => {
    const { shape, type } = webhook.event
    seen.handled.push({ shape, type, sha256: await deliveryKey(webhook) })
  }
  const handle =
    dispatch === undefined
      ? serviceSignature(observed, async (webhook) => {
          await note(webhook)
          return answer === undefined ? new Response('handled') : answer()
        })
      : serviceSignature({
          ...observed,
          dispatcher: {
            async dispatch(webhook) {
              await note(webhook)
              dispatch(webhook)
            },
          },
        })
  return {
    seen,
    async receive(request) {
      seen.arrived += 1
      if (isConsumed === true) await request.text()
      return handle(request)
    },
  }
}
