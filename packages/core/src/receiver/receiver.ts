import { WebhookError } from '../errors.js'
import type { SignatureHeaderValue } from '../header.js'
import type { VerifierOptions } from '../settings.js'
import type { Verifier } from '../verifier.js'
import type { VerifiedWebhook } from '../webhook.js'
import { checkReceiverOptions, type BodyLimits, type ReceiverOptions } from './options.js'
import type { DeliveryReport, Outlet } from './report.js'

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
  readonly accept: (read: () => Uint8Array | Promise<Uint8Array>) => Promise<VerifiedWebhook>
}

/** What all adapters do alike, whatever their host. */
export interface Receiver<Request> {
  /** @throws {WebhookError} what to hand to the host */
  readonly admit: (arrival: Arrival<Request>) => Delivery
  readonly limits: BodyLimits
  /** Where there is one, the adapter is the whole endpoint. */
  readonly dispatch: ((webhook: VerifiedWebhook) => Promise<void>) | undefined
}

export function buildReceiver<Request>(
  options: ReceiverOptions<Request>,
  createVerifier: (options: VerifierOptions) => Verifier,
  { publish, warn }: Outlet,
): Receiver<Request> {
  const { verifier, dispatcher, onVerified, onRejected, now, ...limits } = checkReceiverOptions(
    options,
    createVerifier,
  )

  function admit({ request, header, encoding }: Arrival<Request>): Delivery {
    const start = performance.now()
    const known: Partial<Mutable<DeliveryReport>> = {}

    const report = (outcome: DeliveryReport['outcome']) => {
      publish({ ...known, outcome, durationMs: performance.now() - start })
    }
    /** The error to throw, once all who are to know of it do. */
    const refusal = (error: unknown): unknown => {
      // Anything else is a programmer's error, and none of the sender's.
      if (!WebhookError.is(error)) return error
      known.code = error.code
      report('rejected')
      call(() => onRejected?.(error, { request }), 'onRejected')
      return forHost(error)
    }

    try {
      const admission = verifier.admit(header, { request })
      known.ageSeconds = now() / 1000 - admission.timestamp
      checkEncoding(encoding)
      return {
        async accept(read) {
          try {
            const body = await read()
            known.bodyBytes = body.byteLength
            const webhook = await admission.verify(body)
            known.versions = webhook.versions
            report('accepted')
            call(() => onVerified?.(webhook, { request }), 'onVerified')
            return webhook
          } catch (error) {
            throw refusal(error)
          }
        },
      }
    } catch (error) {
      throw refusal(error)
    }
  }

  /** A hook looks on. If it fails, that changes no answer. */
  function call(hook: () => unknown, name: string): void {
    const failed = (error: unknown) => {
      warn(`${name} failed; the delivery was answered as if it had not`, error)
    }
    try {
      Promise.resolve(hook()).catch(failed)
    } catch (error) {
      failed(error)
    }
  }

  return { admit, limits, dispatch: dispatcher && ((webhook) => dispatcher.dispatch(webhook)) }
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** The service signs what it sends as it is (S6.3). What was encoded on the way is not what was signed. */
function checkEncoding(encoding: string | null | undefined): void {
  const value = encoding?.trim().toLowerCase()
  if (value === undefined || value === '' || value === 'identity') return
  throw new WebhookError('ERR_BODY_ENCODED')
}

/** Every 401 looks the same to the caller, so that a forger learns nothing from it. */
function forHost(error: WebhookError): WebhookError {
  return error.status === 401 ? new WebhookError('ERR_DELIVERY_REFUSED', { cause: error }) : error
}
