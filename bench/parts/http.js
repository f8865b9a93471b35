import { tamper } from '../contestants/check.js'
import { eventOf } from '../events.js'
import { headersOf, load } from '../http/load.js'
import { startServer } from '../http/server.js'
import { progress } from '../progress.js'
import { atLeast, round } from '../report/bounds.js'
import { inTurns, median } from '../rounds.js'

const HOSTS = ['express', 'koa', 'hapi']
const GUARDS = ['ours', 'unverified', 'stripe']

/** An endpoint in each host: ours, the same without verification, and the stripe recipe in its place. */
export async function http({ loadRounds, loadSeconds }) {
  const { body } = eventOf('transaction', 1_500)
  const measured = []
  for (const host of HOSTS)
    measured.push({ host, results: await underLoad(host, body, loadRounds, loadSeconds) })
  return [
    { title: 'http, ratios', rows: measured.map(ratiosOf) },
    { title: 'http, each endpoint', rows: measured.flatMap(endpointsOf) },
  ]
}

/**
 * @param {string} host
 * @param {Buffer} body
 * @param {number} rounds
 * @param {number} seconds
 */
async function underLoad(host, body, rounds, seconds) {
  /** @type {Record<string, Awaited<ReturnType<typeof startServer>>>} */
  const servers = {}
  try {
    for (const guard of GUARDS) {
      servers[guard] = await startServer(host, guard)
      await check(servers[guard], guard, body)
      progress('http', `${host}, ${guard}, warming up`)
      await load(servers[guard], body, seconds)
    }
    const turns = await inTurns(servers, rounds, (server, guard, round) => {
      progress('http', `${host}, ${guard}, round ${round + 1} of ${rounds}`)
      return load(server, body, seconds)
    })
    return Object.fromEntries(Object.entries(turns).map(([guard, results]) => [guard, middleOf(results)]))
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()))
  }
}

/** It accepts what is genuine, and nothing else but where nothing is verified. */
async function check({ url }, guard, body) {
  const headers = headersOf(body)
  const post = async (bytes) => (await fetch(url, { method: 'POST', headers, body: bytes })).status
  const genuine = await post(body)
  const tampered = await post(tamper(body))
  const refuses = tampered >= 400 && tampered < 500
  if (genuine !== 204 || refuses !== (guard !== 'unverified')) {
    throw new Error(`${guard} at ${url} answers ${genuine}, and to a tampered body ${tampered}`)
  }
}

function middleOf(results) {
  const middle = (name) => median(results.map((result) => result[name]))
  return { cpuUs: middle('cpuUs'), perSecond: middle('perSecond'), p99: middle('p99') }
}

function ratiosOf({ host, results: { ours, unverified, stripe } }) {
  const isBound = host === 'express'
  const perCpu = unverified.cpuUs / ours.cpuUs
  const perCpuOfStripe = stripe.cpuUs / ours.cpuUs
  return {
    host,
    'requests per CPU second, ours / unverified': isBound ? atLeast(perCpu, 0.85) : round(perCpu),
    'ours / stripe': isBound ? atLeast(perCpuOfStripe, 1) : round(perCpuOfStripe),
    'throughput, ours / unverified': round(ours.perSecond / unverified.perSecond),
    'throughput, ours / stripe': round(ours.perSecond / stripe.perSecond),
    'p99, ours / unverified': round(ours.p99 / unverified.p99),
    'p99, ours / stripe': round(ours.p99 / stripe.p99),
  }
}

function endpointsOf({ host, results }) {
  return Object.entries(results).map(([guard, { cpuUs, perSecond, p99 }]) => ({
    endpoint: `${host}, ${guard}`,
    'server CPU us per request': round(cpuUs),
    'requests per second': round(perSecond),
    'p99 ms': round(p99),
  }))
}
