import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { atMost, round } from '../report.js'

const PROGRAM = fileURLToPath(new URL('allocating.js', import.meta.url))
// Large enough that there is no garbage collection while bytes are counted.
const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']
const MOST_GROWTH_KB = 200

/** Bytes that a delivery of 1.5 KB allocates, and whether any of them stay. */
export function memory() {
  console.error('memory')
  const output = execFileSync(process.execPath, [...FLAGS, PROGRAM], { encoding: 'utf8' })
  const { allocated, deliveries, growth } = JSON.parse(output)
  const rows = Object.entries(allocated).map(([call, { heap, external }]) => ({
    call,
    'heap bytes': round(heap),
    'external bytes': round(external),
  }))
  const kept = { deliveries, 'growth in KB': atMost(growth / 1000, MOST_GROWTH_KB) }
  return [
    { title: 'memory, allocated per delivery', rows },
    { title: 'memory, kept', rows: [kept] },
  ]
}
