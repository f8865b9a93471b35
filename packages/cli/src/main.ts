/**
 * The command `service-signature`.
 *
 * @module
 */
import {
  EXIT,
  isExitError,
  printJson,
  processIo,
  remark,
  untilSignal,
  UsageError,
  type Io,
  type ProcessStreams,
  type Signals,
} from '@service-signature/terminal'
import { CommanderError, type Command } from 'commander'
import { checked, inOurWords, where } from './arguments.js'
import { buildProgram, NAME } from './program.js'

/** As much of `process` as `start` uses. */
export interface Process extends ProcessStreams, Signals {
  readonly argv: readonly string[]
  readonly exit: (code: number) => void
  exitCode?: number | string | null | undefined
}

/** Runs a command line in this process. What is printed is let out before the process ends. */
export async function start(process: Process): Promise<void> {
  const interrupt = () => {
    process.exit(EXIT.interrupted)
  }
  process.once('SIGINT', interrupt)
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader of a pipe may leave early, as `head` does.
      if (error.code === 'EPIPE') return
      if (stream === process.stdout)
        process.stderr.write(`error: Cannot write the result: ${error.message}.\n`)
      process.exit(EXIT.fault)
    })
  }
  const io: Io = Object.assign(processIo(process), {
    untilSignal() {
      process.off('SIGINT', interrupt)
      return untilSignal(process)
    },
  })
  process.exitCode = await main(process.argv.slice(2), io)
}

/** Runs a command line. Resolves to the exit code, whatever happens. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.good
  const program = buildProgram({ io, end: (code) => (exitCode = code) })
  try {
    await parse(program, argv)
    return exitCode
  } catch (error) {
    // Help or the version was asked for.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.good
    // Help was printed, because there was no command.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.wrongUse
    return report(error, argv.includes('--json'), io)
  }
}

/** @throws {UsageError | CommanderError} */
async function parse(program: Command, argv: readonly string[]): Promise<void> {
  const command = program.commands.find((command) => command.name() === argv[0]) ?? program
  try {
    await program.parseAsync(checked(argv, command), { from: 'user' })
  } catch (error) {
    const isWrongUse =
      error instanceof CommanderError && error.exitCode !== 0 && error.code !== 'commander.help'
    throw isWrongUse ? new UsageError(`${inOurWords(error.message)}\n${where(command)}`) : error
  }
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
  else remark(io, `error: This is a fault of ${NAME} itself.\n${stack!}`)
  return EXIT.fault
}
