// How much memory deliveries take, in a process of its own: `node --expose-gc allocating.js`. Prints JSON.
import { createVerifier } from '@service-signature/core'
import { setImmediate } from 'node:timers/promises'
import { v2Header } from '../contestants.js'
import { eventOf } from '../events.js'
import { median } from '../rounds.js'
import { SECRET, v3Header } from '../signing.js'

// Few enough that nothing is collected in between, in the young generation that the process is started with.
const COUNTED = 200
const ROUNDS = 15
const WARMUP = 20_000

const { body } = eventOf('transaction', 1_500)
const [v3, v2] = [createVerifier({ secret: SECRET }), createVerifier({ secret: SECRET, versions: ['v2'] })]
const [header, canonical] = [v3Header(body), v2Header(body)]

const CALLS = {
  'signature alone': () => v3.verifySignatureSync(body, header),
  full: () => v3.verifySync(body, header),
  'full, async': () => v3.verify(body, header),
  'v2, signature alone': () => v2.verifySignatureSync(body, canonical),
  'JSON.parse alone': () => JSON.parse(body.toString()),
}

const allocated = {}
for (const [name, call] of Object.entries(CALLS)) {
  for (let i = 0; i < WARMUP; i++) await call()
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await bytesOf(call))
  const medianOf = (kind) => median(rounds.map((bytes) => bytes[kind]))
  allocated[name] = { heap: medianOf('heapUsed'), external: medianOf('external') }
}

async function bytesOf(call) {
  globalThis.gc()
  // Memory outside of the heap is released a little later.
  await setImmediate()
  globalThis.gc()
  const before = process.memoryUsage()
  for (let i = 0; i < COUNTED; i++) await call()
  const after = process.memoryUsage()
  return {
    heapUsed: (after.heapUsed - before.heapUsed) / COUNTED,
    external: (after.external - before.external) / COUNTED,
  }
}

process.stdout.write(JSON.stringify(allocated))
