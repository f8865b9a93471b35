import fc from 'fast-check'
import { describe, it } from 'vitest'
import { runs } from '../../../core/test/support/runs.js'
import { check, runSchedule, schedules } from './run-schedule.js'
import { useSimulatedTime } from './simulated-time.js'
import { IN_MEMORY } from './stores/in-memory.js'
import { IN_POSTGRES } from './stores/fake-postgres.js'
import { IN_REDIS } from './stores/fake-redis.js'

useSimulatedTime()

describe.each([IN_MEMORY, IN_REDIS, ...IN_POSTGRES])('over $name', (kind) => {
  const count = runs(400)

  it(
    `keeps its promises in ${count} schedules with crashes, lost answers and lapsed leases`,
    async () => {
      await fc.assert(
        fc.asyncProperty(schedules, async ([scenario, scheduler]) => {
          check(await runSchedule(kind, scenario, scheduler))
        }),
        { numRuns: count },
      )
    },
    60_000 + count * 100,
  )
})
