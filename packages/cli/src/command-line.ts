import { CommanderError, type Command } from 'commander'
import { EXIT, UsageError } from './exit.js'
import type { Io } from './io.js'
import { buildProgram, isForSandbox } from './program.js'

/** Reads the command line and runs the command that it names. Resolves to the exit code. */
export async function runCommandLine(argv: readonly string[], io: Io, version: string): Promise<number> {
  let exitCode: number = EXIT.good
  const program = buildProgram({ version, io, end: (code) => (exitCode = code) })
  const command = program.commands.find((command) => command.name() === argv[0])
  try {
    await program.parseAsync(isForSandbox(command) ? argv : checked(argv, command), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help or the version was asked for.
    if (error.exitCode === 0) return EXIT.good
    // Help was printed, because there was no command.
    if (error.code === 'commander.help') return EXIT.wrongUse
    throw new UsageError(`${inOurWords(error.message)}\n${where(command)}`)
  }
  return exitCode
}

/**
 * The command line without what could be a key: of an option that is not known only the name is left, for the message
 * will quote it.
 *
 * @throws {UsageError} on an option that would be a key, and on a value where none belongs
 */
function checked(argv: readonly string[], command: Command | undefined): readonly string[] {
  return argv.map((arg) => {
    if (!arg.startsWith('--')) return arg
    const [name] = arg.split('=', 1) as [string]
    const instead = INSTEAD_OF_KEYS.get(name)
    if (instead !== undefined) throw keyInArguments(name, instead)
    const option = command?.options.find(({ long }) => long === name)
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

function where(command: Command | undefined): string {
  const name = command === undefined ? '' : `${command.name()} `
  return `For what there is: service-signature ${name}--help`
}
