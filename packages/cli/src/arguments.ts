import { UsageError } from '@service-signature/terminal'
import type { Command } from 'commander'

/**
 * The command line without what could be a key: of an option that is not known only the name is left, for the message
 * will quote it.
 *
 * @throws {UsageError} on an option that would be a key, and on a value where none belongs
 */
export function checked(argv: readonly string[], command: Command): readonly string[] {
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
export function inOurWords(message: string): string {
  const [first, ...rest] = message
    .replace(/^error: /, '')
    .replace(/(?<=^unknown option '-[^-])[^']+/, '')
    .replace(/\.$/, '')
    .split('\n')
  const sentence = `${first!.charAt(0).toUpperCase()}${first!.slice(1)}.`
  return [sentence, ...rest.map((line) => line.replace(/^\((.*)\)$/, '$1'))].join(' ')
}

export function where(command: Command): string {
  if (command.parent === null) return 'For what there is: npx service-signature --help'
  return `For what there is: npx service-signature ${command.name()} --help`
}
