import autocannon from 'autocannon'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { hasPackage } from '../before.js'
import { eventOf } from '../events.js'
import { atLeast, atMost, round } from '../report.js'
import { inTurns, median } from '../rounds.js'
import { stripeHeader, tamper, v3Header } from '../signing.js'

/** The most CPU that ours may take, relative to the recipe of stripe in the same place. */
const MOST_OF_STRIPE = { express: 1, koa: 1, hapi: 1.1, fastify: undefined, node: undefined, hono: undefined }
const HOSTS = Object.keys(MOST_OF_STRIPE)
/** Which package is the adapter of a host, if it has another name. */
const ADAPTERS = { hono: 'fetch' }
/** The least part of the work of an Express endpoint that is not ours. */
const LEAST_OF_UNVERIFIED = 0.87
const CONNECTIONS = 20
const ANSWER_MS = 20_000

/** An endpoint in each host: ours, the same without verification, and one with the recipe of stripe. */
export async function http({ loadRounds, loadSeconds, before, hosts = HOSTS }) {
  const { body } = eventOf('transaction', 1_500)
  const ratios = []
  const endpoints = []
  for (const host of hosts) {
    const guards = { ours: [], unverified: [], stripe: [] }
    if (before !== undefined && hasPackage(ADAPTERS[host] ?? host, before)) guards.before = [before]
    const results = await underLoad(host, guards, body, loadRounds, loadSeconds)
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

function ratiosOf(host, { ours, unverified, stripe, before }) {
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
    ...(before && { 'over unverified, before': round(before.cpuUs - unverified.cpuUs) }),
    'throughput, ours / stripe': round(ours.perSecond / stripe.perSecond),
    'p99, ours / stripe': round(ours.p99 / stripe.p99),
  }
}

/**
 * For each guard of a host, the medians of its rounds. Each round has a process of its own: the same program is up to a
 * tenth faster or slower from one process to the next, for as long as it runs.
 */
async function underLoad(host, guards, body, rounds, seconds) {
  const turns = await inTurns(guards, rounds, async (checkout, guard, round) => {
    console.error(`http: ${host}, ${guard}, round ${round + 1} of ${rounds}`)
    const server = await startServer(host, guard === 'before' ? 'ours' : guard, checkout)
    try {
      await check(server, guard, body)
      // The compiler needs some seconds to end its work on a host such as Express.
      await load(server, body, seconds)
      return await load(server, body, seconds)
    } finally {
      const gone = once(server.child, 'exit')
      server.child.kill('SIGKILL')
      await gone
    }
  })
  const medianOf = (results, name) => median(results.map((result) => result[name]))
  return Object.fromEntries(
    Object.entries(turns).map(([guard, results]) => [
      guard,
      {
        cpuUs: medianOf(results, 'cpuUs'),
        perSecond: medianOf(results, 'perSecond'),
        p99: medianOf(results, 'p99'),
      },
    ]),
  )
}

/** Starts an endpoint in a process of its own. */
async function startServer(host, guard, checkout) {
  const program = fileURLToPath(new URL('endpoint.js', import.meta.url))
  const child = fork(program, [host, guard, ...checkout], { execArgv: [] })
  const answer = async () => (await once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS) }))[0]
  const { port } = await answer()
  return {
    child,
    url: `http://127.0.0.1:${port}/webhooks`,

    /** The CPU time of the process so far, in microseconds. */
    async cpuTime() {
      child.send('cpu')
      return (await answer()).cpu
    },
  }
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

/** Sends one delivery to a server again and again, for some seconds. */
async function load(server, body, seconds) {
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
  // The histogram of autocannon has a resolution of 1 ms, which is about the duration of a request.
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

/** Signed now, because the endpoints check the time. Every endpoint gets the same headers. */
function headersOf(body) {
  return {
    'Content-Type': 'application/json',
    'Service-Signature': v3Header(body),
    'Stripe-Signature': stripeHeader(body),
  }
}
