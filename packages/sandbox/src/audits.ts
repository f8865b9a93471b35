import type { AuditReport, CaseResult, Selection } from '@service-signature/audit'
import { signingKey } from './model/keys.js'
import { firstKeys, organizationOf } from './model/model.js'
import { conflict, invalid } from './model/refusal.js'
import type { AttemptTools } from './deliveries/attempt.js'
import type { Kind } from './store/table.js'

/** An audit of an endpoint, while it runs and after that. */
export interface Audit {
  readonly id: string
  readonly url: string
  readonly started: number
  readonly ended?: number | undefined
  readonly state: 'running' | 'done' | 'stopped' | 'cancelled'
  /** Why it stopped. */
  readonly problem: string | null
  /** Missing until it has ended. */
  readonly report?: AuditReport | undefined
  /** All cases in their order; those that are still to come are not run. */
  readonly cases: readonly CaseResult[]
}

export const AUDITS: Kind<Audit> = {
  name: 'audit',
  limit: 50,
  isVolatile: true,
  isInUse: ({ state }) => state === 'running',
}

interface Run {
  readonly controller: AbortController
  /** Resolves at its end. */
  readonly ended: Promise<void>
}

/** Runs audits of endpoints. */
export class Audits {
  readonly #tools: AttemptTools
  readonly #running = new Map<string, Run>()

  constructor(tools: AttemptTools) {
    this.#tools = tools
  }

  /**
   * Starts an audit of an address that was checked. Resolves when it has begun.
   *
   * @throws {Refusal} if an audit of the address is running, or there is no case to send
   */
  async start(url: string, selection: Selection): Promise<Audit> {
    const { store, random, now } = this.#tools
    // Loaded on the first use: most sandboxes are started by tests, which never ask for it.
    const { audit, listCases } = await import('@service-signature/audit')
    if (store.list(AUDITS).some((each) => each.url === url && each.state === 'running')) {
      throw conflict('url', 'is being audited already')
    }
    const cases = listCases(selection)
    if (cases.length === 0) throw invalid('groups', 'has no case to send')
    const { id } = store.insert(AUDITS, {
      id: random.id('aud'),
      url,
      started: now(),
      state: 'running',
      problem: null,
      cases,
    })
    const controller = new AbortController()
    this.#running.set(id, { controller, ended: this.#run(audit, id, selection, controller.signal) })
    return store.get(AUDITS, id)!
  }

  async #run(
    audit: typeof import('@service-signature/audit').audit,
    id: string,
    selection: Selection,
    signal: AbortSignal,
  ): Promise<void> {
    const { store, settings, targets, now } = this.#tools
    const { url, ...planned } = store.get(AUDITS, id)!
    let { cases } = planned
    try {
      const report = await audit(url, {
        ...this.#keys(selection),
        ...selection,
        now,
        // The sandbox decides itself where its deliveries may go.
        allowRemote: true,
        lookup: targets.lookup,
        signal,
        onCase: (result) => {
          cases = cases.map((each) => (each.name === result.name ? result : each))
          store.update(AUDITS, id, { cases })
        },
      })
      const { state, problem } = report
      store.update(AUDITS, id, { state, problem, cases: report.cases, report, ended: now() })
    } catch (error) {
      settings.logger(`audit ${id} ${String(error)}`)
      store.update(AUDITS, id, { state: 'stopped', problem: 'The audit itself has failed.', ended: now() })
    } finally {
      this.#running.delete(id)
    }
  }

  /** The keys that deliveries of this account and mode are signed with; by default, of the first account in test mode. */
  #keys({ account, live: isLive = false }: Selection) {
    const accountId = account ?? firstKeys(this.#tools).accountKey.accountId
    return {
      secret: organizationOf(this.#tools).secret,
      apiKey: signingKey(this.#tools, { accountId, isLive }, undefined),
    }
  }

  /** Resolves when the audit has ended. */
  async ended(id: string): Promise<void> {
    await this.#running.get(id)?.ended
  }

  cancel(id: string): Promise<void> {
    this.#running.get(id)?.controller.abort()
    return this.ended(id)
  }

  /** Ends all audits. */
  end(): void {
    for (const { controller } of this.#running.values()) controller.abort()
  }
}
