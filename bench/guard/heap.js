import { createVerifier, memoryReplayStore } from '@service-signature/core'
import { SECRET, v3Header } from '../contestants/signing.js'
import { eventOf } from '../events.js'
import { progress } from '../progress.js'
import { atMost } from '../report/bounds.js'

const DELIVERIES = 10_000
/** Half a pointer for each delivery. */
const MOST_KB = 40
/** What V8 itself puts on the heap comes once; what a delivery leaves there comes every time. */
const TRIES = 3

/** What is still on the heap after many deliveries, when all garbage is collected. */
export async function heapRows() {
  const { name, body } = eventOf('transaction', 1_500)
  const header = v3Header(body)
  const forged = header.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  const verifier = createVerifier({ secret: SECRET })
  const remembering = createVerifier({ secret: SECRET, replay: memoryReplayStore() })
  const cases = {
    verifySync: () => verifier.verifySync(body, header),
    verify: () => verifier.verify(body, header),
    'verify, forged': () => verifier.verify(body, forged).then(accepted, () => undefined),
    'receive, the same again and again': () => remembering.receive(body, header, () => undefined),
  }
  const rows = []
  for (const [call, run] of Object.entries(cases)) {
    progress('heap', call)
    await repeat(run)
    const grown = []
    for (let i = 0; i < TRIES; i++) grown.push(await growthOf(run))
    const retained = Math.max(0, Math.min(...grown))
    rows.push({ delivery: `${name}: ${call}`, 'KB retained': atMost(retained / 1000, MOST_KB) })
  }
  return rows
}

async function growthOf(run) {
  const before = heapBytes()
  await repeat(run)
  return heapBytes() - before
}

async function repeat(run) {
  for (let i = 0; i < DELIVERIES; i++) await run()
}

/** More than one collection: what waits for a finalizer goes with the second. */
function heapBytes() {
  for (let i = 0; i < 3; i++) globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function accepted() {
  throw new Error('this was to be refused')
}
