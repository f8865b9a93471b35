import { EventEmitter, once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A connection to a server that can go silent, as if the network dropped every packet without closing it, or be cut off.
 */
export async function startProxy(serverPort: number) {
  const news = new EventEmitter()
  const sockets = new Set<Socket>()
  let isSilent = false
  let isDown = false
  let lostAnswer: string | undefined

  const proxy = createServer((client) => {
    if (isDown) {
      client.destroy()
      return
    }
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
    // Before the answer is passed on.
    server.prependListener('data', (data: Buffer) => {
      if (lostAnswer === undefined || !data.includes(lostAnswer)) return
      lostAnswer = undefined
      server.unpipe()
      client.destroy()
    })
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
    /** Cuts the connection on which the server next answers with this text. */
    loseNextAnswer(text: string) {
      lostAnswer = text
    },
    /** Cuts every connection, and each new one at once. */
    goDown() {
      isDown = true
      for (const socket of sockets) socket.destroy()
    },
    /** From now on new connections work. Those that are silent remain so. */
    heal() {
      isSilent = false
      isDown = false
    },
    /** Resolves when the next connection is made. */
    connected: () => once(news, 'connection'),
  }
}
