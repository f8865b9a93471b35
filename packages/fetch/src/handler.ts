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

/** Tells the replay store with which status the handler answered; with none where the sender did not hear it. */
export type Tell = (status: number | undefined) => Promise<void>

/**
 * The handler's answer. The replay store, if there is one, hears of it before the sender does: some runtimes (Workers)
 * stop all that is still at work once the answer is out.
 *
 * @throws {unknown} what the handler throws
 */
export async function answerInTurn(
  { signal }: Request,
  tell: Tell | undefined,
  handle: () => WebhookAnswer,
): Promise<Response> {
  if (tell === undefined) return answerOf(handle)
  let told: Promise<void> | undefined
  const tellOnce = (status?: number) => (told ??= tell(status))

  // A sender who hangs up comes back, and is not to wait until a handler that hangs lets go of the delivery.
  if (signal.aborted) void tellOnce()
  signal.addEventListener('abort', () => void tellOnce())
  let status: number | undefined
  try {
    const answer = await answerOf(handle)
    status = answer.status
    return answer
  } finally {
    await tellOnce(status)
  }
}

async function answerOf(handle: () => WebhookAnswer): Promise<Response> {
  const answer: unknown = await handle()
  if (answer === undefined) return new Response(null, { status: 204 })
  checkResponse(answer)
  return answer
}
