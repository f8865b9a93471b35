import { EventEmitter, once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A connection to a server that can go silent, as if the network dropped every packet without closing it. */
export async function startProxy(serverPort: number) {
  const news = new EventEmitter()
  const sockets = new Set<Socket>()
  let isSilent = false

  const proxy = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isSilent) from.resume()
      else from.pipe(to)
    }
    news.emit('connection')
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  })

  return {
    port: (proxy.address() as AddressInfo).port,
    /** From now on nothing passes, on old connections and on new ones. */
    goSilent() {
      isSilent = true
      for (const socket of sockets) socket.unpipe().resume()
    },
    /** From now on new connections work. Those that are silent remain so. */
    heal() {
      isSilent = false
    },
    /** Resolves when the next connection is made. */
    connected: () => once(news, 'connection'),
  }
}
