import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createVerifier } from '../index.js'
import type { ReceiverOptions } from '../receiver/options.js'
import { buildReceiver } from '../receiver/receiver.js'
import type { Outlet } from '../receiver/report.js'
import type { VerifiedWebhook } from '../webhook.js'
import { leaveUnread } from './leave-unread.js'
import { rawBody } from './raw-body.js'

/** A request and its answer, as the host and as Node have them. */
export interface Exchange<Request> {
  /** The host's own request, for the hooks and for a `secret` that depends on it. */
  readonly request: Request
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** A delivery whose header is fine. */
export interface NodeDelivery {
  /**
   * Verifies the body, and reads it unless a parser or a cloud function has left its bytes: as `rawBody` or `body` of one
   * of these objects.
   *
   * @throws {WebhookError} what to hand to the host
   */
  readonly accept: (...holders: readonly object[]) => Promise<VerifiedWebhook>
}

export interface NodeReceiver<Request> {
  /**
   * Looks at the header.
   *
   * @throws {WebhookError} what to hand to the host
   */
  readonly admit: (exchange: Exchange<Request>) => Promise<NodeDelivery>
  /** Where there is one, the adapter is the whole endpoint: dispatch, then 204. */
  readonly dispatch: ((webhook: VerifiedWebhook) => Promise<void>) | undefined
}

/**
 * Makes the core of an adapter.
 *
 * @param mend what to do, in this host, when another parser has taken the body
 */
export function createNodeReceiver<Request>(
  options: ReceiverOptions<Request>,
  mend: string,
): NodeReceiver<Request> {
  const { admit, dispatch, limits } = buildReceiver(options, createVerifier, outlet())
  return {
    dispatch,
    async admit({ request, req, res }) {
      try {
        const delivery = admit({
          request,
          // Repeated, Node joins it with a comma, and the grammar refuses what stands there twice.
          header: req.headers['service-signature'],
          encoding: req.headers['content-encoding'],
        })
        return {
          async accept(...holders) {
            try {
              return await delivery.accept(() => rawBody(req, holders, limits, mend))
            } catch (error) {
              await leaveUnread(req, res, 0)
              throw error
            }
          },
        }
      } catch (error) {
        await leaveUnread(req, res, limits.bodyLimit)
        throw error
      }
    },
  }
}

function outlet(): Outlet {
  const deliveries = channel('service-signature:delivery')
  let hasWarned = false
  return {
    publish(report) {
      if (deliveries.hasSubscribers) deliveries.publish(report)
    },
    warn(message, cause) {
      // Once: else a flood of junk is a flood of warnings.
      if (hasWarned) return
      hasWarned = true
      const detail = cause instanceof Error ? String(cause.stack) : 'it threw no Error'
      process.emitWarning(message, { type: 'ServiceSignatureWarning', detail })
    },
  }
}
