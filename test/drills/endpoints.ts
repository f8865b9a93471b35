import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '@service-signature/contract/free-port'
import type { Report } from './handlings.js'

export type Env = Readonly<Record<string, string>>

// Each process that runs has a listener for the exit of this one.
process.setMaxListeners(0)

/** The processes of one endpoint, which are killed and started again. */
export class Endpoints {
  /** Where each of them listens now. */
  readonly ports: number[] = []
  /** The process ids of those that were killed. */
  readonly killed = new Set<number>()
  /** How many ended by themselves. */
  crashes = 0
  readonly #children: ChildProcess[] = []
  #envs: readonly Env[] = []
  #isStopped = false
  readonly #restarts: Promise<void>[] = []
  /** The kind of report at which a process is killed. */
  readonly #killAt = new Map<number, string>()
  readonly #file: string
  readonly #onReport: (report: Report, pid: number) => void

  /**
   * @param file the bundle of endpoint.ts
   * @param onReport gets the reports of the processes
   */
  constructor(file: string, onReport: (report: Report, pid: number) => void) {
    this.#file = file
    this.#onReport = onReport
  }

  /** Starts a process in each of these environments. */
  async start(envs: readonly Env[]): Promise<void> {
    this.#envs = envs
    for (const index of envs.keys()) await this.#run(index)
  }

  /** Kills a process at once, or when it next sends a report of this kind. Another one takes its place. */
  kill(index: number, reportKind?: string): void {
    if (reportKind === undefined) this.#restarts.push(this.#restart(index))
    else this.#killAt.set(index, reportKind)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#killAt.clear()
    await Promise.all(this.#restarts)
    await Promise.all(this.#children.map(end))
  }

  async #run(index: number): Promise<void> {
    // Errors are in the reports; neither Express nor Node prints them.
    const inherited = { PATH: process.env['PATH'], NODE_ENV: 'test', NODE_NO_WARNINGS: '1' }
    const port = await freePort()
    const env = { ...inherited, ...this.#envs[index], PORT: String(port) }
    const child = fork(this.#file, { env, execArgv: [] })
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('exit', () => process.removeListener('exit', kill))
    await listening(child)
    this.ports[index] = port
    this.#children[index] = child
    child.once('exit', () => {
      if (this.#isStopped || this.killed.has(child.pid!)) return
      this.crashes++
      this.#restarts.push(this.#run(index))
    })
    child.on('message', (message) => {
      const report = message as Report
      if (this.#killAt.get(index) === report.kind) {
        this.#killAt.delete(index)
        this.kill(index)
      }
      this.#onReport(report, child.pid!)
    })
  }

  async #restart(index: number): Promise<void> {
    const old = this.#children[index]!
    // It was killed a moment ago, and is being started.
    if (this.killed.has(old.pid!)) return
    this.killed.add(old.pid!)
    await end(old)
    await this.#run(index)
  }
}

/** Resolves at the first message of a process. */
function listening(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => {
      reject(new Error(`A process of the drill ended with ${code ?? 'a signal'}`))
    })
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
