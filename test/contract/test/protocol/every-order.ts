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
  readonly end: 'complete' | 'cut off' | 'found'
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
  /** What else decides what it does: its trouble, or the answer that it brings. */
  readonly more: string
  readonly run: () => void
  /** Whether it waits for a trouble. */
  isDelayed: boolean
}

/** Steps of a process or of the sender, which no store notices. */
const OWN_STEP = /^sender: |: handles |: (answered|answer lost|request lost|ended)$/

/** Calls that change a connection alone, or its transaction. */
const SESSION_STEP = /^worker [^:]*: (connects|BEGIN|MARK|OWN LOCK WAIT|CHECK|BOOK) for [^:]*$/

/**
 * Chooses each waiting step in its turn, or a trouble in its place.
 *
 * Of steps that no other request notices, one is taken at once, before all others, or it waits for a trouble that it depends on: a
 * jump of the clock, or a crash of a process that has other requests.
 *
 * All that follows depends on what the processes have learned, on what the store and its connections contain, on the calls that it
 * has not answered, and on the clock. Where two orders lead to the same state in this sense, or to one in which the processes have
 * exchanged their parts, only the first one is continued. For a store that does not show what it contains, the order of its calls
 * takes the place of that.
 */
class EachOrder implements Scheduler {
  simulation!: Troubled
  /** What may happen instead of a step, which is a quiet one or not. */
  troubles: (isQuiet: boolean) => (() => void)[] = () => []
  readonly #choices: Choices
  readonly #known: Set<string>
  readonly #requestCount: number
  readonly #steps: Step[] = []
  /** What the process of each request has learned. */
  readonly #requests = new Map<string, string>()
  /** The calls to a store that does not show what it contains, in their order. */
  #calls = ''
  /** The calls that the store has not answered, in their order. */
  readonly #unanswered: { readonly call: string; readonly more: string; readonly since: number }[] = []
  /** The worker of each request, unless it has crashed since. */
  readonly #workers = new Map<string, string>()
  readonly #responded = new Set<string>()
  readonly #crashed = new Set<string>()
  #more = ''
  /** The request whose step was the last one. */
  current = ''
  /** The worker whose step was the last one. */
  #last: string | undefined

  constructor(choices: Choices, known: Set<string>, requestCount: number) {
    this.#choices = choices
    this.#known = known
    this.#requestCount = requestCount
  }

  async schedule(_step: Promise<void>, what: string): Promise<void> {
    const more = this.#more
    this.#more = ''
    const isDead = this.#crashed.has(what.split(':')[0]!) && isOwn(what)
    await new Promise<void>((run) => {
      if (!isDead) this.#steps.push({ what, more, run, isDelayed: false })
    })
  }

  count(): number {
    return this.#steps.length
  }

  waitNext(): Promise<void> {
    this.#stopIfKnown()
    const options = this.#next()
    // All steps wait for a crash, which came before or comes after other steps.
    if (options.length === 0) throw new KnownState()
    options[this.#choices.choose(options.length)]!()
    return Promise.resolve()
  }

  #next(): (() => void)[] {
    const free = this.#steps.filter(({ isDelayed }) => !isDelayed)
    const quiet = this.simulation.kind.isShared ? free.find(({ what }) => isQuiet(what)) : undefined
    const steps = quiet === undefined ? free : [quiet]
    const options = steps.map((step) => () => {
      this.#take(step)
    })
    if (quiet !== undefined && this.#mayMeetTrouble()) {
      options.push(() => {
        quiet.isDelayed = true
      })
    }
    return [...options, ...this.troubles(quiet !== undefined)]
  }

  /** Whether steps of processes may come before a trouble or after it. */
  #mayMeetTrouble(): boolean {
    return this.simulation.may('jump') || (this.#requestCount > 2 && this.simulation.may('crash'))
  }

  /** The next step will have it. */
  has(more: string): void {
    this.#more = more
  }

  answered(call: string, answer: unknown): void {
    const index = this.#unanswered.findIndex((each) => each.call === call)
    if (index >= 0) this.#unanswered.splice(index, 1)
    this.has(answer instanceof Error ? answer.message : JSON.stringify([answer]))
  }

  /** Whether the last step was one of this process, or a jump. */
  isLast(worker: string): boolean {
    return this.#last === undefined || this.#last === worker
  }

  crashes(worker: string, process: string): void {
    this.#calls += ` ${process} crashes`
    this.#crashed.add(process)
    const left = this.#steps.filter(({ what }) => !what.startsWith(`${process}:`) || !isOwn(what))
    this.#steps.splice(0, Infinity, ...left)
    for (const [request, its] of this.#workers) if (its === worker) this.#workers.delete(request)
    this.#endDelays()
  }

  jumps(seconds: number): void {
    this.#calls += ` ${seconds} s`
    this.current = ''
    this.#last = undefined
    for (const request of this.#requests.keys()) this.#learns(request, `${seconds} s`)
    this.#endDelays()
  }

  #endDelays(): void {
    for (const step of this.#steps) step.isDelayed = false
  }

  #learns(request: string, what: string): void {
    this.#requests.set(request, `${this.#requests.get(request) ?? ''} ${what}`)
  }

  #take(step: Step): void {
    const { what, more, run } = step
    const index = this.#steps.indexOf(step)
    this.#steps.splice(index, 1)
    const request = requestOf(what)
    this.current = request ?? ''
    const { kind, contents, elapsedSeconds } = this.simulation
    if (request !== undefined && OWN_STEP.test(what)) {
      // It does not learn which of the messages was lost.
      this.#learns(request, what.endsWith(' lost') ? 'lost' : what + more)
    }
    if (!isOwn(what) || !kind.isShared) {
      // Of steps with the same name, which one it is.
      const ordinal = this.#steps.slice(0, index).filter((each) => each.what === what).length
      if (contents === undefined) this.#calls += ` ${what}${ordinal}${more}`
    }
    if (!OWN_STEP.test(what) && what.startsWith('worker') && request !== undefined) {
      this.#unanswered.push({ call: what, more, since: Math.floor(elapsedSeconds) })
    }
    if (/^sender: .*, response/.test(what)) this.#responded.add(request!)
    const worker = /worker \d/.exec(what)?.[0]
    if (what.startsWith('sender: ') && worker !== undefined) this.#workers.set(request!, worker)
    this.#last = worker ?? this.#workers.get(this.current)
    run()
  }

