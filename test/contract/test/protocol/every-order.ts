import { createHash, type UUID } from 'node:crypto'
import { vi } from 'vitest'
import type { Invariant } from './invariants.js'
import { check, open, settle } from './run-schedule.js'
import { newDelivery } from './sender.js'
import { Simulation, type HandlerRun, type Scenario, type Scheduler, type StoreKind } from './simulation.js'

/** What a search covers: all orders of the steps, and all places of the troubles. */
export interface Bounds {
  /** Of one webhook, to two processes in turn. */
  readonly requests: number
  /** Each happens once at most, anywhere. */
  readonly troubles: readonly Trouble[]
  /** Stops after so many orders. */
  readonly maxOrders?: number
}

export interface Found {
  /** How many orders were run, to their end or to a state that was known. */
  readonly orders: number
  readonly states: number
  readonly isComplete: boolean
  readonly violated: ReadonlySet<Invariant>
}

/** A process crashes; a message is lost; the clock jumps, by more than a lease or by less; a handler does not succeed. */
export type Trouble = 'crash' | 'loss' | 'jump' | 'ending'
type List = 'faults' | 'statements' | 'handlers' | 'lostResponses'

/** The choices of one order. It begins as the order before, up to the last choice that has another option. */
class Choices {
  readonly #taken: { option: number; readonly of: number }[] = []
  #next = 0

  get isRepeating(): boolean {
    return this.#next < this.#taken.length
  }

  choose(of: number): number {
    if (of === 1) return 0
    if (!this.isRepeating) this.#taken.push({ option: 0, of })
    return this.#taken[this.#next++]!.option
  }

  /** @returns whether there is another order */
  advance(): boolean {
    this.#next = 0
    for (let last; (last = this.#taken.at(-1)) !== undefined; this.#taken.pop()) {
      if (++last.option < last.of) return true
    }
    return false
  }
}

/** All that follows from this state was searched already. */
class KnownState extends Error {}

interface Step {
  readonly what: string
  /** The trouble that this step will have, if its name does not say so. */
  readonly trouble: string
  readonly run: () => void
}

/** Steps that no store notices; in MySQL, those that change the session alone. */
const OWN_STEP =
  /^sender: |: handles |: (connects|BEGIN|MARK|OWN LOCK WAIT|CHECK) for |: (answered|answer lost|request lost|ended)$/

/**
 * Those after which no other request does anything else than before them: unless the clock may jump, or their process ends with
 * other requests, they need not wait for any step of another request.
 */
const QUIET_STEP =
  /: (connects|BEGIN|MARK|OWN LOCK WAIT|CHECK) for |: (answered|answer lost|request lost|ended)$|^sender: .*, response/

/**
 * Chooses each waiting step in its turn, or a trouble in its place.
 *
 * All that follows depends on what the requests have done and learned, on what the store contains, on the calls that it has not
 * answered, and on the clock. Where two orders lead to the same state in this sense, only the first one is continued. For a store
 * that does not show what it contains, the order of its calls takes the place of that: then two orders of the same steps are one
 * if they differ only in steps that the store does not notice.
 */
class EachOrder implements Scheduler {
  simulation!: Troubled
  /** What may happen instead of a step. */
  troubles: () => (() => void)[] = () => []
  readonly #choices: Choices
  readonly #known: Set<string>
  readonly #steps: Step[] = []
  /** What each request has done and learned. */
  readonly #requests = new Map<string, string>()
  /** The calls to the store, in their order. */
  #calls = ''
  /** Those of them that it has not answered. */
  readonly #unanswered: string[] = []
  /** The worker of each request, unless it has crashed since. */
  readonly #workers = new Map<string, string>()
  readonly #responded = new Set<string>()
  readonly #crashed = new Set<string>()
  #trouble = ''
  /** Whether each process has one request at most. */
  isAlone = true
  /** The request whose step was the last one. */
  current = ''

  constructor(choices: Choices, known: Set<string>) {
    this.#choices = choices
    this.#known = known
  }

  async schedule(_step: Promise<void>, what: string): Promise<void> {
    const trouble = this.#trouble
    this.#trouble = ''
    const isDead = this.#crashed.has(what.split(':')[0]!) && OWN_STEP.test(what)
    await new Promise<void>((run) => {
      if (!isDead) this.#steps.push({ what, trouble, run })
    })
  }

  count(): number {
    return this.#steps.length
  }

