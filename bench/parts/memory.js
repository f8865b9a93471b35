import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { atMost, round } from '../report.js'

// Large enough that there is no garbage collection while bytes are counted.
const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']
const MOST_GROWTH_KB = 200

/** Bytes that a delivery of 1.5 KB allocates, and whether any of them stay. */
export function memory({ before }) {
  console.error('memory')
  const [now, earlier] = [measured(), before === undefined ? undefined : measured(before)]
  const rows = Object.entries(now.allocated).map(([call, { heap, external }]) => ({
    call,
    'heap bytes': round(heap),
    'external bytes': round(external),
    ...(earlier && {
      'heap bytes before': round(earlier.allocated[call].heap),
      'external bytes before': round(earlier.allocated[call].external),
    }),
  }))
  const growth = { deliveries: now.deliveries, 'growth in KB': atMost(now.growth / 1000, MOST_GROWTH_KB) }
  return [
    { title: 'memory, allocated per delivery', rows },
    { title: 'memory, kept', rows: [growth] },
  ]
}

function measured(checkout) {
  const program = fileURLToPath(new URL('allocating.js', import.meta.url))
  const args = [...FLAGS, program, ...(checkout === undefined ? [] : [checkout])]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}
