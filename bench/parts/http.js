import { eventOf } from '../events.js'
import { load, startServer } from '../load.js'
import { atLeast, round } from '../report.js'
import { inTurns, median } from '../rounds.js'
import { stripeHeader, tamper, v3Header } from '../signing.js'

/** The least CPU that the recipe of stripe takes in the same place, relative to ours. */
const LEAST_OF_OURS = { express: 1.03, koa: 1.1, hapi: 1.15, fastify: 0.95, node: 1.03, hono: 0.92 }
const HOSTS = Object.keys(LEAST_OF_OURS)
const GUARDS = { ours: 'ours', unverified: 'unverified', stripe: 'stripe' }
const CONNECTIONS = 20

/** An endpoint in each host: ours, the same without verification, and one with the recipe of stripe. */
export async function http({ loadRounds, loadSeconds, hosts = HOSTS }) {
  const { body } = eventOf('transaction', 1_500)
  const ratios = []
  const endpoints = []
  for (const host of hosts) {
    const results = await underLoad(host, body, loadRounds, loadSeconds)
    ratios.push(ratiosOf(host, results))
    for (const [guard, { cpuUs, perSecond, p99 }] of Object.entries(results)) {
      endpoints.push({
        endpoint: `${host}, ${guard}`,
        'server CPU us per request': round(cpuUs),
        'requests per second': round(perSecond),
        'p99 ms': round(p99),
      })
    }
  }
  return [
    { title: 'http, ratios', rows: ratios },
    { title: 'http, each endpoint', rows: endpoints },
  ]
}

function ratiosOf(host, { ours, unverified, stripe }) {
  return {
    host,
    'CPU, stripe / ours': atLeast(stripe.cpuUs / ours.cpuUs, LEAST_OF_OURS[host]),
    'CPU, unverified / ours': round(unverified.cpuUs / ours.cpuUs),
    'CPU us over unverified, ours': round(ours.cpuUs - unverified.cpuUs),
    'over unverified, stripe': round(stripe.cpuUs - unverified.cpuUs),
    'throughput, ours / stripe': round(ours.perSecond / stripe.perSecond),
    'p99, ours / stripe': round(ours.p99 / stripe.p99),
  }
}

/**
 * For each guard of a host, the medians of its rounds. Each round has a process of its own: the same program is up to a
 * tenth faster or slower from one process to the next, for as long as it runs.
 */
async function underLoad(host, body, rounds, seconds) {
  const turns = await inTurns(GUARDS, rounds, async (guard, _name, round) => {
    console.error(`http: ${host}, ${guard}, round ${round + 1} of ${rounds}`)
    const server = await startServer(host, guard)
    try {
      await check(server, guard, body)
      const options = () => ({
        ...{ method: 'POST', connections: CONNECTIONS, duration: seconds },
        ...{ headers: headersOf(body), body },
      })
      // The compiler needs some seconds to end its work on a host such as Express.
      await load(server, options())
      return await load(server, options())
    } finally {
      await server.stop()
    }
  })
  const mediansOf = (results) =>
    Object.fromEntries(
      ['cpuUs', 'perSecond', 'p99'].map((name) => [name, median(results.map((result) => result[name]))]),
    )
  return Object.fromEntries(Object.entries(turns).map(([guard, results]) => [guard, mediansOf(results)]))
}

/** Throws unless the endpoint accepts a valid body, and refuses a tampered one if it verifies at all. */
async function check({ url }, guard, body) {
  const headers = headersOf(body)
  const post = async (bytes) => (await fetch(url, { method: 'POST', headers, body: bytes })).status
  const valid = await post(body)
  const tampered = await post(tamper(body))
  const refuses = tampered >= 400 && tampered < 500
  if (valid !== 204 || refuses !== (guard !== 'unverified')) {
    throw new Error(`${guard} at ${url} answers ${valid}, and ${tampered} to a tampered body.`)
  }
}

/** Signed now, because the endpoints check the time. Every endpoint gets the same headers. */
function headersOf(body) {
  return {
    'Content-Type': 'application/json',
    'Service-Signature': v3Header(body),
    'Stripe-Signature': stripeHeader(body),
  }
}
