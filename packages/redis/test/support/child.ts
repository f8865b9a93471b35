import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** A real Node process, which ends with the test. */
export class Child {
  readonly #process: ChildProcess
  readonly #exited: Promise<unknown>
  readonly #received = new Map<string, unknown[]>()
  readonly #news = new EventEmitter()
  readonly #taken = new Map<string, number>()

  /** @param file relative to the file of the caller, whose `import.meta.url` is the base */
  constructor(file: string, base: string, env: Readonly<Record<string, string>>) {
    this.#process = fork(fileURLToPath(new URL(file, base)), {
      // Express does not print the stacks of intended errors.
      env: { PATH: process.env['PATH'], NODE_ENV: 'test', ...env },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    this.#exited = once(this.#process, 'exit')
    this.#process.on('message', (message: Record<string, unknown>) => {
      for (const [name, value] of Object.entries(message)) this.#note(name, value)
    })
    createInterface(this.#process.stdout!).on('line', (line) => {
      this.#note('printed', line)
    })
    void this.#exited.then(() => this.#news.emit('news'))
    onTestFinished(() => this.kill())
  }

  #note(name: string, value: unknown): void {
    this.all(name).push(value)
    this.#news.emit('news')
  }

  /** All messages of this name so far. */
  all(name: string): unknown[] {
    const values = this.#received.get(name) ?? []
    this.#received.set(name, values)
    return values
  }

  /** The next message of this name. */
  async received(name: string): Promise<unknown> {
    const index = this.#taken.get(name) ?? 0
    this.#taken.set(name, index + 1)
    while (this.all(name).length <= index) {
      const { exitCode, signalCode } = this.#process
      if (exitCode !== null || signalCode !== null) throw new Error(`It ended before it sent "${name}"`)
      await once(this.#news, 'news')
    }
    return this.all(name)[index]
  }

  send(message: object): void {
    this.#process.send(message)
  }

  /** As the kernel does when memory is short. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#exited
  }
}