  waitNext(): Promise<void> {
    this.#stopIfKnown()
    const troubles = this.troubles()
    const steps = this.#next()
    const option = this.#choices.choose(steps.length + troubles.length)
    const trouble = troubles[option - steps.length]
    if (trouble === undefined) this.#take(steps[option]!)
    else trouble()
    return Promise.resolve()
  }

  /** The indexes of the steps of which each may be next. */
  #next(): number[] {
    const all = [...this.#steps.keys()]
    if (this.simulation.may('jump') || !this.isAlone) return all
    const quiet = this.#steps.findIndex(
      ({ what }) => requestOf(what) === this.current && QUIET_STEP.test(what),
    )
    return quiet < 0 ? all : [quiet]
  }

  /** The next step will have it. */
  hasTrouble(what: string): void {
    this.#trouble += what
  }

  answered(call: string, answer: unknown): void {
    const index = this.#unanswered.indexOf(call)
    if (index < 0) return
    this.#unanswered.splice(index, 1)
    const text = answer instanceof Error ? answer.message : JSON.stringify(answer)
    this.#learns(requestOf(call)!, `${call} ${text}`)
  }

  /** Whether the last step was one of a request to this process. */
  isLast(worker: string): boolean {
    return this.#workers.get(this.current) === worker
  }

  crashes(worker: string, process: string): void {
    this.#calls = hashOf(`${this.#calls} ${process} crashes`)
    this.#crashed.add(process)
    const left = this.#steps.filter(({ what }) => !what.startsWith(`${process}:`) || !OWN_STEP.test(what))
    this.#steps.splice(0, Infinity, ...left)
    for (const [request, its] of this.#workers) if (its === worker) this.#workers.delete(request)
  }

  jumps(seconds: number): void {
    this.#calls = hashOf(`${this.#calls} ${seconds} s`)
    this.current = ''
    for (const request of this.#requests.keys()) this.#learns(request, `${seconds} s`)
  }

  #learns(request: string, what: string): void {
    this.#requests.set(request, hashOf(`${this.#requests.get(request) ?? ''} ${what}`))
  }

  #take(index: number): void {
    const [{ what, trouble, run }] = this.#steps.splice(index, 1) as [Step]
    const request = requestOf(what)
    this.current = request ?? ''
    if (request !== undefined) this.#learns(request, what + trouble)
    if (!OWN_STEP.test(what) || !this.simulation.kind.isShared) {
      // Of steps with the same name, which one it is.
      const ordinal = this.#steps.slice(0, index).filter((each) => each.what === what).length
      this.#calls = hashOf(`${this.#calls} ${what}${ordinal}${trouble}`)
      if (this.simulation.contents !== undefined && what.startsWith('worker')) this.#unanswered.push(what)
    }
    const worker = /reaches (worker \d)/.exec(what)?.[1]
    if (worker !== undefined) this.#workers.set(request!, worker)
    if (/^sender: .*, response/.test(what)) this.#responded.add(request!)
    run()
  }

