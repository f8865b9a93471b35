import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { VerifiedWebhook } from '../../src/entries/index.js'
import { createNodeReceiver, type ReceiverOptions } from '../../src/entries/node.js'

export interface Endpoint {
  readonly port: number
  readonly accepted: readonly VerifiedWebhook[]
  readonly errors: readonly unknown[]
  readonly close: () => Promise<void>
}

export interface EndpointSetup {
  readonly options: ReceiverOptions<IncomingMessage>
  /** Runs before the receiver gets the request. */
  readonly before?: (req: IncomingMessage) => unknown
  /** The objects on which a parser may have left bytes. */
  readonly holders?: (req: IncomingMessage) => readonly object[]
  /** The next handler. */
  readonly answer?: (req: IncomingMessage, res: ServerResponse) => unknown
  /** Waits for the end of the request before it answers with an error, as Express does. */
  readonly isPatient?: boolean
}

/** The smallest possible host: a server of Node around a receiver. */
export async function startEndpoint({
  options,
  before = () => undefined,
  holders = () => [],
  answer = (_req, res) => res.end('thanks'),
  isPatient = false,
}: EndpointSetup): Promise<Endpoint> {
  const accepted: VerifiedWebhook[] = []
  const errors: unknown[] = []
  const receiver = createNodeReceiver(options, 'in this host, follow the example')

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const reception = receiver.open({ request: req, req, res })
    try {
      await before(req)
      const checked = reception.checkHeader()
      const delivery = await checked.verify(await checked.readBody(...holders(req)))
      accepted.push(delivery.webhook)
      const status = await delivery.start()
      if (status === undefined) await answer(req, res)
      else res.writeHead(status).end()
    } catch (thrown) {
      const error = await reception.refuse(thrown)
      errors.push(error)
      if (isPatient && !req.complete) await once(req.resume(), 'end')
      res.writeHead((error as { status?: number }).status ?? 500).end('no')
    }
  }

  const server = createServer((req, res) => void handle(req, res)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    accepted,
    errors,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A connection of a sender, and the answers on it. */
export interface Sender {
  readonly socket: Socket
  readonly heard: () => string
  readonly closed: Promise<unknown>
  /** Resolves when so many answers have arrived. */
  readonly answers: (count: number) => Promise<string>
}

export async function sender(port: number): Promise<Sender> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let heard = ''
  socket.setEncoding('latin1').on('data', (text: string) => (heard += text))
  // Not once(), which an error would make reject.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  return {
    socket,
    heard: () => heard,
    closed,
    async answers(count) {
      while (heard.split('HTTP/1.1 ').length <= count) await once(socket, 'data')
      return heard
    },
  }
}

export function head(headers: Readonly<Record<string, string | number | undefined>>): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  )
  return `POST /webhooks HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`
}
