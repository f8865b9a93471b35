import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { round } from '../report.js'

const PROGRAM = fileURLToPath(new URL('allocating.js', import.meta.url))
// Large enough that there is no garbage collection while bytes are counted.
const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']

/** Bytes that a delivery of 1.5 KB allocates. */
export function memory() {
  console.error('memory')
  const allocated = JSON.parse(execFileSync(process.execPath, [...FLAGS, PROGRAM], { encoding: 'utf8' }))
  const rows = Object.entries(allocated).map(([call, { heap, external }]) => ({
    call,
    'heap bytes': round(heap),
    'external bytes': round(external),
  }))
  return [{ title: 'memory, allocated per delivery', rows }]
}
