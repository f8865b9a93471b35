import { listen } from '@service-signature/contract'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Runs an endpoint for the current test, and returns its address. A test among others at once gives its own hook. */
export async function serve(listener: RequestListener, onFinished = onTestFinished): Promise<string> {
  const { port, close } = await listen(listener)
  onFinished(close)
  return `http://127.0.0.1:${port}/webhooks`
}

/** The same for a server that does not speak HTTP. Returns its port. */
export async function serveSocket(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onSocket(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server.close(), 'close')
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return (server.address() as AddressInfo).port
}