  #stopIfKnown(): void {
    if (this.#choices.isRepeating) return
    const { history, elapsedSeconds, scenario, contents, clients, kind } = this.simulation
    const waiting = this.#steps.map(({ what, more, isDelayed }) => `${what} ${more} ${isDelayed}`)
    // What a request has done does not matter any more when it was answered, and nothing of it is under way.
    const rest = new Set([...waiting, ...this.#unanswered.map(({ call }) => call)].map(requestOf))
    const isLive = (name: string) => rest.has(name) || (this.#workers.has(name) && !this.#responded.has(name))
    const parts = [
      waiting,
      [...this.#requests].filter(([name]) => isLive(name)).map(String),
      clients.map((each) => each.state).filter((each) => each !== undefined),
      history.stateOf((name) => isLive(requestOf(name)!)).map(String),
      [JSON.stringify([this.#unanswered, contents === undefined ? this.#calls : contents()])],
    ]
    const rests = JSON.stringify([scenario.hasDispatcher, Math.floor(elapsedSeconds), this.simulation.left])
    const renamed = renamings(this.simulation.isEmbedded || !kind.isShared ? 1 : this.#requestCount)
    const texts = renamed.map((rename) => JSON.stringify(parts.map((part) => part.map(rename).sort())))
    const hash = hashOf(rests + texts.sort()[0]!)
    if (this.#known.has(hash)) throw new KnownState()
    this.#known.add(hash)
  }
}

function isOwn(what: string): boolean {
  return OWN_STEP.test(what) || SESSION_STEP.test(what)
}

/** Whether no other request does anything else after it than before it. While a handler runs, others must not. */
function isQuiet(what: string): boolean {
  return isOwn(what) && !what.includes(': handles ')
}

/** The names as they are, and those of requests and processes that are alike exchanged. */
function renamings(requests: number): ((text: string) => string)[] {
  // The pauses of SQLite are shorter than a second, and all limits are longer.
  const inSeconds = (text: string) => text.replaceAll(/(?<=\b\d{10})\d{3}\b/g, '')
  if (requests === 1) return [inSeconds]
  const swap = (text: string) =>
    requests === 2
      ? text.replaceAll(/(request|worker) ([12])\b/g, (_all, name, digit) => `${name} ${3 - Number(digit)}`)
      : text.replaceAll(/request ([13])\b/g, (_all, digit) => `request ${4 - Number(digit)}`)
  return [inSeconds, (text) => swap(inSeconds(text))]
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
    // The others show in the name of a step, or in what it answers.
    if (list === 'handlers' || chosen.item === 'answer lost') this.#order.has(JSON.stringify(chosen.item))
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
  // A whole second, so that pauses do not reach the next one.
  const startedAt = Math.floor(Date.now() / 1000) * 1000
  const isFound = () => wanted !== undefined && [...wanted].every((each) => violated.has(each))
  for (let orders = 1; ; orders++) {
    vi.clearAllTimers()
    vi.clearAllMocks()
    vi.setSystemTime(startedAt)
    const simulation = await runOrder(kind, { requests, troubles }, choices, known)
    if (wanted === undefined) check(simulation)
    for (const { invariant } of simulation.history.violations) violated.add(invariant)
    const isLast = isFound() || !choices.advance()
    if (!isLast && orders < maxOrders) continue
    const end = isFound() ? 'found' : isLast ? 'complete' : 'cut off'
    return { orders, states: known.size, end, violated }
  }
}

async function runOrder(
  kind: StoreKind,
  { requests, troubles }: Bounds,
  choices: Choices,
  known: Set<string>,
): Promise<Simulation> {
  const order = new EachOrder(choices, known, requests)
  const scenario: Scenario = {
    // With a store for each process, there is one process.
    workers: kind.isShared ? 2 : 1,
    hasDispatcher: choices.choose(2) === 0,
    ...{ events: [], faults: [], statements: [], handlers: [], lostResponses: [] },
  }
  const simulation = new Troubled(kind, scenario, order, choices, troubles)
  const { workers, sender } = open(simulation)
  const delivery = newDelivery('delivery 1')
  order.troubles = (isQuiet) => [
    ...workers
      // If no store notices a crash at once, it changes nothing for the steps of others that come before it.
      .filter(
        ({ isUsed, name, processName }) =>
          isUsed && (!kind.isShared || simulation.showsCrash(processName) || order.isLast(name)),
      )
      .filter(() => simulation.may('crash'))
      .map((worker) => () => {
        simulation.use('crash')
        order.crashes(worker.name, worker.processName)
        worker.crash()
      }),
    // Shorter than a lease but longer than the limits of calls, and longer than a lease. A quiet step is delayed before.
    ...[30, 61]
      .filter(() => simulation.may('jump') && !isQuiet)
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
