import type { CanonicalForm } from '@service-signature/core'
import { sign, type BodyStyle } from '@service-signature/core/testing'
import {
  reprint,
  STALE_SECONDS,
  type AttemptReport,
  type Cause,
  type Forgery,
} from '@service-signature/deliveries'
import { answerText, send, tamperBody } from '@service-signature/deliveries/node'
import { organizationOf, signingKey } from '../accounts/organization.js'
import type { Model } from '../faults/faults.js'
import type { Targets } from '../http/target.js'
import { compact } from '../store/table.js'
import { headersOf, type AttemptRecord, type Delivery } from './records.js'
import type { Verdict } from './verdict.js'

/** What the sandbox has found about an attempt. */
export interface AttemptFinding {
  /** What the attempt says about the endpoint, in a word and in a sentence. */
  readonly verdict: Verdict
  readonly verdictText: string
  /** Why the endpoint did not do what it must; undefined if it did. */
  readonly cause: Cause | undefined
  /** Whether it is a copy that the option `checks` sent. */
  readonly isCheck: boolean
}

/** The options that decide how events are sent. */
export interface DeliverySettings {
  readonly checks: 'none' | 'own' | 'all'
  readonly timeScale: number
  readonly bodyStyle: BodyStyle
  readonly canonicalForm: CanonicalForm
  readonly cardTokenEvents: boolean
  readonly keep: number
  readonly logger: (line: string) => void
  readonly onAttempt: ((report: AttemptReport, finding: AttemptFinding) => void) | undefined
}

/** What deliveries are sent with. */
export interface DeliveryTools extends Model {
  readonly settings: DeliverySettings
  readonly targets: Targets
  /** Where a browser reaches the sandbox. */
  readonly origin: string
}

/** How long an endpoint may take to answer. */
const TIMEOUT_MS = 10_000

/** How many characters of an answer are stored. */
const ANSWER_LENGTH = 4096

/** What a forger signs with who does not know the secret. */
const WRONG_SECRET = 'not_the_secret_of_this_sandbox'

type Answer = NonNullable<AttemptRecord['answer']>

const NO_FORGERIES: readonly Forgery[] = []

/** Sends a delivery once, with a new `t`. Returns undefined if the sandbox is closed before the attempt ends. */
export async function attempt(
  tools: DeliveryTools,
  delivery: Delivery,
  { forgeries, isCheck }: { readonly forgeries: readonly Forgery[]; readonly isCheck: boolean },
  ended: AbortSignal,
): Promise<AttemptRecord | undefined> {
  const { settings, targets, now } = tools
  const at = now()
  const timestamp = Math.floor(at / 1000) - (forgeries.includes('stale') ? STALE_SECONDS : 0)
  const original = delivery.body
  const signed = forgeries.includes('reprinted') ? reprint(original)! : original
  const body = forgeries.includes('tamper') ? tamperBody(original) : original
  const isForged = forgeries.includes('wrong-secret')
  const signature = forgeries.includes('no-signature')
    ? undefined
    : sign(signed, {
        secret: isForged ? WRONG_SECRET : organizationOf(tools).secret,
        apiKey: isForged ? WRONG_SECRET : signingKey(tools, delivery.scope, delivery.keyId),
        timestamp,
        canonicalForm: settings.canonicalForm,
      })
  // The address may have been stored by a sandbox with other options.
  const problem = targets.problemOf(delivery.url)
  const { answer, error } =
    problem === undefined
      ? await answerOf(tools, delivery.url, { headers: { ...headersOf(body, signature) }, body }, ended)
      : { error: `The address ${problem}` }
  if (ended.aborted) return undefined
  return {
    at,
    durationMs: now() - at,
    faults: forgeries.length === 0 ? NO_FORGERIES : forgeries,
    isCheck,
    status: answer?.status,
    error,
    signature,
    changedBody: body === original ? undefined : compact(body),
    answer,
  }
}

async function answerOf(
  { clock, targets: { lookup } }: DeliveryTools,
  url: string,
  message: { readonly headers: Record<string, string>; readonly body: string },
  ended: AbortSignal,
): Promise<{ readonly answer?: Answer; readonly error?: string }> {
  const aborted = new AbortController()
  const abort = () => aborted.abort()
  ended.addEventListener('abort', abort)
  const stop = clock.after(TIMEOUT_MS, abort)
  try {
    const { status, headers, body, failure } = await send(url, { ...message, lookup, signal: aborted.signal })
    if (failure !== undefined) throw failure
    return {
      answer: {
        status,
        headers: headers as Answer['headers'],
        body: answerText(headers, body).slice(0, ANSWER_LENGTH),
      },
    }
  } catch (error) {
    const isLate = aborted.signal.aborted
    return { error: isLate ? `There was no answer within ${TIMEOUT_MS / 1000} s` : (error as Error).message }
  } finally {
    stop()
    ended.removeEventListener('abort', abort)
  }
}
