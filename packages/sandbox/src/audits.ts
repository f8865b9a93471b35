import type { CaseResult, Selection } from '@service-signature/audit'
import type { Clock } from './clock.js'
import type { Targets } from './deliveries/target.js'
import { conflict, invalid } from './model/refusal.js'
import type { Random } from './random.js'

/** An audit of an endpoint, while it runs and after that. */
export interface Audit {
  readonly id: string
  readonly url: string
  readonly started: number
  readonly ended: number | undefined
  readonly state: 'running' | 'done' | 'stopped' | 'cancelled'
  /** Why it stopped. */
  readonly problem: string | null
  /** All cases in their order; those that are still to come are not run. */
  readonly cases: readonly CaseResult[]
}

export interface AuditsOptions {
  readonly random: Random
  readonly clock: Clock
  readonly targets: Targets
  /** The keys that deliveries of this account and mode are signed with; by default, of the first account in test mode. */
  readonly keys: (owner: Pick<Selection, 'account' | 'live'>) => {
    readonly secret: string
    readonly apiKey: string
  }
  readonly onChange: (audit: Audit) => void
  readonly logger: (line: string) => void
}

interface Run {
  audit: Audit
  readonly controller: AbortController
  /** Resolves at its end. */
  ended: Promise<void>
}

/** The oldest are forgotten first. */
const MAX_AUDITS = 50

/** The audits of endpoints, newest first. */
export class Audits {
  readonly #options: AuditsOptions
  readonly #runs = new Map<string, Run>()

  constructor(options: AuditsOptions) {
    this.#options = options
  }

  list(): readonly Audit[] {
    return [...this.#runs.values()].map(({ audit }) => audit).reverse()
  }

  get(id: string): Audit | undefined {
    return this.#runs.get(id)?.audit
  }

  /**
   * Starts an audit of an address that was checked. Resolves when it has begun.
   *
   * @throws {Refusal} if an audit of the address is running, or there is no case to send
   */
  async start(url: string, selection: Selection): Promise<Audit> {
    const { random, clock, onChange } = this.#options
    // Loaded on the first use: most sandboxes are started by tests, which never ask for it.
    const { audit, listCases } = await import('@service-signature/audit')
    if (this.list().some((each) => each.url === url && each.state === 'running')) {
      throw conflict('url', 'is being audited already')
    }
    const cases = listCases(selection)
    if (cases.length === 0) throw invalid('groups', 'has only "owner", which needs "account" or "is_live"')
    const run: Run = {
      audit: {
        id: random.id('aud'),
        url,
        started: clock.now(),
        ended: undefined,
        state: 'running',
        problem: null,
        cases,
      },
      controller: new AbortController(),
      ended: Promise.resolve(),
    }
    this.#runs.set(run.audit.id, run)
    this.#forgetOldest()
    onChange(run.audit)
    const report = audit(url, {
      ...this.#options.keys(selection),
      ...selection,
      now: clock.now,
      // The sandbox decides itself where its deliveries may go.
      allowRemote: true,
      lookup: this.#options.targets.lookup,
      signal: run.controller.signal,
      onCase: (result) => {
        this.#update(run, {
          cases: run.audit.cases.map((each) => (each.name === result.name ? result : each)),
        })
      },
    })
    run.ended = report.then(
      ({ state, problem, cases }) => {
        this.#update(run, { state, problem, cases, ended: clock.now() })
      },
      (error: unknown) => {
        this.#options.logger(`audit ${run.audit.id} ${String(error)}`)
        this.#update(run, { state: 'stopped', problem: 'The audit itself has failed.', ended: clock.now() })
      },
    )
    return run.audit
  }

  /** Resolves when the audit has ended. */
  async cancel(id: string): Promise<void> {
    const run = this.#runs.get(id)
    run?.controller.abort()
    await run?.ended
  }

  /** Ends all audits, and forgets them. */
  end(): void {
    for (const { controller } of this.#runs.values()) controller.abort()
    this.#runs.clear()
  }

  #update(run: Run, changes: Partial<Audit>): void {
    run.audit = { ...run.audit, ...changes }
    if (this.#runs.has(run.audit.id)) this.#options.onChange(run.audit)
  }

  #forgetOldest(): void {
    for (const { audit } of this.#runs.values()) {
      if (this.#runs.size <= MAX_AUDITS) return
      if (audit.state !== 'running') this.#runs.delete(audit.id)
    }
  }
}
