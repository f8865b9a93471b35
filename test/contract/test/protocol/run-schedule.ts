import fc from 'fast-check'
import type { Invariant } from './invariants.js'
import { newDelivery, Sender } from './sender.js'
import {
  Simulation,
  TIMES,
  type Scenario,
  type ScenarioEvent,
  type Scheduler,
  type StoreKind,
} from './simulation.js'
import { Worker } from './worker.js'

const afterSteps = fc.nat(6)
const events: fc.Arbitrary<ScenarioEvent> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      afterSteps,
      type: fc.constant('request'),
      delivery: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 2),
    }),
  },
  {
    weight: 2,
    // Longer than the time limit of a call to the store, the wait for a lock, and a lease.
    arbitrary: fc.record({
      afterSteps,
      type: fc.constant('jump'),
      seconds: fc.constantFrom(6, 11, 30, 61, 61, 61),
    }),
  },
  { weight: 1, arbitrary: fc.record({ afterSteps, type: fc.constant('crash'), worker: fc.nat(2) }) },
)

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  workers: fc.integer({ min: 1, max: 3 }),
  hasDispatcher: fc.boolean(),
  events: fc.array(events, { minLength: 1, maxLength: 10, size: 'max' }),
  faults: fc.array(
    fc.oneof(
      { weight: 20, arbitrary: fc.constant('none') },
      { weight: 1, arbitrary: fc.constantFrom('request lost', 'answer lost') },
    ),
    { maxLength: 40, size: 'max' },
  ),
  handlers: fc.array(
    fc.record({
      steps: fc.nat(20),
      ending: fc.constantFrom('succeeds', 'succeeds', 'fails', 'ignores an error', 'books after an error'),
    }),
    { maxLength: 6, size: 'max' },
  ),
  lostResponses: fc.array(fc.boolean(), { maxLength: 4 }),
  statements: fc.array(
    fc.oneof(
      { weight: 20, arbitrary: fc.constant('none') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'fails',
          'fails after its effect',
          'fails and ends the transaction',
          'is killed before',
          'is killed after',
        ),
      },
    ),
    { maxLength: 60, size: 'max' },
  ),
})

/** A schedule: the faults, and the order of the steps. */
export const schedules = fc.tuple(scenarios, fc.scheduler())

/** Runs a schedule to its end, and returns it with its violations. */
export async function runSchedule(
  kind: StoreKind,
  scenario: Scenario,
  scheduler: Scheduler,
): Promise<Simulation> {
  const simulation = new Simulation(kind, scenario, scheduler)
  const { workers, sender } = open(simulation)
  const deliveries = ['delivery 1', 'delivery 2', 'delivery 3'].map(newDelivery)

  for (const event of scenario.events) {
    await simulation.run(event.afterSteps)
    if (event.type === 'request') void sender.send(deliveries[event.delivery]!)
    else if (event.type === 'crash') workers[event.worker % workers.length]!.crash()
    else simulation.advance(event.seconds)
  }
  await simulation.run()
  await settle(simulation, sender)
  return simulation
}

/** Starts the workers and the sender of a schedule. */
export function open(simulation: Simulation) {
  const protect = simulation.kind.open(simulation)
  const workers = Array.from(
    { length: simulation.scenario.workers },
    (_, index) => new Worker(`worker ${index + 1}`, simulation, protect),
  )
  return { workers, sender: new Sender(simulation, workers) }
}

/** No more faults happen, retries are sent, and every promise must have been kept in the end. */
export async function settle(simulation: Simulation, sender: Sender): Promise<void> {
  simulation.note('no more faults; retries are sent')
  simulation.endFaults()
  for (let round = 0; round < 3; round++) {
    simulation.advance(TIMES.leaseSeconds + 1)
    await simulation.run()
    for (const delivery of sender.deliveries) if (!delivery.isAcknowledged) void sender.send(delivery)
    await simulation.run()
  }

  simulation.note('all deliveries are sent again, shortly before the stores may forget')
  simulation.advance(TIMES.ttlSeconds - 1 - simulation.elapsedSeconds)
  for (const delivery of sender.deliveries) void sender.send(delivery)
  await simulation.run()
  for (const delivery of sender.deliveries) simulation.history.ends(delivery)
  for (const client of simulation.clients) client.checkReleased()
}

/** An invariant was violated. The message has the schedule, step by step. */
class Violation extends Error {
  readonly invariant: Invariant

  constructor(invariant: Invariant, detail: string, { kind, trace }: Simulation) {
    super(`${kind.name} violates "${invariant}": ${detail}\n${trace.join('\n')}`)
    this.invariant = invariant
  }
}

export function check(simulation: Simulation): void {
  const [first] = simulation.history.violations
  if (first !== undefined) throw new Violation(first.invariant, first.detail, simulation)
}
