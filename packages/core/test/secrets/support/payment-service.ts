import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export const SECRET = 'whsec_of_the_organization'
export const NEW_SECRET = 'whsec_after_the_rotation'

/** What the service does with a request. */
export type Answer = (response: ServerResponse) => void

export interface SeenRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly closed: Promise<Closed>
}

/** How much had left the service when the connection was closed. */
interface Closed {
  readonly wholeAnswer: boolean
  readonly bytes: number
}

export interface PaymentService {
  readonly baseUrl: string
  readonly requests: readonly SeenRequest[]
  /** One answer for each request from now on, the last of them for all that follow. */
  readonly answerWith: (...answers: readonly Answer[]) => void
  /** Resolves when a request has come that was not asked for yet. */
  readonly nextRequest: () => Promise<SeenRequest>
  readonly stop: () => Promise<void>
}

/** The signature-key endpoint of S4.2 on loopback, with faults on demand. It stops with the test. */
export async function startPaymentService(...first: readonly Answer[]): Promise<PaymentService> {
  const requests: SeenRequest[] = []
  let answers = first
  const server = createServer(({ method, url, headers, socket }, response) => {
    const closed = new Promise<Closed>((resolve) => {
      socket.on('close', () => {
        resolve({ wholeAnswer: response.writableFinished, bytes: socket.bytesWritten })
      })
    })
    requests.push({ method, url, headers, closed })
    const [answer = hang, ...rest] = answers
    if (rest.length > 0) answers = rest
    answer(response)
    server.emit('seen')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  onTestFinished(stop)

  let taken = 0
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerWith(...next) {
      answers = next
    },
    async nextRequest() {
      while (requests.length <= taken) await once(server, 'seen')
      return requests[taken++]!
    },
    stop,
  }
}

/** The answer of S4.2. */
export function secretAnswer(secret: unknown = SECRET): Answer {
  return json({
    status: { code: 200, message: 'OK', errors: [] },
    data: { webhook_signature_secret: secret },
    count: 1,
    next: null,
    previous: null,
  })
}

export function json(value: unknown): Answer {
  return text(JSON.stringify(value), 'application/json')
}

export function text(body: string | Uint8Array, contentType = 'text/plain'): Answer {
  return (response) => response.writeHead(200, { 'Content-Type': contentType }).end(body)
}

/** A refusal, with the envelope of S7. It has a secret in it, which must go nowhere. */
export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(code, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify({ status: { code, message: SECRET, errors: [] }, data: null }))
  }
}

/** No answer, ever. */
export function hang(): void {
  // The connection stays open.
}
