import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Running, Setup } from './host.js'

type Listener = (req: IncomingMessage, res: ServerResponse) => unknown

/** Starts a server of Node with this listener, for hosts that are not servers themselves. */
export async function listen(answer: Listener, { isHttp2 }: Pick<Setup, 'isHttp2'> = {}): Promise<Running> {
  // Not `createServer(answer)`: what a listener returns is not for the server.
  const server = isHttp2 === true ? createHttp2Server() : createServer()
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    answer(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server.close(), 'close')
      // The suite has destroyed the sessions of HTTP/2.
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}
