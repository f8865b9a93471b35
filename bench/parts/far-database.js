// A thread with a database that is a millisecond away: a proxy on a port of its own, which it sends.
import { connect, createServer } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const MILLISECONDS = 1

const proxy = createServer((client) => {
  const server = connect(workerData.port, '127.0.0.1')
  for (const socket of [client, server]) socket.setNoDelay().on('error', () => undefined)
  // Only requests are held back: a round trip takes the same as if half of the time were spent on the way back.
  client.on('data', (bytes) => setTimeout(() => server.write(bytes), MILLISECONDS))
  client.on('close', () => server.destroy())
  server.on('close', () => client.destroy())
  server.pipe(client)
}).listen(0, '127.0.0.1', () => parentPort.postMessage(proxy.address().port))
