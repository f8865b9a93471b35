import type { ReplayStore } from '@service-signature/core'
import type { VerifiedDelivery } from '@service-signature/inbox'
import type { Inbox as SqliteInbox } from '@service-signature/sqlite'
import { setImmediate } from 'node:timers/promises'
import { vi } from 'vitest'
import { History, type Attempt } from './invariants.js'
import type { FakeConnection } from './stores/fake-sqlite.js'

/** The times of every store, in seconds. */
export const TIMES = { leaseSeconds: 60, ttlSeconds: 86_400 } as const

/** The faults and events of a schedule. Each list is used in its order; after its end there are no more faults. */
export interface Scenario {
  readonly workers: number
  /** Whether the handler is called by a dispatcher, or is the next handler of the host. */
  readonly hasDispatcher: boolean
  readonly events: readonly ScenarioEvent[]
  /** The fault of each call to a store or to a database. */
  readonly faults: readonly ('none' | 'request lost' | 'answer lost')[]
  /** The fault of each statement of a synchronous driver, which has no network. */
  readonly statements: readonly StatementFault[]
  /** The number of steps and the ending of each run of a handler. */
  readonly handlers: readonly HandlerRun[]
  /** Whether each response to the sender is lost. */
  readonly lostResponses: readonly boolean[]
}

/** Happens when so many steps were taken since the event before. */
export type ScenarioEvent = { readonly afterSteps: number } & (
  | { readonly type: 'request'; readonly delivery: number }
  | { readonly type: 'crash'; readonly worker: number }
  /** Pending calls time out if it is longer than 5 s. */
  | { readonly type: 'jump'; readonly seconds: number }
)

type StatementFault =
  | 'none'
  | 'fails'
  | 'fails after its effect'
  | 'fails and ends the transaction'
  | 'is killed before'
  | 'is killed after'

export interface HandlerRun {
  readonly steps: number
  readonly ending: 'succeeds' | 'fails' | 'ignores an error' | 'books after an error'
}

/** The code under test: how workers handle deliveries once. */
export interface StoreKind {
  readonly name: string
  /** Whether all processes share the store. */
  readonly isShared: boolean
  /** Whether the handler runs in the transaction that records the delivery. */
  readonly isTransactional: boolean
  /** Gives each attempt its connection to the same store. */
  readonly open: (simulation: Simulation) => (attempt: Attempt) => Protection
}

/** The options that a worker passes to the adapter, and the argument of its handler. */
export interface Protection {
  readonly replay?: ReplayStore
  readonly inbox?: {
    readonly handle: (
      webhook: VerifiedDelivery,
      handler: (client: HandlerClient) => Promise<void>,
    ) => Promise<unknown>
  }
  /** An inbox whose handlers are synchronous. */
  readonly synchronousInbox?: Pick<SqliteInbox<FakeConnection>, 'handle'>
}

/** What handlers write with. */
export interface HandlerClient {
  readonly query: (text: string, values?: string[]) => Promise<unknown>
}

/** Chooses which of the waiting steps is next: at random, or each in its turn. */
export interface Scheduler {
  readonly schedule: (step: Promise<void>, what: string) => Promise<void>
  readonly count: () => number
  readonly waitNext: (count: number) => Promise<void>
}

/** One schedule: its clock, its faults, and the order of its steps. The clock is the one of the fake timers. */
export class Simulation {
  readonly kind: StoreKind
  readonly scenario: Scenario
  readonly history: History
  readonly trace: string[] = []
  /** The connections to a database. */
  readonly clients: { readonly checkReleased: () => void; readonly state: string | undefined }[] = []
  /** What the store contains, if its answers depend on nothing else, apart from calls that it has not answered. */
  contents: (() => unknown) | undefined
  /** Whether the store is in the processes, each of which has one connection for all its requests. */
  isEmbedded = false
  /** Whether others notice at once if this process crashes. */
  showsCrash: (process: string) => boolean = () => false
  /** Called when the store has answered a call, with a value or an error. */
  onAnswer: (call: string, answer: unknown) => void = () => undefined
  readonly #scheduler: Scheduler
  readonly #startedAt = Date.now()
  readonly #used = { faults: 0, statements: 0, handlers: 0, lostResponses: 0 }
  protected isFaulty = true

  constructor(kind: StoreKind, scenario: Scenario, scheduler: Scheduler) {
    this.kind = kind
    this.scenario = scenario
    this.history = new History(kind)
    this.#scheduler = scheduler
  }

  get elapsedSeconds(): number {
    return (Date.now() - this.#startedAt) / 1000
  }

  /** Waits until the scheduler chooses this step. */
  async turn(what: string): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), what)
  }

  async step(what: string): Promise<void> {
    await this.turn(what)
    this.note(what)
  }

  note(what: string): void {
    this.trace.push(`${this.elapsedSeconds.toFixed().padStart(6)} s  ${what}`)
  }

  advance(seconds: number): void {
    this.note(`the clock jumps ${seconds} s`)
    vi.advanceTimersByTime(seconds * 1000)
  }

  /** Takes a number of steps, or fewer if there are no more. */
  async run(steps = Infinity): Promise<void> {
    for (let taken = 0; ; taken++) {
      // Between two steps, all code runs until it waits for a step.
      await setImmediate()
      if (taken === steps || this.#scheduler.count() === 0) return
      await this.#scheduler.waitNext(1)
    }
  }

  endFaults(): void {
    this.isFaulty = false
  }

  /** The next item of a list of the scenario. */
  next<Name extends 'faults' | 'statements' | 'handlers' | 'lostResponses'>(
    list: Name,
  ): Scenario[Name][number] | undefined {
    return this.isFaulty ? this.scenario[list][this.#used[list]++] : undefined
  }
}

/** A worker from its start to its crash. After that, its code does not continue. */
export class Process {
  readonly name: string
  readonly simulation: Simulation
  /** Called when the process crashes, because its connections are lost then. */
  readonly atCrash: (() => void)[] = []
  hasCrashed = false

  constructor(name: string, simulation: Simulation) {
    this.name = name
    this.simulation = simulation
  }

  crash(): void {
    this.hasCrashed = true
    for (const drop of this.atCrash) drop()
  }

  async step(what: string): Promise<void> {
    await this.simulation.turn(`${this.name}: ${what}`)
    if (this.hasCrashed) await stopped()
    this.simulation.note(`${this.name}: ${what}`)
  }

  /**
   * Calls a server. The request has been sent, so it takes effect even if this process crashes or gives up meanwhile.
   *
   * @throws {ConnectionLost} if the request or its answer is lost
   */
  async call<Answer>(what: string, effect: () => Answer | Promise<Answer>): Promise<Answer> {
    if (this.hasCrashed) await stopped()
    const fault = this.simulation.next('faults')
    if (fault === 'request lost') {
      await this.step(`${what}: request lost`)
      throw new ConnectionLost()
    }
    await this.simulation.step(`${this.name}: ${what}`)
    const answer = Promise.resolve().then(effect)
    this.simulation.onAnswer(`${this.name}: ${what}`, await answer.catch((error: unknown) => error))
    if (fault === 'answer lost') {
      await this.step(`${what}: answer lost`)
      throw new ConnectionLost()
    }
    await this.step(`${what}: answered`)
    return answer
  }
}

/** What waits for this does not continue. */
export async function stopped(): Promise<never> {
  return new Promise(() => undefined)
}

export class ConnectionLost extends Error {
  constructor() {
    super('The connection is lost')
  }
}
