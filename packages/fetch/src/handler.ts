import type { VerifiedWebhook } from '@service-signature/core'
import { checkResponse } from './mistakes.js'

/**
 * Called with each delivery that is genuine and fresh, its request, and what else the host gave. Where it gives nothing,
 * the answer is 204.
 */
export type WebhookHandler<
  HostRequest extends Request = Request,
  Rest extends readonly unknown[] = readonly unknown[],
> = (webhook: VerifiedWebhook, request: HostRequest, ...rest: Rest) => WebhookAnswer

/** What a handler may give, or promise. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- what a handler without a `return` gives
export type WebhookAnswer = Response | undefined | void | Promise<Response | undefined | void>

/** What the host calls with each request. It may give more than the handler asks for. */
export type RequestHandler<
  HostRequest extends Request = Request,
  Rest extends readonly unknown[] = readonly unknown[],
> = (request: HostRequest, ...rest: [...Rest, ...unknown[]]) => Promise<Response>

/** Reports to the replay store with which status the handler answered; undefined if it threw. */
export type Tell = (status: number | undefined) => Promise<void>

/**
 * The handler's answer. The replay store, if there is one, gets it before the sender does: some runtimes (Workers) stop
 * all pending work once the answer is out. `request.signal` is not looked at: when the sender hangs up, the handler
 * still runs, and may succeed.
 *
 * @throws {unknown} what the handler throws
 */
export async function answerInTurn(tell: Tell | undefined, handle: () => WebhookAnswer): Promise<Response> {
  if (tell === undefined) return answerOf(handle)
  let status: number | undefined
  try {
    const answer = await answerOf(handle)
    status = answer.status
    return answer
  } finally {
    await tell(status)
  }
}

async function answerOf(handle: () => WebhookAnswer): Promise<Response> {
  const answer: unknown = await handle()
  if (answer === undefined) return new Response(null, { status: 204 })
  checkResponse(answer)
  return answer
}
