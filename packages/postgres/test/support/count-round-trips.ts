import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A connection to a server that counts the round trips of its clients: how often a client sends something after the
 * server has answered.
 */
export async function countRoundTrips(serverPort: number) {
  let roundTrips = 0
  const proxy = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    let isWaiting = false
    client.on('data', () => {
      if (!isWaiting) roundTrips++
      isWaiting = true
    })
    server.on('data', () => {
      isWaiting = false
    })
    client.pipe(server).on('error', () => client.destroy())
    server.pipe(client).on('error', () => server.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
  })
  return {
    port: (proxy.address() as AddressInfo).port,
    /** The round trips while `run` runs. */
    async during(run: () => Promise<unknown>): Promise<number> {
      const before = roundTrips
      await run()
      return roundTrips - before
    },
  }
}
