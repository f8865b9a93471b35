import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

// In a process of its own, which ends if its heap needs more than so many megabytes.
function run(megabytes: number, program: string, ...args: readonly (string | number)[]): unknown {
  const options = [`--max-old-space-size=${megabytes}`, '--expose-gc', '--input-type=module', '-e', program]
  const output = execFileSync(process.execPath, [...options, ...args.map(String)], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  return JSON.parse(output)
}

const PROGRAM = `
  import { memoryReplayStore } from '@service-signature/core'
  import { createHash } from 'node:crypto'

  const store = memoryReplayStore({ maxEntries: Number(process.argv[1]) })
  const key = (i) => createHash('sha256').update(String(i)).digest('hex')
  let most = 0
  for (let i = 0; i < 1_000_000; i++) {
    const { token } = store.claim(key(i))
    if (process.argv[2] === 'commit') store.commit(key(i), token)
    most = Math.max(most, store.size)
  }
  gc()
  const { heapUsed } = process.memoryUsage()
  const ends = [999_999, 0].map((i) => store.claim(key(i)).status)
  console.log(JSON.stringify({ most, ends, heapUsed }))`

it.each([
  ['claim', 'in-progress'],
  ['commit', 'done'],
] as const)(
  'a million distinct keys stay within the limit of the memory store, which drops the oldest first: %s',
  (step, last) => {
    expect(run(200, PROGRAM, 100_000, step)).toMatchObject({ most: 100_000, ends: [last, 'new'] })
  },
)

it('a million remembered deliveries stay under 200 MB', () => {
  const { most, ends, heapUsed } = run(200, PROGRAM, 1_000_000, 'commit') as Record<string, unknown>
  expect({ most, ends }).toEqual({ most: 1_000_000, ends: ['done', 'done'] })
  expect(heapUsed).toBeLessThan(200e6)
})

it('deliveries that fail and are retried leave nothing in memory', () => {
  const program = `
    import { memoryReplayStore } from '@service-signature/core'
    const store = memoryReplayStore()
    store.claim('held all the time')
    for (let i = 0; i < 1_000_000; i++) {
      const key = 'delivery number ' + i
      store.release(key, store.claim(key).token)
    }
    console.log(store.size)`
  expect(run(30, program)).toBe(1)
})
