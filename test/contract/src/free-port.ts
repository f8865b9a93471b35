import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that Linux, macOS and Windows give to connections, and to servers that ask for any port. */
const FIRST = 20_000
/** How many ports each process of the tests has for itself, and how many processes do not share any. */
const EACH = 500
const PROCESSES = 24

const own = FIRST + (Number(process.env['VITEST_POOL_ID'] ?? 0) % PROCESSES) * EACH
let next = process.pid % EACH

/**
 * A port of 127.0.0.1 on which nothing listens. The server of another test does not get it by chance: it would receive
 * what is sent to a process that was killed, or that is still starting.
 */
export async function freePort(): Promise<number> {
  const port = own + (next++ % EACH)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort()
    throw error
  }
  await once(server.close(), 'close')
  return port
}
