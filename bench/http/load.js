import autocannon from 'autocannon'
import { stripeHeader, v3Header } from '../contestants/signing.js'

const CONNECTIONS = 20

/**
 * Plays one delivery at a server, again and again, for some seconds.
 *
 * @param {Awaited<ReturnType<typeof import('./server.js').startServer>>} server
 * @param {Buffer} body
 * @param {number} seconds
 */
export async function load(server, body, seconds) {
  /** @type {number[]} */
  const latencies = []
  const before = await server.cpuTime()
  const run = autocannon({
    url: server.url,
    method: 'POST',
    connections: CONNECTIONS,
    duration: seconds,
    headers: headersOf(body),
    body,
  })
  // The histogram of autocannon is of whole milliseconds, which is as long as an answer takes.
  run.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds))
  const result = await run
  const cpu = (await server.cpuTime()) - before

  const answered = result['2xx']
  if (answered === 0 || result.non2xx > 0 || result.errors > 0) {
    throw new Error(`under load: ${answered} accepted, ${result.non2xx} refused, ${result.errors} failed`)
  }
  latencies.sort((a, b) => a - b)
  return {
    cpuUs: cpu / answered,
    perSecond: answered / result.duration,
    p99: latencies[Math.floor(latencies.length * 0.99)],
  }
}

/**
 * What every delivery brings, whoever receives it. Fresh, since the endpoints look at the clock.
 *
 * @param {Buffer} body
 */
export function headersOf(body) {
  return {
    'Content-Type': 'application/json',
    'Service-Signature': v3Header(body),
    'Stripe-Signature': stripeHeader(body),
  }
}
