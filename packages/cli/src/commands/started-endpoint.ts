import { UsageError, type Io } from '@service-signature/terminal'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 50
/** How long it may take to end before it is killed. */
const END_MS = 5000
/** The end of what it prints, which has the error. */
const MAX_OUTPUT = 16 * 1024

/** An endpoint that runs in the shell, in the current folder, with all its processes in one group. */
export class StartedEndpoint {
  readonly #command: string
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown>
  #output = ''

  private constructor(command: string, env: Io['env']) {
    this.#command = command
    this.#child = spawn(command, { shell: true, detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#closed = once(this.#child, 'close')
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-MAX_OUTPUT)
      })
    }
  }

  /**
   * Starts it, and resolves when it accepts connections, or the signal aborts.
   *
   * @throws {UsageError} if it does not start, with what it printed
   */
  static async start(
    command: string,
    url: URL,
    { timeoutSeconds, env, signal }: { timeoutSeconds: number; env: Io['env']; signal: AbortSignal },
  ): Promise<StartedEndpoint> {
    if (await answers(url)) {
      throw new UsageError(
        `Something listens on ${url.host} already. Stop it, or leave out --start to audit it.`,
      )
    }
    const endpoint = new StartedEndpoint(command, env)
    const end = performance.now() + timeoutSeconds * 1000
    while (!signal.aborted && !(await answers(url))) {
      const problem = endpoint.ended
        ? `${endpoint.ended} before it listened on ${url.host}.`
        : performance.now() > end
          ? `"${command}" does not listen on ${url.host} after ${timeoutSeconds} s. If it needs longer, pass --start-timeout.`
          : undefined
      if (problem !== undefined) {
        await endpoint.stop()
        throw new UsageError(problem + endpoint.printed)
      }
      await pause(POLL_MS)
    }
    return endpoint
  }

  /** How it ended, in words; undefined while it runs. */
  get ended(): string | undefined {
    const { exitCode, signalCode } = this.#child
    if (exitCode === null && signalCode === null) return undefined
    return `"${this.#command}" ended with ${signalCode ?? `exit code ${exitCode!}`}`
  }

  /** What it has printed, for the end of a message. */
  get printed(): string {
    const output = this.#output.trimEnd()
    return output === '' ? ' It printed nothing.' : ` It printed:\n${output}`
  }

  /** Ends the whole group: the shell may have started others, which would keep the port. */
  async stop(): Promise<void> {
    this.#signal('SIGTERM')
    await Promise.race([this.#closed, pause(END_MS, undefined, { ref: false })])
    this.#signal('SIGKILL')
    // A process that has left the group may hold them open.
    this.#child.stdout!.destroy()
    this.#child.stderr!.destroy()
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.#child.pid!, signal)
    } catch {
      // All have ended.
    }
  }
}

/** Whether a server accepts a connection. */
async function answers({ hostname, port, protocol }: URL): Promise<boolean> {
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
