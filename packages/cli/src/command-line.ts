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
import { Command, CommanderError } from 'commander'
import { createRequire } from 'node:module'

export interface ProgramSetup {
  readonly io: Io
  /** Gets the exit code of the command that ran. */
  readonly end: (exitCode: number) => void
}

/** The name of the package and of its command. */
const NAME = 'service-signature'

/** Declares the commands of a program. */
export type BuildProgram = (setup: ProgramSetup) => Command

/** As much of `process` as `startProgram` uses. */
export interface Process extends ProcessStreams, Signals {
  readonly argv: readonly string[]
  readonly exit: (code: number) => void
  exitCode?: number | string | null | undefined
}

/** The program without its commands. Its version is that of the package. */
export function newProgram({ io }: ProgramSetup): Command {
  // By its own name: the sources and the build lie at different depths.
  const manifest: unknown = createRequire(import.meta.url)(`${NAME}/package.json`)
  return new Command(NAME)
    .version((manifest as { version: string }).version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // Errors are reported in one place, for people or as JSON.
      outputError: () => undefined,
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    })
}

/** The module of a command: its `run` gets the arguments, the options, and what is around it. */
interface CommandModule {
  readonly run: (...given: never[]) => Promise<number>
}

/** The action of a command whose module is loaded when it runs, so that no command waits for another. */
export function action({ io, end }: ProgramSetup, load: () => Promise<CommandModule>) {
  return async (...given: unknown[]): Promise<void> => {
    // The last one is the command itself.
    const { run } = await load()
    end(await run(...([...given.slice(0, -1), io] as never[])))
  }
}

/** Adds the value of an option that may be given several times to those before. */
export function appended(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** Runs a command line in this process. What is printed is let out before the process ends. */
export async function startProgram(build: BuildProgram, process: Process): Promise<void> {
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
  process.exitCode = await runProgram(build, process.argv.slice(2), io)
}

/** Runs a command line. Resolves to the exit code, whatever happens. */
export async function runProgram(build: BuildProgram, argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.good
  const program = build({ io, end: (code) => (exitCode = code) })
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

/**
 * The command line without what could be a key: of an option that is not known only the name is left, for the message
 * will quote it.
 *
 * @throws {UsageError} on an option that would be a key, and on a value where none belongs
 */
function checked(argv: readonly string[], command: Command): readonly string[] {
  return argv.map((arg) => {
    if (!arg.startsWith('--')) return arg
    const [name] = arg.split('=', 1) as [string]
    const instead = INSTEAD_OF_KEYS.get(name)
    if (instead !== undefined) throw keyInArguments(name, instead)
    const option = command.options.find(({ long }) => long === name)
    if (option?.required === false && name !== arg) throw new UsageError(`${name} takes no value.`)
    return option === undefined ? name : arg
  })
}

const SECRET = 'set WEBHOOK_SECRET, or pass --secret-file <file>'
const API_KEY = 'set PAYMENT_API_KEY, or pass --api-key-file <file>'

const INSTEAD_OF_KEYS: ReadonlyMap<string, string> = new Map([
  ['--secret', SECRET],
  ['--key', SECRET],
  ['--api-key', API_KEY],
  ['--organization-key', 'pass --organization-key-file <file>'],
  ['--token', 'set SANDBOX_TOKEN, or pass --token-file <file>'],
])

function keyInArguments(name: string, instead: string): UsageError {
  return new UsageError(
    `There is no ${name}: what stands on a command line can be read by others on this machine, and stays in the ` +
      `history of the shell. Instead, ${instead} ("-" is standard input).`,
  )
}

/** `error: unknown option '--bdoy'\n(Did you mean --body?)` as sentences; of `-sKEY` only the letter. */
function inOurWords(message: string): string {
  const [first, ...rest] = message
    .replace(/^error: /, '')
    .replace(/(?<=^unknown option '-[^-])[^']+/, '')
    .replace(/\.$/, '')
    .split('\n')
  const sentence = `${first!.charAt(0).toUpperCase()}${first!.slice(1)}.`
  return [sentence, ...rest.map((line) => line.replace(/^\((.*)\)$/, '$1'))].join(' ')
}

function where(command: Command): string {
  if (command.parent === null) return 'For what there is: npx service-signature --help'
  return `For what there is: npx service-signature ${command.name()} --help`
}