  #stopIfKnown(): void {
    if (this.#choices.isRepeating) return
    const { history, elapsedSeconds, scenario, contents, clients } = this.simulation
    const waiting = this.#steps.map(({ what, trouble }) => what + trouble).sort()
    // What a request has done does not matter any more when it was answered, and nothing of it is under way.
    const rest = [...waiting, ...this.#unanswered].map(requestOf)
    const requests = [...this.#requests].filter(
      ([name]) => rest.includes(name) || (this.#workers.has(name) && !this.#responded.has(name)),
    )
    const state = JSON.stringify([
      ...[scenario.hasDispatcher, elapsedSeconds, waiting, this.#unanswered, requests.sort()],
      ...[contents === undefined ? this.#calls : contents(), history.state],
      ...[clients.map((each) => each.state).sort(), this.simulation.left],
    ])
    const hash = hashOf(state)
    if (this.#known.has(hash)) throw new KnownState()
    this.#known.add(hash)
  }
}

function requestOf(what: string): string | undefined {
  return /request \d+/.exec(what)?.[0]
}

function hashOf(text: string): string {
  return createHash('md5').update(text).digest('base64')
}

/** A schedule whose troubles are choices too. */
class Troubled extends Simulation {
  readonly #left: Set<Trouble>
  readonly #order: EachOrder
  readonly #choices: Choices

  constructor(
    kind: StoreKind,
    scenario: Scenario,
    order: EachOrder,
    choices: Choices,
    troubles: readonly Trouble[],
  ) {
    super(kind, scenario, order)
    this.#order = order
    this.#choices = choices
    this.#left = new Set(troubles)
    order.simulation = this
    this.onAnswer = (call, answer) => {
      order.answered(call, answer)
    }
  }

  may(trouble: Trouble): boolean {
    return this.isFaulty && this.#left.has(trouble)
  }

  /** Which troubles may still happen; undefined after the faults. */
  get left(): readonly Trouble[] | undefined {
    return this.isFaulty ? [...this.#left] : undefined
  }

  use(trouble: Trouble): void {
    this.#left.delete(trouble)
  }

  override next<Name extends List>(list: Name): Scenario[Name][number] | undefined {
    const options = Object.entries(this.#options()[list]).flatMap(([trouble, items]) =>
      this.may(trouble as Trouble) ? items.map((item) => ({ trouble: trouble as Trouble, item })) : [],
    )
    const chosen = options[this.#choices.choose(options.length + 1) - 1]
    if (chosen === undefined) return undefined
    this.use(chosen.trouble)
    this.#order.hasTrouble(JSON.stringify(chosen.item))
    return chosen.item as Scenario[Name][number]
  }

  #options(): Record<List, Partial<Record<Trouble, readonly unknown[]>>> {
    const endings: HandlerRun['ending'][] = ['fails']
    // Without a transaction, a handler does not notice a statement that fails.
    if (this.kind.isTransactional) endings.push('ignores an error', 'books after an error')
    return {
      faults: { loss: ['request lost', 'answer lost'] },
      lostResponses: { loss: [true] },
      statements: {
        loss: ['fails', 'fails after its effect', 'fails and ends the transaction'],
        crash: ['is killed before', 'is killed after'],
      },
      handlers: { ending: endings.map((ending) => ({ steps: 0, ending })) },
    }
  }
}

/** Runs all orders of a store within the bounds, or those until all `wanted` invariants were violated. */
export async function searchEveryOrder(
  kind: StoreKind,
  { requests, troubles, maxOrders = Infinity }: Bounds,
  wanted?: ReadonlySet<Invariant>,
): Promise<Found> {
  const choices = new Choices()
  const known = new Set<string>()
  const violated = new Set<Invariant>()
  const startedAt = Date.now()
  const found = (orders: number, isComplete: boolean) => ({
    orders,
    states: known.size,
    isComplete,
    violated,
  })
  for (let orders = 1; ; orders++) {
    vi.clearAllTimers()
    vi.clearAllMocks()
    vi.setSystemTime(startedAt)
    const simulation = await runOrder(kind, { requests, troubles }, choices, known)
    if (wanted === undefined) check(simulation)
    for (const { invariant } of simulation.history.violations) violated.add(invariant)
    if (wanted !== undefined && [...wanted].every((each) => violated.has(each))) return found(orders, false)
    if (!choices.advance()) return found(orders, true)
    if (orders >= maxOrders) return found(orders, false)
  }
}

async function runOrder(
  kind: StoreKind,
  { requests, troubles }: Bounds,
  choices: Choices,
  known: Set<string>,
): Promise<Simulation> {
  const order = new EachOrder(choices, known)
  order.isAlone = kind.isShared && requests <= 2
  const scenario: Scenario = {
    // With a store for each process, there is one process.
    workers: kind.isShared ? 2 : 1,
    hasDispatcher: choices.choose(2) === 0,
    ...{ events: [], faults: [], statements: [], handlers: [], lostResponses: [] },
  }
  const simulation = new Troubled(kind, scenario, order, choices, troubles)
  const { workers, sender } = open(simulation)
  const delivery = newDelivery('delivery 1')
  order.troubles = () => [
    ...workers
      // If no store notices a crash at once, it changes nothing for the steps of others that come before it.
      .filter(
        (worker) => worker.isUsed && (simulation.isEmbedded || !order.isAlone || order.isLast(worker.name)),
      )
      .filter(() => simulation.may('crash'))
      .map((worker) => () => {
        simulation.use('crash')
        order.crashes(worker.name, worker.processName)
        worker.crash()
      }),
    // Shorter than a lease but longer than the limits of calls, and longer than a lease.
    ...[30, 61]
      .filter(() => simulation.may('jump'))
      .map((seconds) => () => {
        simulation.use('jump')
        order.jumps(seconds)
        simulation.advance(seconds)
      }),
  ]
  // The name of a token is the same in all orders.
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => order.current as UUID)
  try {
    void sender.send(delivery)
    // Requests are alike, so the first one is the first that arrives.
    await simulation.run(1)
    for (let sent = 1; sent < requests; sent++) void sender.send(delivery)
    await simulation.run()
    await settle(simulation, sender)
  } catch (error) {
    if (!(error instanceof KnownState)) throw error
  }
  return simulation
}
