import { setTimeout as pause } from 'node:timers/promises'
import { judge, notRun, type CaseResult, type GroupedCase } from '../cases/audit-case.js'
import { OPENING } from '../cases/cases.js'
import { exchange, isAcknowledgement, notSent, type Answer, type Exchange } from '../send/exchange.js'
import type { AuditRequest, Sender } from '../send/sender.js'
import { stopAfterCase, stopAfterOpening, type Stop } from './stop.js'
import type { Target } from '../send/target.js'

/** The deliveries to send, and how to send them. */
export interface AuditPlan {
  readonly target: Target
  readonly sender: Sender
  readonly cases: readonly GroupedCase[]
  /** The pause before each case. */
  readonly paceMs: number
  /** How long a delivery may take, its answer included. */
  readonly timeoutSeconds: number
  /** How many cases may run at the same time. */
  readonly concurrency: number
  readonly signal: AbortSignal
  /** Called after each case. */
  readonly onCase: (result: CaseResult) => void
}

/** After this many deliveries without an answer, an endpoint that answers the valid ones gets less time for the others. */
const MAX_SILENCES = 3
const MIN_PATIENCE_SECONDS = 2
const PATIENCE_FACTOR = 5

/** One run of the cases at the endpoint. */
export class AuditRun {
  readonly #plan: AuditPlan
  readonly #results = new Map<string, CaseResult>()
  readonly #waiting: GroupedCase[]
  readonly #notes: string[] = []
  /** A valid delivery that the endpoint has accepted. */
  #accepted: GroupedCase = OPENING[0]!
  #stop: Stop | undefined
  #clockAheadSeconds = NaN
  #timeoutSeconds: number
  #silences = 0
  #slowestSeconds = 0

  constructor(plan: AuditPlan) {
    this.#plan = plan
    this.#waiting = [...plan.cases]
    this.#timeoutSeconds = plan.timeoutSeconds
  }

