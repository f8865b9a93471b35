// A process of its own, whose output is kept, and which ends when it is told to.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** How long a program may take to do what is waited for, on a busy machine. */
const PATIENCE = 30_000

export class Program {
  output = { stdout: '', stderr: '' }
  #child
  #ended

  /**
   * @param {string} folder
   * @param {readonly string[]} args of Node
   * @param {Record<string, string | undefined>} env
   */
  constructor(folder, args, env) {
    const stdio = /** @type {const} */ (['ignore', 'pipe', 'pipe', 'ipc'])
    const own = { PATH: process.env['PATH'], NO_COLOR: '1', ...env }
    this.#child = spawn(process.execPath, args, { cwd: folder, env: own, stdio: [...stdio] })
    process.once('exit', this.#kill)
    for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
      this.#child[name]?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        this.output[name] += text
        this.#child.emit('printed')
      })
    }
    this.#ended = once(this.#child, 'close')
  }

  #kill = () => this.#child.kill('SIGKILL')

  /** Its first port. */
  async port() {
    /** @type {Promise<{ address: { port: number } }[]>} */
    const message = once(this.#child, 'message', { signal: AbortSignal.timeout(PATIENCE) })
    const early = this.#ended.then(() => {
      throw new Error(`it ended and did not listen:\n${this.output.stderr}`)
    })
    const [first] = await Promise.race([message, early])
    return /** @type {{ address: { port: number } }} */ (first).address.port
  }

  /**
   * Waits until something was printed.
   *
   * @param {(output: { stdout: string, stderr: string }) => boolean} isThere
   * @param {string} what
   */
  async printed(isThere, what) {
    const signal = AbortSignal.timeout(PATIENCE)
    const early = this.#ended.then(() => false)
    while (!isThere(this.output)) {
      const news = once(this.#child, 'printed', { signal }).then(() => true)
      const goesOn = await Promise.race([news, early]).catch(() => false)
      if (!goesOn && !isThere(this.output)) {
        throw new Error(`it did not print ${what}, but:\n${this.output.stdout}${this.output.stderr}`)
      }
    }
  }

  /** Its exit code, when it has ended by itself. */
  async ended() {
    const timer = setTimeout(this.#kill, PATIENCE)
    await this.#ended
    clearTimeout(timer)
    return this.#child.exitCode
  }

  async end() {
    process.removeListener('exit', this.#kill)
    this.#kill()
    await this.#ended
  }
}
