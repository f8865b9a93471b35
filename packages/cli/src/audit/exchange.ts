import {
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import type { TcpNetConnectOpts } from 'node:net'
import type { Answer } from './answer.js'
import type { Delivery } from './delivery.js'
import { MANNERS } from './manners.js'
import type { Target } from './target.js'

// Of a longer answer, the beginning tells enough.
const MAX_ANSWER = 64 * 1024
const TIMED_OUT = 'TIMED_OUT'

/** Sends one delivery on a connection of its own, and gives what came of it. */
export async function exchange(target: Target, delivery: Delivery, timeoutSeconds: number): Promise<Answer> {
  return new Promise((resolve) => {
    const request = open(target, delivery)
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
      // What of the delivery has not left by now is not waited for.
      message.once('end', () => request.destroy())
    })
    request.on('error', ({ code }: NodeJS.ErrnoException) => {
      failure ??= code
    })
    request.once('close', () => {
      clearTimeout(timer)
      if (response !== undefined) resolve(answerOf(response, Buffer.concat(received)))
      else resolve(noAnswer(isConnected, failure, timeoutSeconds))
    })
    MANNERS[delivery.manner].send(request, delivery.body)
  })
}

function open(target: Target, { method, headers, body, manner }: Delivery): ClientRequest {
  const { url, lookup } = target
  const lines = [['Host', url.host], ...headers, MANNERS[manner].framing(body.length)]
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily'> = {
    method,
    // A flat list is sent as it stands here: in this order, with these capitals, and a name twice if it is there twice.
    headers: lines.flat(),
    lookup,
    autoSelectFamily: true,
    agent: false,
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

function noAnswer(isConnected: boolean, failure: string | undefined, timeoutSeconds: number): Answer {
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
