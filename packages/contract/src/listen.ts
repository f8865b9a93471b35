import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Running } from './host.js'

/** Starts a server of Node with this listener, for hosts that are not servers themselves. */
export async function listen(
  answer: (req: IncomingMessage, res: ServerResponse) => unknown,
): Promise<Running> {
  const server = createServer((req, res) => {
    answer(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}
