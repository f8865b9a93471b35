// Checks that fit every change: counts, which do not depend on the clock, and ratios with bounds so generous that only a
// real loss of speed breaks them. It prints the generous bounds.
import { countRows } from './counts.js'
import { recognize, refuse, v2, verify } from './parts/verifier.js'
import { missed, toMarkdown, widened } from './report.js'

const PACE = { rounds: 3, sizes: [1_500, 64_000] }
const V2_PACE = { rounds: 3, sizes: [8_000] }
/** A ratio may be this many times worse than in the bench. */
const SLACK = 2
const ATTEMPTS = 3
/** After this time nothing is measured again, so that a failure too is known within a minute. */
const LATEST_RETRY_MS = 25_000

const tables = [
  { title: 'counts', rows: await countRows() },
  ...(await attempt(verify, PACE)),
  ...(await attempt(v2, V2_PACE)),
  ...(await attempt(refuse, PACE)),
  ...(await attempt(recognize, PACE)),
]
for (const { title, rows } of tables) console.log(`\n${title}\n\n${toMarkdown(rows)}`)

const failures = missed(tables)
for (const failure of failures) console.error(`FAILED: ${failure}`)
console.log(failures.length === 0 ? '\nAll checks passed.' : `\n${failures.length} failed.`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Measures a part again when it fails: a busy machine is slow once, slow code every time. */
async function attempt(part, pace) {
  for (let attempts = 1; ; attempts++) {
    const tables = widened(await part(pace), SLACK)
    const isLast = attempts === ATTEMPTS || performance.now() > LATEST_RETRY_MS
    if (isLast || missed(tables).length === 0) return tables
  }
}
