import { executableOf, prepare, RUNTIMES, startServer } from '../../tools/runtimes/runtimes.js'
import { v2Header } from '../contestants.js'
import { eventOf } from '../events.js'
import { atMost, round } from '../report.js'
import { inTurns, median } from '../rounds.js'
import { forge, v3Header } from '../signing.js'

const [KIB_64, MIB] = [65_536, 1_048_576]
/** How often each size is verified in one request, so that it takes some 50 ms. */
const TIMES = { 1500: 2_000, [KIB_64]: 100, [MIB]: 10 }
/** The most that the entry for the web may take, in multiples of that for Node on the same version. */
const MOST_OF_NODE = 4.5
/** The most that workerd may take for a forged MiB, in digests of it there. */
const MOST_DIGESTS = 5

/** Both entries of core on every runtime: v3, valid and forged, and v2. */
export async function runtimes({ rounds }) {
  await prepare()
  const rows = []
  const forged = new Map()
  for (const runtime of RUNTIMES.filter(executableOf)) {
    const entry = runtime.hasSync ? 'node' : 'web'
    console.error(`runtimes: ${runtime.name}, ${entry}`)
    const server = startServer(runtime)
    try {
      const port = await server.port
      for (const [size, times] of Object.entries(TIMES)) {
        const us = await measured(port, Number(size), times, Math.min(rounds, 5))
        forged.set(`${runtime.name}, ${entry}, ${size}`, us.forged)
        const ofNode = us.forged / forged.get(`${runtime.name}, node, ${size}`)
        const isLarge = Number(size) >= KIB_64
        rows.push({
          'runtime, entry, bytes': `${runtime.name}, ${entry}, ${size}`,
          'v3 us': round(us.valid),
          'forged us': round(us.forged),
          'v2 us': us.v2 && round(us.v2),
          'forged, web / node': cell(
            ofNode,
            entry === 'web',
            isLarge && /^node/.test(runtime.name),
            MOST_OF_NODE,
          ),
          'forged / digest': cell(
            us.forged / us.digest,
            true,
            runtime.name === 'workerd' && Number(size) === MIB,
            MOST_DIGESTS,
          ),
        })
      }
    } finally {
      await server.end()
    }
  }
  return [{ title: 'runtimes', rows }]
}

function cell(ratio, isShown, isBounded, bound) {
  if (!isShown || Number.isNaN(ratio)) return undefined
  return isBounded ? atMost(ratio, bound) : round(ratio)
}

/** The median time of each in microseconds, taken outside of the runtime. */
async function measured(port, size, times, rounds) {
  const { body } = eventOf('transaction', size)
  const v3 = v3Header(body)
  const contestants = {
    valid: { header: v3, accepted: 1 },
    forged: { header: forge(v3), accepted: 0 },
    digest: { header: v3, accepted: 0, query: '&digest' },
    // Adapters read no larger body where v2 is listed.
    ...(size === KIB_64 && { v2: { header: v2Header(body), accepted: 1 } }),
  }
  const millisecondsOf = async ({ header, accepted, query = '' }, count) => {
    const address = `http://127.0.0.1:${port}/work?times=${count}${query}`
    const started = performance.now()
    const response = await fetch(address, { method: 'POST', body, headers: { 'Service-Signature': header } })
    const result = await response.json()
    if (result.accepted !== accepted * count) throw new Error(`${result.accepted} of ${count} were accepted`)
    return performance.now() - started
  }
  for (const each of Object.values(contestants)) await millisecondsOf(each, times)
  const lists = await inTurns(contestants, rounds, async (each) => {
    const empty = await millisecondsOf(each, 0)
    return ((await millisecondsOf(each, times)) - empty) / times
  })
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, median(list) * 1000]))
}
