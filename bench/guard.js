// What a continuous integration can hold against every change: counts that do not depend on the clock, and ratios, with
// bounds so generous that only a real loss of speed breaks them. The bounds that it prints are the generous ones.
import { countRows } from './guard/counts.js'
import { heapRows } from './guard/heap.js'
import { recognize } from './parts/recognize.js'
import { refuse } from './parts/refuse.js'
import { v2 } from './parts/v2.js'
import { verify } from './parts/verify.js'
import { missed, widened } from './report/bounds.js'
import { toMarkdown } from './report/table.js'

const PACE = { rounds: 3, sizes: [1_500, 64_000] }
const V2_PACE = { rounds: 3, sizes: [8_000] }
/** How many times worse than DESIGN 8 a ratio may be. */
const SLACK = 2
const ATTEMPTS = 3
/** After this time of the process nothing is tried again, so that a failure too is known within a minute. */
const LATEST_RETRY_MS = 25_000

const counts = [
  { title: 'counts', rows: await countRows() },
  { title: 'retained heap after 10,000 deliveries', rows: await heapRows() },
]
const ratios = [
  ...(await attempt(verify, PACE)),
  ...(await attempt(v2, V2_PACE)),
  ...(await attempt(refuse, PACE)),
  ...(await attempt(recognize, PACE)),
]

const tables = [...counts, ...ratios]
for (const { title, rows } of tables) console.log(`\n${title}\n\n${toMarkdown(rows)}`)

const failures = missed(tables)
for (const failure of failures) console.error(`FAILED: ${failure}`)
console.log(failures.length === 0 ? '\nThe guard finds nothing.' : `\n${failures.length} failed.`)
process.exitCode = failures.length === 0 ? 0 : 1

/** What fails is measured again: a busy machine is slow once, and slow code every time. */
async function attempt(part, pace) {
  for (let attempts = 1; ; attempts++) {
    const tables = widened(await part(pace), SLACK)
    const isLast = attempts === ATTEMPTS || performance.now() > LATEST_RETRY_MS
    if (isLast || missed(tables).length === 0) return tables
  }
}
