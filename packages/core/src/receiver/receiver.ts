import { WebhookError } from '../errors.js'
import type { SignatureHeaderValue } from '../header.js'
import { handleInTurn } from '../replay/guard.js'
import type { ReceivingOptions, Verifier } from '../verifier.js'
import type { VerifiedWebhook } from '../webhook.js'
import { Explainer, type LoadExplain } from './explanation.js'
import { checkReceiverOptions, type BodyLimits, type ReceiverOptions } from './options.js'
import { observersOf, type Observers } from './observers.js'
import type { Outlet } from './report.js'

/** What a request says before its body. */
export interface Arrival<Request> {
  /** The host's own object, for the hooks and for a `secret` that depends on the request. */
  readonly request: Request
  /** The value of `Service-Signature`. */
  readonly header: SignatureHeaderValue
  /** The value of `Content-Encoding`. */
  readonly encoding: string | null | undefined
}

/** A delivery on its way in, whose header is fine. */
export interface Delivery {
  /** Reads the body, and verifies it. */
  readonly accept: (read: () => Uint8Array | Promise<Uint8Array>) => Promise<AcceptedDelivery>
}

/** A delivery that is genuine and fresh. */
export interface AcceptedDelivery {
  readonly webhook: VerifiedWebhook
  /**
   * Handles it once: here, if there is a dispatcher.
   *
   * @param whenAnswered lets the adapter report, later, the status with which the next handler answered, or undefined
   *   if it threw. 2xx records the delivery as handled, anything else lets a retry be handled. The adapter must not
   *   report that the sender hung up: the handler still runs. Resolves when the store has answered
   * @returns the status of the answer, or undefined if the next handler answers
   */
  readonly handle: (whenAnswered: WhenAnswered) => Promise<HandledStatus | undefined>
}

export type WhenAnswered = (tell: (status: number | undefined) => Promise<void>) => void

/** 200 where it had been handled before, 204 where it was handled here. */
export type HandledStatus = 200 | 204

/** What all adapters do alike, whatever their host. */
export interface Receiver<Request> {
  /** @throws {WebhookError} what to hand to the host */
  readonly admit: (arrival: Arrival<Request>) => Delivery
  readonly limits: BodyLimits
}

/** What differs from runtime to runtime. */
export interface Runtime {
  readonly createVerifier: (options: ReceivingOptions) => Verifier
  readonly loadExplain: LoadExplain
  readonly outlet: Outlet
}

export function buildReceiver<Request>(
  options: ReceiverOptions<Request>,
  { createVerifier, loadExplain, outlet }: Runtime,
): Receiver<Request> {
  const { verifier, dispatcher, now, limits, hooks } = checkReceiverOptions(options, createVerifier)
  const explainer = new Explainer(loadExplain)

  async function handle(
    webhook: VerifiedWebhook,
    observers: Observers,
    whenAnswered: WhenAnswered,
  ): Promise<HandledStatus | undefined> {
    const turn = await verifier.takeTurn(webhook, observers.storeFailed).catch((error: unknown) => {
      throw observers.refused(error)
    })
    observers.accepted(turn.isDuplicate ? 'duplicate' : 'accepted')
    if (turn.isDuplicate) return 200
    if (dispatcher === undefined) {
      const { end } = turn
      // A redirect or a 304 is an answer of something else than the handler, and the sender does not take it for a yes.
      if (end !== undefined) whenAnswered((status = 500) => end(status >= 200 && status < 300))
      return undefined
    }
    await handleInTurn(turn, () => dispatcher.dispatch(webhook))
    return 204
  }

  return {
    limits,
    admit({ request, header, encoding }) {
      const context = { request }
      const arrival = now()
      let body: Uint8Array | undefined
      const observers = observersOf(hooks, outlet, context, (error) => {
        const options = async () => ({ ...(await verifier.optionsFor(context)), now: arrival })
        return explainer.explain({ error, header, body, options })
      })
      const { known } = observers
      try {
        const admission = verifier.admit(header, context)
        known.ageSeconds = arrival / 1000 - admission.timestamp
        checkEncoding(encoding)
        return {
          async accept(read) {
            try {
              body = await read()
              known.bodyBytes = body.byteLength
              const webhook = await admission.verifyInPlace(body)
              observers.verified(webhook)
              return { webhook, handle: (whenAnswered) => handle(webhook, observers, whenAnswered) }
            } catch (error) {
              throw observers.refused(error)
            }
          },
        }
      } catch (error) {
        throw observers.refused(error)
      }
    },
  }
}

/** The service signs what it sends as it is (S6.3). What was encoded on the way is not what was signed. */
function checkEncoding(encoding: string | null | undefined): void {
  const value = encoding?.trim().toLowerCase()
  if (value === undefined || value === '' || value === 'identity') return
  throw new WebhookError('ERR_BODY_ENCODED')
}
