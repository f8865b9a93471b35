import type { Readable, Writable } from 'node:stream'

/** All that a command may know of the world around it, so that a test can be that world. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether a person sees standard output at once. */
  readonly isTerminal: boolean
  readonly hasColor: boolean
  /** How many characters a line of the terminal has; 80 without one. */
  readonly width: number
  /** The clock, in milliseconds. */
  readonly now: () => number
  /** Resolves on SIGINT or SIGTERM, which do not end the process by themselves from the call on. */
  readonly untilSignal: () => Promise<void>
}

/** As much of `process` as is used of its signals. */
export interface Signals {
  readonly once: (signal: 'SIGINT' | 'SIGTERM', listener: () => void) => unknown
  readonly off: (signal: 'SIGINT' | 'SIGTERM', listener: () => void) => unknown
}

/** As much of `process` as is used. */
export interface ProcessStreams {
  readonly stdin: Io['stdin']
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Io['stderr']
  readonly env: Io['env']
}

/** The world of a process, without its signals. */
export function processIo(process: ProcessStreams): Omit<Io, 'untilSignal'> {
  const { stdout, stderr, env } = process
  const isTerminal = stdout.isTTY === true
  return {
    // To touch it opens it, which costs time, and most commands never read it.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    env,
    isTerminal,
    hasColor: hasColor(env, isTerminal),
    // Some terminals report 0.
    width: stdout.columns === undefined || stdout.columns === 0 ? 80 : stdout.columns,
    now: Date.now,
  }
}

export function untilSignal(signals: Signals): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      signals.off('SIGINT', end)
      signals.off('SIGTERM', end)
      resolve()
    }
    signals.once('SIGINT', end)
    signals.once('SIGTERM', end)
  })
}

/** Where both are set, FORCE_COLOR wins, as it does in Node itself. */
function hasColor(env: Io['env'], isTerminal: boolean): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: unwanted, TERM: terminal } = env
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTerminal && (unwanted === undefined || unwanted === '') && terminal !== 'dumb'
}
