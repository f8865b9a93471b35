import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { caller } from './call.js'

/** The built command. */
const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/service-signature.js', import.meta.url))

/** The sandbox in a process of its own, which ends with the test. */
export class SandboxProcess {
  readonly child: ChildProcessWithoutNullStreams
  readonly url: string
  readonly key: string
  readonly token: string | null

  readonly call: ReturnType<typeof caller>['call']

  private constructor(child: ChildProcessWithoutNullStreams, line: string) {
    const started = JSON.parse(line) as { url: string; token: string | null; apiKeys: { account: string } }
    this.child = child
    this.call = caller(started).call
    this.url = started.url
    this.key = started.apiKeys.account
    this.token = started.token
  }

  static async start(
    options: readonly string[],
    { node = [], env = {} }: { readonly node?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<SandboxProcess> {
    const child = spawn(process.execPath, [...node, COMMAND, ...options, '--json'], {
      env: { ...process.env, ...env },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    return new SandboxProcess(child, line.toString())
  }

  /** Resolves when the process has ended. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<readonly unknown[]> {
    const exit = once(this.child, 'exit')
    this.child.kill(signal)
    return exit
  }
}
