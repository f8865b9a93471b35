/**
 * The command `service-signature`.
 *
 * @module
 */
import { createRequire } from 'node:module'
import { runCommandLine } from './command-line.js'
import { EXIT, isExitError } from './exit.js'
import { processIo, type Io, type ProcessStreams } from './io.js'
import { printJson, remark } from './output.js'

/**
 * Runs a command line. Resolves to the exit code, whatever happens.
 *
 * @example
 * process.exitCode = await main(['verify', '--request', 'saved.http'], processIo(process))
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await runCommandLine(argv, io, version())
  } catch (error) {
    return report(error, argv.includes('--json'), io)
  }
}

/** As much of `process` as `start` uses. */
export interface Process extends ProcessStreams {
  readonly argv: readonly string[]
  readonly once: (signal: 'SIGINT', listener: () => void) => unknown
  readonly exit: (code: number) => void
  exitCode?: number | string | null | undefined
}

/** Runs the command line of a process. What is printed is let out before the process ends. */
export async function start(process: Process): Promise<void> {
  process.once('SIGINT', () => {
    process.exit(EXIT.interrupted)
  })
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader of a pipe may leave early, as `head` does.
      if (error.code === 'EPIPE') return
      if (stream === process.stdout)
        process.stderr.write(`error: Cannot write the result: ${error.message}.\n`)
      process.exit(EXIT.fault)
    })
  }
  process.exitCode = await main(process.argv.slice(2), processIo(process))
}

function version(): string {
  // By its own name: the sources and the build lie at different depths.
  const manifest: unknown = createRequire(import.meta.url)('@service-signature/cli/package.json')
  return (manifest as { version: string }).version
}

function report(error: unknown, isJson: boolean, io: Io): number {
  if (isExitError(error)) {
    const { code, message, exitCode } = error
    if (isJson) printJson(io, { error: { code, message } })
    else remark(io, `error: ${message}`)
    return exitCode
  }
  const { message, stack } = error as Error
  if (isJson) printJson(io, { error: { code: 'ERR_FAULT', message } })
  else remark(io, `error: This is a fault of service-signature itself.\n${stack!}`)
  return EXIT.fault
}
