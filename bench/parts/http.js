import { eventOf } from '../events.js'
import { load, startServer } from '../load.js'
import { atLeast, atMost, round } from '../report.js'
import { inTurns, median } from '../rounds.js'
import { stripeHeader, tamper, v3Header } from '../signing.js'

/** The most CPU that ours may take, relative to the recipe of stripe in the same place. */
const MOST_OF_STRIPE = { express: 1, koa: 1, hapi: 1.1, fastify: undefined, node: undefined, hono: undefined }
const HOSTS = Object.keys(MOST_OF_STRIPE)
const GUARDS = { ours: 'ours', unverified: 'unverified', stripe: 'stripe' }
/** The least part of the work of an Express endpoint that is not ours. */
const LEAST_OF_UNVERIFIED = 0.87
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
  const againstStripe = ours.cpuUs / stripe.cpuUs
  const mostOfStripe = MOST_OF_STRIPE[host]
  const againstUnverified = unverified.cpuUs / ours.cpuUs
  return {
    host,
    'CPU, ours / stripe':
      mostOfStripe === undefined ? round(againstStripe) : atMost(againstStripe, mostOfStripe),
    'CPU, unverified / ours':
      host === 'express' ? atLeast(againstUnverified, LEAST_OF_UNVERIFIED) : round(againstUnverified),
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
    const server = await startServer('endpoint.js', [host, guard])
    try {
      await check(server, guard, body)
      const options = () => ({
        ...{ method: 'POST', connections: CONNECTIONS, duration: seconds },
        ...{ headers: headersOf(body), body },
      })
      // The compiler needs some seconds to end its work on a host such as Express.
      await load([server], options())
      return await load([server], options())
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
