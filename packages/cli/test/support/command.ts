import { Readable, Writable } from 'node:stream'
import { main } from '../../src/main.js'
import type { Io } from '../../src/terminal/io.js'

/** What a command left behind. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface World {
  readonly stdin?: string | Uint8Array
  /** Standard input is a keyboard. */
  readonly isTyped?: boolean
  readonly env?: Readonly<Record<string, string>>
  readonly isTerminal?: boolean
  readonly hasColor?: boolean
  /** In seconds. */
  readonly now?: number
}

/** Runs a command line within this process. */
export async function run(argv: readonly string[], world: World = {}): Promise<Outcome> {
  const { io, stdout, stderr } = makeIo(world)
  const code = await main(argv, io)
  return { code, stdout: stdout(), stderr: stderr() }
}

/** The same with `--json`: standard output is one document, and standard error is empty unless it is asked for. */
export async function runJson(
  argv: readonly string[],
  world: World = {},
): Promise<{ code: number; json: unknown; stderr: string }> {
  const { code, stdout, stderr } = await run([...argv, '--json'], world)
  return { code, json: JSON.parse(stdout), stderr }
}

export function makeIo(world: World = {}): { io: Io; stdout: () => string; stderr: () => string } {
  const { stdin = '', isTyped = false, env = {}, isTerminal = false, hasColor = false, now = 0 } = world
  const out = collector()
  const err = collector()
  const io: Io = {
    stdin: Object.assign(Readable.from([Buffer.from(stdin as string)]), { isTTY: isTyped }),
    stdout: out.stream,
    stderr: err.stream,
    env,
    isTerminal,
    hasColor,
    now: () => now * 1000,
    untilSignal: () => new Promise(() => undefined),
  }
  return { io, stdout: out.text, stderr: err.text }
}

function collector(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
