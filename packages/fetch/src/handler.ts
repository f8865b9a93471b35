import type { VerifiedWebhook } from '@service-signature/core'
import type { VerifiedReception } from '@service-signature/core/receiver'
import { checkResponse } from './mistakes.js'

/**
 * Called with each valid delivery, its request, and the further arguments of the host. If it returns nothing,
 * the answer is 204.
 */
export type WebhookHandler<
  HostRequest extends Request = Request,
  Rest extends readonly unknown[] = readonly unknown[],
> = (webhook: VerifiedWebhook, request: HostRequest, ...rest: Rest) => WebhookAnswer

/** The result of a handler. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- for a handler without a `return`
export type WebhookAnswer = Response | undefined | void | Promise<Response | undefined | void>

/** The host calls it with each request. It may pass more arguments than the handler takes. */
export type RequestHandler<
  HostRequest extends Request = Request,
  Rest extends readonly unknown[] = readonly unknown[],
> = (request: HostRequest, ...rest: [...Rest, ...unknown[]]) => Promise<Response>

/** The handler's answer. When the sender hangs up, the handler still runs, and may succeed. */
export async function answerOf(
  delivery: VerifiedReception<Request>,
  handle: () => WebhookAnswer,
): Promise<Response> {
  const returned: unknown = await delivery.run(handle)
  const answer = returned === undefined ? new Response(null, { status: 204 }) : returned
  checkResponse(answer)
  return answer
}
