import { serve, type MainIo } from './command.js'
import { listen } from './commands/listen.js'
import { makeTest } from './commands/make-test.js'
import { trigger } from './commands/trigger.js'

/** The commands with a name. Without a name, the sandbox runs. */
const COMMANDS: ReadonlyMap<string | undefined, typeof serve> = new Map([
  ['listen', listen],
  ['trigger', trigger],
  ['test', makeTest],
])

/**
 * The command `service-signature-sandbox`. Resolves to the exit code; a command that runs the sandbox ends on SIGINT or SIGTERM.
 * Errors that are not wrong use are thrown.
 *
 * @example
 * process.exitCode = await main(process.argv.slice(2), process)
 */
export async function main(argv: readonly string[], io: MainIo): Promise<number> {
  const command = COMMANDS.get(argv[0])
  return command === undefined ? serve(argv, io) : command(argv.slice(1), io)
}
