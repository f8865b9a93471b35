import { WebhookError } from '../errors.js'
import type { ExplainReport } from '../explain/report.js'
import type { VerifiedWebhook } from '../webhook.js'
import type { HookContext, Hooks } from './options.js'
import type { DeliveryReport, Outlet } from './report.js'

/** All who are told of one delivery: the hooks, and who counts deliveries. */
export interface Observers {
  /** What is known of it so far, for the report. */
  readonly known: Partial<Mutable<DeliveryReport>>
  readonly verified: (webhook: VerifiedWebhook) => void
  readonly accepted: (outcome: 'accepted' | 'duplicate') => void
  /**
   * Tells of a refusal.
   *
   * @returns the error to throw
   */
  readonly refused: (error: unknown) => unknown
  /** The store did something wrong, and the delivery did not suffer for it. */
  readonly storeFailed: (error: WebhookError) => void
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

export function observersOf<Request>(
  { onVerified, onRejected }: Hooks<Request>,
  { publish, warn }: Outlet,
  context: HookContext<Request>,
  explain: (error: WebhookError) => Promise<ExplainReport>,
): Observers {
  const start = performance.now()
  const known: Observers['known'] = {}

  const report = (outcome: DeliveryReport['outcome']) => {
    publish(() => ({ ...known, outcome, durationMs: performance.now() - start }))
  }
  /** A hook looks on. If it fails, that changes no answer. */
  const call = (hook: () => unknown, name: string) => {
    const failed = (error: unknown) => {
      warn(`${name} failed; the delivery was answered as if it had not`, error)
    }
    try {
      Promise.resolve(hook()).catch(failed)
    } catch (error) {
      failed(error)
    }
  }

  return {
    known,
    verified(webhook) {
      known.versions = webhook.versions
      call(() => onVerified?.(webhook, context), 'onVerified')
    },
    accepted: report,
    refused(error) {
      // Anything else is a programmer's error, and none of the sender's.
      if (!WebhookError.is(error)) return error
      known.code = error.code
      report('rejected')
      call(() => onRejected?.(error, { ...context, explain: () => explain(error) }), 'onRejected')
      return forHost(error)
    },
    storeFailed(error) {
      known.isUnprotected = true
      warn('The replay store failed: a delivery that comes again may be handled again', error)
    },
  }
}

/** Every 401 looks the same to the caller, so that a forger learns nothing from it. */
function forHost(error: WebhookError): WebhookError {
  return error.status === 401 ? new WebhookError('ERR_DELIVERY_REFUSED', { cause: error }) : error
}
