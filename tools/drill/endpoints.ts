import { startProcess, type DrillProcess } from './processes.js'

/** The processes of one endpoint, which are killed and started again. */
export class Endpoints {
  /** Where each of them listens now. */
  readonly ports: number[] = []
  /** The process ids of those that were killed. */
  readonly killed = new Set<number>()
  readonly #processes: DrillProcess[] = []
  readonly #restarts: Promise<void>[] = []
  /** The kind of report at which a process is killed. */
  readonly #killAt = new Map<number, string>()
  readonly #file: string
  readonly #env: Readonly<Record<string, string>>
  readonly #onReport: (report: { readonly kind: string }) => void

  /** @param onReport gets the reports of the processes */
  constructor(
    file: string,
    env: Readonly<Record<string, string>>,
    onReport: (report: { readonly kind: string }) => void,
  ) {
    this.#file = file
    this.#env = env
    this.#onReport = onReport
  }

  async start(count: number): Promise<void> {
    for (let index = 0; index < count; index++) await this.#run(index)
  }

  /** Kills a process at once, or when it next sends a report of this kind. Another one takes its place. */
  kill(index: number, reportKind?: string): void {
    if (reportKind === undefined) this.#restarts.push(this.#restart(index))
    else this.#killAt.set(index, reportKind)
  }

  async stop(): Promise<void> {
    this.#killAt.clear()
    await Promise.all(this.#restarts)
    await Promise.all(this.#processes.map((each) => each.kill()))
  }

  async #run(index: number): Promise<void> {
    const started = await startProcess(this.#file, this.#env, (message) => {
      const report = message as { readonly kind: string }
      if (this.#killAt.get(index) === report.kind) {
        this.#killAt.delete(index)
        this.kill(index)
      }
      this.#onReport(report)
    })
    this.#processes[index] = started
    this.ports[index] = Number(started.first)
  }

  async #restart(index: number): Promise<void> {
    const old = this.#processes[index]!
    // It was killed a moment ago, and is being started.
    if (this.killed.has(old.pid)) return
    this.killed.add(old.pid)
    await old.kill()
    await this.#run(index)
  }
}
