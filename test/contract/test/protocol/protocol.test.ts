import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../packages/core/test/support/runs.js'
import type { Reason } from './invariants.js'
import { check, runSchedule, schedules } from './run-schedule.js'
import { useSimulatedTime } from './simulated-time.js'
import type { Scenario, StoreKind } from './simulation.js'
import { STORES } from './stores/all.js'
import { IN_DYNAMODB } from './stores/fake-dynamodb.js'
import { IN_D1 } from './stores/fake-d1.js'
import { IN_MYSQL } from './stores/fake-mysql.js'
import { IN_OBJECTS } from './stores/fake-objects.js'
import { IN_POSTGRES } from './stores/fake-postgres.js'
import { inRedis, IN_REDIS } from './stores/fake-redis.js'
import { IN_SQLITE } from './stores/fake-sqlite.js'
import { IN_MEMORY } from './stores/in-memory.js'

useSimulatedTime()

describe.each(STORES)('over $name', (kind) => {
  const count = runs(100)

  it(
    `keeps its promises in ${count} schedules with crashes, lost answers and lapsed leases`,
    { timeout: 300_000 + count * 50 },
    async () => {
      await fc.assert(
        fc.asyncProperty(schedules, async ([scenario, scheduler]) => {
          check(await runSchedule(kind, scenario, scheduler))
        }),
        { numRuns: count },
      )
    },
  )
})

describe('the schedules', () => {
  const shared: Reason[] = [
    'a crash before the commit',
    'the commit was lost',
    'the lease ran out before the commit',
  ]
  const cases: readonly [StoreKind, readonly Reason[]][] = [
    [IN_MEMORY, ['another process, with its own store', 'the lease ran out before the commit']],
    [IN_REDIS, shared],
    [IN_POSTGRES[2]!, shared],
    [IN_MYSQL[3]!, shared],
    [IN_DYNAMODB[2]!, shared],
    [IN_D1[2]!, shared],
    [IN_OBJECTS, ['the commit was lost', 'the lease ran out before the commit']],
    [IN_SQLITE[2]!, shared],
  ]

  it.each(cases)('of $name reach each reason to handle a delivery again', async (kind, reasons) => {
    const missing = new Set(reasons)
    const search = fc.asyncProperty(schedules, async ([scenario, scheduler]) => {
      const { history } = await runSchedule(kind, scenario, scheduler)
      for (const reason of history.reasons) missing.delete(reason)
      return missing.size > 0
    })
    await fc.check(search, { numRuns: 2000, seed: 1, endOnFailure: true })
    expect([...missing]).toEqual([])
  })

  it('are printed step by step if they fail', async () => {
    const forgetful = inRedis('a store that forgets', { COMMIT: () => 1 })
    const scenario: Scenario = {
      workers: 1,
      hasDispatcher: true,
      events: [{ afterSteps: 0, type: 'request', delivery: 0 }],
      faults: ['none', 'none', 'none', 'answer lost'],
      statements: [],
      handlers: [{ steps: 0, ending: 'fails' }],
      lostResponses: [true],
    }
    const [scheduler] = fc.sample(fc.scheduler(), 1)
    const simulation = await runSchedule(forgetful, scenario, scheduler!)
    const thrown = () => {
      check(simulation)
    }
    expect(thrown).toThrowErrorMatchingInlineSnapshot(`
      [Error: a store that forgets violates "handled again only for a known reason": request 3 (delivery 1) is handled after request 2 (delivery 1) was
           0 s  sender: request 1 (delivery 1) reaches worker 1
           0 s  worker 1: CLAIM for request 1 (delivery 1)
           0 s  worker 1: CLAIM for request 1 (delivery 1): answered
           0 s  worker 1: handles request 1 (delivery 1)
           0 s  worker 1: fails to handle request 1 (delivery 1)
           0 s  worker 1: RELEASE for request 1 (delivery 1)
           0 s  worker 1: RELEASE for request 1 (delivery 1): answered
           0 s  sender: request 1 (delivery 1), response 500 is lost
           0 s  no more faults; retries are sent
           0 s  the clock jumps 61 s
          61 s  sender: request 2 (delivery 1) reaches worker 1
          61 s  worker 1: CLAIM for request 2 (delivery 1)
          61 s  worker 1: CLAIM for request 2 (delivery 1): answered
          61 s  worker 1: handles request 2 (delivery 1)
          61 s  worker 1: COMMIT for request 2 (delivery 1)
          61 s  worker 1: COMMIT for request 2 (delivery 1): answered
          61 s  sender: request 2 (delivery 1), response 204
          61 s  the clock jumps 61 s
         122 s  the clock jumps 61 s
         183 s  all deliveries are sent again, shortly before the stores may forget
         183 s  the clock jumps 86216 s
       86399 s  sender: request 3 (delivery 1) reaches worker 1
       86399 s  worker 1: CLAIM for request 3 (delivery 1)
       86399 s  worker 1: CLAIM for request 3 (delivery 1): answered
       86399 s  worker 1: handles request 3 (delivery 1)
       86399 s  worker 1: COMMIT for request 3 (delivery 1)
       86399 s  worker 1: COMMIT for request 3 (delivery 1): answered
       86399 s  sender: request 3 (delivery 1), response 204]
    `)
  })
})
