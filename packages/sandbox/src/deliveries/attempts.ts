import type { Clock } from '../clock.js'
import type { Forgery } from '../faults/faults.js'
import { tamper } from '../faults/tamper.js'
import { Attempt, headersOf, TIMEOUT_MS, type Delivery } from './delivery.js'
import { send, type Answer, type Message } from './send.js'
import type { Targets } from './target.js'

const STALE_SECONDS = 3600

export interface AttemptTools {
  readonly clock: Clock
  readonly targets: Targets
  /** Returns the value of `Service-Signature` for a body, at a time. */
  readonly sign: (delivery: Delivery, timestamp: number, isWithWrongSecret: boolean) => string
}

/** Sends a delivery once, with a new `t`. Returns undefined if the sandbox is closed before the attempt ends. */
export async function attempt(
  { clock, targets, sign }: AttemptTools,
  delivery: Delivery,
  forgeries: readonly Forgery[],
  ended: AbortSignal,
): Promise<Attempt | undefined> {
  const at = clock.now()
  const timestamp = Math.floor(at / 1000) - (forgeries.includes('stale') ? STALE_SECONDS : 0)
  const original = delivery.body
  const body = forgeries.includes('tamper') ? tamper(original) : original
  const signature = forgeries.includes('no-signature')
    ? undefined
    : sign(delivery, timestamp, forgeries.includes('wrong-secret'))
  const headers = headersOf(body, signature)
  // The address may have been stored by a sandbox with other options.
  const problem = targets.problemOf(delivery.url)
  const message = { headers: { ...headers }, body, lookup: targets.lookup }
  const outcome =
    problem === undefined
      ? await answerOf(delivery.url, message, clock, ended)
      : { error: `The address ${problem}` }
  if (ended.aborted) return undefined
  return new Attempt(delivery.text, {
    at,
    signature,
    changedBody: body === original ? undefined : body,
    faults: forgeries,
    ...outcome,
    durationMs: clock.now() - at,
  })
}

async function answerOf(
  url: string,
  message: Message,
  clock: Clock,
  ended: AbortSignal,
): Promise<{ readonly answer: Answer } | { readonly error: string }> {
  const over = new AbortController()
  const abort = () => {
    over.abort()
  }
  ended.addEventListener('abort', abort)
  const stop = clock.after(TIMEOUT_MS, abort)
  try {
    return { answer: await send(url, message, over.signal) }
  } catch (error) {
    const isLate = over.signal.aborted
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

/** The service does not document which answer it expects; the sandbox accepts every 2xx. */
export function isAccepted({ answer }: Attempt): boolean {
  return answer !== undefined && answer.status >= 200 && answer.status < 300
}
