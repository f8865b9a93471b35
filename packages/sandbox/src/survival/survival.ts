import { AUDITS } from '../audits.js'
import { conflict } from '../model/refusal.js'
import {
  SURVIVAL_RUNS,
  type SurvivalRun,
  type SurvivalTestName,
  type SurvivalVerdict,
} from '../store/records.js'
import { makeTest, stopped } from './survival-tests.js'
import { TestRun, type SurvivalTools } from './test-run.js'

/** Tests what an endpoint survives, one test of an endpoint at a time. */
export class Survival {
  readonly #tools: SurvivalTools
  readonly #running = new Set<AbortController>()

  constructor(tools: SurvivalTools) {
    this.#tools = tools
  }

  /**
   * Starts a test of an address that was checked.
   *
   * @throws {Refusal} if the address is being tested or audited
   */
  start(url: string, test: SurvivalTestName): SurvivalRun {
    const { store, random, now } = this.#tools
    const isTested = store.list(SURVIVAL_RUNS).some((run) => run.url === url && run.verdict === undefined)
    const isAudited = store.list(AUDITS).some((run) => run.url === url && run.state === 'running')
    if (isTested || isAudited) throw conflict('url', `is being ${isTested ? 'tested' : 'audited'} already`)
    const run = store.insert(SURVIVAL_RUNS, { id: random.id('srv'), url, test, started: now(), done: 0 })
    void this.#run(run)
    return run
  }

  async #run(run: SurvivalRun): Promise<void> {
    const { store, settings } = this.#tools
    const controller = new AbortController()
    const { signal } = controller
    this.#running.add(controller)
    let verdict: SurvivalVerdict
    try {
      verdict = await makeTest(run.test, new TestRun(this.#tools, run, signal))
    } catch (error) {
      if (signal.aborted) return
      const { message } = error as Error
      settings.logger(`test ${run.id} ${message}`)
      verdict = stopped(`${message}.`)
    } finally {
      this.#running.delete(controller)
      // What a test that has failed itself has not sent yet is not sent.
      controller.abort()
    }
    store.update(SURVIVAL_RUNS, run.id, { verdict })
  }

  /** Ends all tests, without a verdict. */
  end(): void {
    for (const controller of this.#running) controller.abort()
  }
}
