import { FakeIo, type World } from '../../../terminal/test/support/fake-io.js'
import { main } from '../../src/main.js'

/** What a command left behind. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line within this process, in 1970 unless the time is given. */
export async function run(argv: readonly string[], world: World = {}): Promise<Outcome> {
  const io = new FakeIo({ now: 0, ...world })
  const code = await main(argv, io)
  return { code, stdout: io.text, stderr: io.errors }
}

/** The same with `--json`: standard output is one document, and standard error is empty unless it is asked for. */
export async function runJson(
  argv: readonly string[],
  world: World = {},
): Promise<{ code: number; json: unknown; stderr: string }> {
  const { code, stdout, stderr } = await run([...argv, '--json'], world)
  return { code, json: JSON.parse(stdout), stderr }
}
