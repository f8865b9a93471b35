import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { SECRET } from './service.js'

/** How the service responds to a request. */
export type Answer = (response: ServerResponse) => void

export interface SeenRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly closed: Promise<Closed>
}

/** The number of bytes that the service had sent when the connection was closed. */
interface Closed {
  readonly wholeAnswer: boolean
  readonly bytes: number
}

export interface PaymentService {
  readonly baseUrl: string
  readonly requests: readonly SeenRequest[]
  /** The next request that was not taken yet. */
  readonly nextRequest: () => Promise<SeenRequest>
  readonly stop: () => Promise<void>
}

/** The payment service on loopback, with faults on demand. It stops with the test. */
export async function startPaymentService(answer: Answer): Promise<PaymentService> {
  const requests: SeenRequest[] = []
  const server = createServer(({ method, url, headers, socket }, response) => {
    const closed = new Promise<Closed>((resolve) => {
      socket.on('close', () => {
        resolve({ wholeAnswer: response.writableFinished, bytes: socket.bytesWritten })
      })
    })
    requests.push({ method, url, headers, closed })
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
    async nextRequest() {
      while (requests.length <= taken) await once(server, 'seen')
      return requests[taken++]!
    },
    stop,
  }
}

/** The answer with the secret. */
export function secretAnswer(): Answer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(
      JSON.stringify({ status: { code: 200 }, data: { webhook_signature_secret: SECRET }, count: 1 }),
    )
  }
}

export function status(code: number, headers: Record<string, string>): Answer {
  return (response) => response.writeHead(code, headers).end()
}

/** No answer, ever. */
export function hang(): void {
  // The connection stays open.
}
