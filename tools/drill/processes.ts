import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A Node process that sends messages to this one. It ends with this one. */
export interface DrillProcess {
  readonly pid: number
  /** Its first message: the port of an endpoint, for example. */
  readonly first: unknown
  readonly kill: () => Promise<void>
}

// Each process that runs has a listener for the exit of this one.
process.setMaxListeners(0)

/**
 * Starts a process, and waits for its first message.
 *
 * @param onMessage gets the other messages
 */
export async function startProcess(
  file: string,
  env: Readonly<Record<string, string>>,
  onMessage: (message: unknown) => void,
): Promise<DrillProcess> {
  // Errors are in the messages; neither Express nor Node prints them.
  const inherited = { PATH: process.env['PATH'], NODE_ENV: 'test', NODE_NO_WARNINGS: '1' }
  const child = fork(file, { env: { ...inherited, ...env }, execArgv: [] })
  const exited = once(child, 'exit')
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const first = await firstMessage(child)
  child.on('message', onMessage)
  return {
    pid: child.pid!,
    first,
    async kill() {
      process.removeListener('exit', end)
      end()
      await exited
    },
  }
}

function firstMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => {
      reject(new Error(`A process of the drill ended with ${code ?? 'a signal'}`))
    })
  })
}
