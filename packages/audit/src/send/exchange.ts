import { send, type Answer as HttpAnswer } from '@service-signature/deliveries/node'
import { framingOf, sendBody, type Manner } from './send-body.js'
import type { AuditRequest } from './sender.js'
import type { Target } from './target.js'

/** A delivery, and how the endpoint answered it. */
export interface Exchange {
  readonly delivery: AuditRequest
  readonly answer: Answer
}

export type Answer = Answered | Unanswered | Lost

export interface Answered {
  readonly kind: 'answered'
  readonly status: number
  readonly body: string
  /** The headers and the body. */
  readonly text: string
  /** The endpoint's clock, as a Unix time in seconds; NaN if it sends no `Date`. */
  readonly date: number
}

/**
 * - `closed`: the endpoint closed the connection without an answer
 * - `silent`: it did not answer in time
 * - `unreachable`: there was no connection, or the server does not speak HTTP
 */
export interface Unanswered {
  readonly kind: 'closed' | 'silent' | 'unreachable'
  readonly reason: string
}

/** The sender has hung up, as it was to do, and does not know the answer. */
export interface Lost {
  readonly kind: 'lost'
  readonly reason: string
}

const LOST: Lost = { kind: 'lost', reason: 'answer lost' }

export interface ExchangeLimits {
  /** How long a delivery may take, its answer included. */
  readonly timeoutSeconds: number
  /** Ends it at once. */
  readonly signal: AbortSignal
}

// The first bytes of a longer answer are enough.
const MAX_ANSWER = 64 * 1024

/** Sends one delivery on a connection of its own, and returns the result. */
export async function exchange(
  { url, lookup }: Target,
  { method, headers, body, manner }: AuditRequest,
  { timeoutSeconds, signal }: ExchangeLimits,
): Promise<Answer> {
  const late = AbortSignal.timeout(timeoutSeconds * 1000)
  let isConnected = false
  try {
    const answer = await send(url, {
      method,
      headers: [['Host', url.host], ...headers, framingOf(manner, body.length)].flat(),
      lookup,
      signal: AbortSignal.any([signal, late]),
      body(request) {
        request.once('socket', (socket) => {
          socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
            isConnected = true
          })
        })
        sendBody(request, body, manner)
      },
    })
    return taken(answered(answer), manner)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return taken(noAnswer(isConnected, late.aborted ? undefined : (code ?? message), timeoutSeconds), manner)
  }
}

/** What the sender knows: if it hangs up, an answer that was quicker is lost, too. */
function taken(answer: Answer, manner: Manner): Answer {
  const isLost = manner === 'hang-up' && ['answered', 'closed'].includes(answer.kind)
  return isLost ? LOST : answer
}

function answered({ status, headers, rawHeaders, body: bytes }: HttpAnswer): Answer {
  const body = bytes.toString('utf8', 0, MAX_ANSWER)
  return {
    kind: 'answered',
    status,
    body,
    text: [...rawHeaders, body].join('\n'),
    date: Date.parse(headers.date ?? '') / 1000,
  }
}

/** What counts as the answer of a delivery for which there was no time. */
export function notSent(withinSeconds: number): Unanswered {
  return { kind: 'silent', reason: `not sent within ${withinSeconds} s` }
}

/** Without a failure, the time is over. */
function noAnswer(isConnected: boolean, failure: string | undefined, timeoutSeconds: number): Unanswered {
  const seconds = `in ${timeoutSeconds} s`
  if (failure?.startsWith('HPE_')) return { kind: 'unreachable', reason: 'no HTTP answer' }
  if (failure === undefined) {
    return isConnected
      ? { kind: 'silent', reason: `no answer ${seconds}` }
      : { kind: 'unreachable', reason: `no connection ${seconds}` }
  }
  if (isConnected) return { kind: 'closed', reason: 'closed' }
  return { kind: 'unreachable', reason: `no connection (${failure})` }
}

/** A 2xx: the endpoint has taken the delivery. */
export function isAcknowledgement(answer: Answer): boolean {
  return isOfClass(2, answer)
}

/** A 4xx: the endpoint has refused it, and says that the sender is at fault. */
export function isRefusal(answer: Answer): boolean {
  return isOfClass(4, answer)
}

/** Describes the answer in a few words, none of which the endpoint chose. */
export function describeAnswer(answer: Answer): string {
  if (answer.kind !== 'answered') return answer.reason
  // No redirect is followed: the delivery is lost.
  return isOfClass(3, answer) ? `${answer.status} (redirect)` : String(answer.status)
}

function isOfClass(first: number, answer: Answer): boolean {
  return answer.kind === 'answered' && Math.floor(answer.status / 100) === first
}
