import { sign } from '@service-signature/core/testing'
import { reprint, STALE_SECONDS, type Forgery } from '@service-signature/deliveries'
import { send, tamperBody } from '@service-signature/deliveries/node'
import { organizationOf, signingKey } from '../accounts/organization.js'
import { headersOf, type AttemptRecord, type Delivery } from './records.js'
import { compact } from '../store/table.js'
import type { DeliveryTools } from './tools.js'

/** How long an endpoint may take to answer. */
const TIMEOUT_MS = 10_000

/** How much of an answer is stored. */
const ANSWER_BYTES = 4096

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
  const abort = () => {
    aborted.abort()
  }
  ended.addEventListener('abort', abort)
  const stop = clock.after(TIMEOUT_MS, abort)
  try {
    const { status, headers, body, failure } = await send(url, { ...message, lookup, signal: aborted.signal })
    if (failure !== undefined) throw failure
    return {
      answer: { status, headers: headers as Answer['headers'], body: body.toString('utf8', 0, ANSWER_BYTES) },
    }
  } catch (error) {
    const isLate = aborted.signal.aborted
    return { error: isLate ? `There was no answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error) }
  } finally {
    stop()
    ended.removeEventListener('abort', abort)
  }
}

/** For a name with several addresses, the error is an AggregateError without a message of its own. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message === '' ? code! : message
}
