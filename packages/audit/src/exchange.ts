import {
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import type { TcpNetConnectOpts } from 'node:net'
import { framingOf, sendBody } from './send-body.js'
import type { Delivery } from './sender.js'
import type { Target } from './target.js'

/** A delivery, and how the endpoint answered it. */
export interface Exchange {
  readonly delivery: Delivery
  readonly answer: Answer
}

export type Answer = Answered | Unanswered

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

export interface ExchangeLimits {
  /** How long a delivery may take, its answer included. */
  readonly timeoutSeconds: number
  /** Ends it at once. */
  readonly signal: AbortSignal
}

// The first bytes of a longer answer are enough.
const MAX_ANSWER = 64 * 1024
const TIMED_OUT = 'TIMED_OUT'

/** Sends one delivery on a connection of its own, and returns the result. */
export async function exchange(
  target: Target,
  delivery: Delivery,
  { timeoutSeconds, signal }: ExchangeLimits,
): Promise<Answer> {
  return new Promise((resolve) => {
    const request = open(target, delivery, signal)
    let isConnected = false
    let failure: string | undefined
    let response: IncomingMessage | undefined
    const received: Buffer[] = []
    let length = 0

    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error('no answer in time'), { code: TIMED_OUT }))
    }, timeoutSeconds * 1000)

    request.once('socket', (socket) => {
      socket.once(isSecure(target) ? 'secureConnect' : 'connect', () => {
        isConnected = true
      })
    })
    request.once('response', (message) => {
      response = message
      message.on('data', (bytes: Buffer) => {
        received.push(bytes)
        length += bytes.length
        if (length > MAX_ANSWER) request.destroy()
      })
      // Whatever part of the delivery has not been sent yet is no longer needed.
      message.once('end', () => request.destroy())
    })
    request.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      failure ??= code ?? message
    })
    request.once('close', () => {
      clearTimeout(timer)
      if (response !== undefined) resolve(answerOf(response, Buffer.concat(received)))
      else resolve(noAnswer(isConnected, failure, timeoutSeconds))
    })
    sendBody(request, delivery.body, delivery.manner)
  })
}

function open(
  target: Target,
  { method, headers, body, manner }: Delivery,
  signal: AbortSignal,
): ClientRequest {
  const { url, lookup } = target
  const lines = [['Host', url.host], ...headers, framingOf(manner, body.length)]
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily'> = {
    method,
    // A flat list is sent as it is: in this order, with these capitals, and a name twice if it is listed twice.
    headers: lines.flat(),
    lookup,
    autoSelectFamily: true,
    agent: false,
    signal,
  }
  return isSecure(target) ? requestHttps(url, options) : requestHttp(url, options)
}

function isSecure({ url }: Target): boolean {
  return url.protocol === 'https:'
}

function answerOf({ statusCode, headers, rawHeaders }: IncomingMessage, received: Buffer): Answer {
  const body = received.toString()
  return {
    kind: 'answered',
    status: Number(statusCode),
    body,
    text: [...rawHeaders, body].join('\n'),
    date: Date.parse(headers.date ?? '') / 1000,
  }
}

function noAnswer(isConnected: boolean, failure: string | undefined, timeoutSeconds: number): Unanswered {
  const seconds = `in ${timeoutSeconds} s`
  if (failure?.startsWith('HPE_')) return { kind: 'unreachable', reason: 'no HTTP answer' }
  if (failure === TIMED_OUT) {
    return isConnected
      ? { kind: 'silent', reason: `no answer ${seconds}` }
      : { kind: 'unreachable', reason: `no connection ${seconds}` }
  }
  if (isConnected) return { kind: 'closed', reason: 'closed' }
  return { kind: 'unreachable', reason: `no connection (${String(failure)})` }
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
