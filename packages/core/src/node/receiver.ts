import type { IncomingMessage, ServerResponse } from 'node:http'
import { createReceiver } from '../receiver.js'
import type { ReceiverOptions } from '../receiver/options.js'
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
  readonly accept: (...holders: readonly object[]) => Promise<AcceptedNodeDelivery>
}

/** A delivery that is genuine and fresh. */
export interface AcceptedNodeDelivery {
  readonly webhook: VerifiedWebhook
  /**
   * Handles it once: here, if there is a dispatcher; else the end of the next handler's response says whether it was
   * handled.
   *
   * @returns the status to answer with, or undefined if the next handler answers
   * @throws {WebhookError} what to hand to the host
   */
  readonly handle: () => Promise<200 | 204 | undefined>
  /**
   * Reports the status of the next handler's answer, in a host that does not end the response when the sender is gone.
   * The first report counts, and the end of the response is one.
   */
  readonly answered: (status: number) => void
}

export interface NodeReceiver<Request> {
  /**
   * Looks at the header.
   *
   * @throws {WebhookError} what to hand to the host
   */
  readonly admit: (exchange: Exchange<Request>) => Promise<NodeDelivery>
}

/**
 * Makes the core of an adapter.
 *
 * @param fix what to do, in this host, when the body of this request was read before; for `ERR_BODY_CONSUMED`
 */
export function createNodeReceiver<Request>(
  options: ReceiverOptions<Request>,
  fix: string | ((request: Request) => string),
): NodeReceiver<Request> {
  const { admit, limits } = createReceiver(options)
  return {
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
              const { webhook, handle } = await delivery.accept(() =>
                rawBody(req, holders, limits, () => (typeof fix === 'string' ? fix : fix(request))),
              )
              let answered: (status: number) => void = () => undefined
              return {
                webhook,
                handle: () => handle((tell) => (answered = onceAnswered(res, tell))),
                answered: (status) => {
                  answered(status)
                },
              }
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

/**
 * Reports the status when the response is ended. Neither `finish` nor `close` will do: they are about the connection,
 * and a handler whose sender is gone goes on, and may succeed.
 */
function onceAnswered(
  res: ServerResponse,
  tell: (status: number) => Promise<void>,
): (status: number) => void {
  let isAnswered = false
  const answered = (status: number) => {
    if (isAnswered) return
    isAnswered = true
    void tell(status)
  }
  const end = res.end.bind(res) as (...args: readonly unknown[]) => ServerResponse
  res.end = (...args: readonly unknown[]) => {
    end(...args)
    answered(res.statusCode)
    return res
  }
  return answered
}