  /** Sends everything. Resolves early if the endpoint does not answer, refuses valid deliveries, or the signal aborts. */
  async run(): Promise<void> {
    await this.#open()
    await Promise.all(Array.from({ length: this.#plan.concurrency }, () => this.#work()))
  }

  /** Undefined if the audit reached its end, or was cancelled. */
  get stop(): Stop | undefined {
    return this.#stop
  }

  get notes(): readonly string[] {
    return this.#notes
  }

  /** By how much the endpoint's clock is ahead of this one: negative if it is slow, NaN if it is not known. */
  get clockAheadSeconds(): number {
    return this.#clockAheadSeconds
  }

  /** The results of all cases of the plan in their order, after those of the opening that were not asked for but failed. */
  get results(): readonly CaseResult[] {
    const { cases } = this.#plan
    const others = OPENING.filter((opening) => !cases.includes(opening))
    return [
      ...others.flatMap(({ name }) => this.#results.get(name) ?? []),
      ...cases.map((planned) => this.#results.get(planned.name) ?? notRun(planned)),
    ]
  }

  /**
   * Sends valid deliveries until one is accepted. If all are refused, other answers prove nothing, and the audit
   * stops.
   */
  async #open(): Promise<void> {
    const { target, sender, cases } = this.#plan
    const exchanges: Exchange[] = []
    for (const opening of OPENING) {
      const delivery = opening.deliveries(sender)[0]!
      const answer = await this.#send(delivery)
      if (this.#isCancelled) return
      exchanges.push({ delivery, answer })
      this.#accepted = opening
      if (isAcknowledgement(answer) || answer.kind === 'unreachable') break
    }
    const answers = exchanges.map(({ answer }) => answer)
    if (!answers.some(isAcknowledgement)) this.#stop = stopAfterOpening(answers, target, sender)
    if (this.#stop?.reason === 'no-answer') return
    for (const [index, exchange] of exchanges.entries()) {
      const opening = OPENING[index]!
      const result = judge(opening, [exchange])
      if (cases.includes(opening) || result.outcome === 'failed') this.#finish(result)
    }
    if (this.#stop === undefined && exchanges.length > 1) this.#notes.push(PURCHASES_REFUSED)
  }

  async #work(): Promise<void> {
    const { paceMs } = this.#plan
    for (;;) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      if (this.#results.has(next.name)) continue
      if (!this.#isEnding) await this.#pause(paceMs)
      if (this.#isEnding) return
      const result = await this.#play(next)
      if (result !== undefined) this.#finish(result)
    }
  }

  /** Undefined if it ended before all deliveries of the case were answered. */
  async #play(planned: GroupedCase): Promise<CaseResult | undefined> {
    const { sender } = this.#plan
    const { atOnce = 1, withinSeconds = Infinity } = planned
    const end = performance.now() + withinSeconds * 1000
    const exchanges: Exchange[] = []
    const failedProbes: Exchange[] = []
    // All lanes take from this one.
    const waiting = planned.deliveries(sender).entries()
    const sendOnLane = async () => {
      for (const [index, delivery] of waiting) {
        if (performance.now() > end) {
          exchanges[index] = { delivery, answer: notSent(withinSeconds) }
          return
        }
        const { afterMs = 0 } = delivery
        if (afterMs > 0) await this.#pause(afterMs)
        const answer = await this.#send(delivery)
        exchanges[index] = { delivery, answer }
        if (answer.kind === 'answered' || answer.kind === 'lost') continue
        const probe = await this.#probe()
        if (this.#isCancelled || probe.answer.kind !== 'answered') failedProbes.push(probe)
        if (failedProbes.length > 0) return
        if (answer.kind === 'silent') this.#losePatience()
      }
    }
    await Promise.all(Array.from({ length: atOnce }, sendOnLane))
    // Without the places of deliveries that were not sent.
    const made = Object.values(exchanges)
    const [failedProbe] = failedProbes
    if (failedProbe === undefined) return judge(planned, made)
    return this.#isCancelled ? undefined : this.#stopAt(planned, made, failedProbe)
  }

  /** Sends a valid delivery, to see whether the endpoint still answers. */
  async #probe(): Promise<Exchange> {
    const delivery = this.#accepted.deliveries(this.#plan.sender)[0]!
    return { delivery, answer: await this.#send(delivery) }
  }

  /** The endpoint has stopped answering. Whether the case is the cause depends on whether its first delivery arrived. */
  #stopAt(planned: GroupedCase, exchanges: readonly Exchange[], probe: Exchange): CaseResult | undefined {
    const hasArrived = exchanges[0]!.answer.kind !== 'unreachable'
    const result = judge(planned, [...exchanges, probe])
    const isSuspect = hasArrived && result.outcome === 'failed'
    this.#stop ??= stopAfterCase(planned.name, isSuspect, probe.answer)
    return isSuspect ? result : undefined
  }

  async #send(delivery: AuditRequest): Promise<Answer> {
    const { target, sender, signal } = this.#plan
    const start = performance.now()
    const answer = await exchange(target, delivery, { timeoutSeconds: this.#timeoutSeconds, signal })
    if (answer.kind === 'answered') {
      this.#slowestSeconds = Math.max(this.#slowestSeconds, (performance.now() - start) / 1000)
      if (Number.isNaN(this.#clockAheadSeconds)) this.#clockAheadSeconds = answer.date - sender.now()
    }
    return answer
  }

  /** An endpoint that leaves forgeries without an answer would take a time-out for each of them. */
  #losePatience(): void {
    const patience = Math.ceil(Math.max(MIN_PATIENCE_SECONDS, PATIENCE_FACTOR * this.#slowestSeconds))
    if (++this.#silences !== MAX_SILENCES || patience >= this.#timeoutSeconds) return
    this.#timeoutSeconds = patience
    this.#notes.push(
      `After ${MAX_SILENCES} deliveries without an answer, the audit waited only ${patience} s for each of the others.`,
    )
  }

  /** Ends early if the audit is cancelled. */
  async #pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#plan.signal }).catch(() => undefined)
  }

  #finish(result: CaseResult): void {
    this.#results.set(result.name, result)
    this.#plan.onCase(result)
  }

  get #isCancelled(): boolean {
    return this.#plan.signal.aborted
  }

  get #isEnding(): boolean {
    return this.#isCancelled || this.#stop !== undefined
  }
}

const PURCHASES_REFUSED =
  'The endpoint does not accept transaction events, of which most cases consist: that it refuses forged ones proves little.'
