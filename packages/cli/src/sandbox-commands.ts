import { Option, type Command } from 'commander'
import { action, appended, type ProgramSetup } from './action.js'

/** Declares the commands that run the sandbox, or use one that runs. The package of the sandbox has what they do. */
export function addSandboxCommands(program: Command, setup: ProgramSetup): void {
  const run = (name: 'sandbox' | 'listen' | 'trigger') =>
    action(setup, async () => ({ run: (await import('@service-signature/sandbox/command'))[name] }))

  addStartOptions(
    program
      .command('sandbox')
      .summary('run the payment service in test mode')
      .description('The payment service in test mode, on this machine.')
      .option('--default-endpoint <url>', 'where events go whose intent has no webhook_url'),
  ).action(run('sandbox'))

  addStartOptions(
    program
      .command('listen')
      .summary('forward events of the sandbox to an endpoint')
      .description('Runs the sandbox, forwards its events, and prints a line for each attempt.')
      .option('--forward-to <url>', 'where events go whose intent has no webhook_url')
      .option('--record <folder>', 'write each delivery into a file, for replayRecorded'),
  ).action(run('listen'))

  program
    .command('trigger [event]')
    .summary('send one event from a running sandbox')
    .description(
      'Sends an event from a running sandbox, and prints the answer of the endpoint.\n' +
        '[event] is a type, a template (see --list), or a JSON file.',
    )
    .option('--sandbox <url>', 'its address; if it has a token, also SANDBOX_TOKEN', 'http://127.0.0.1:4000')
    .option('--url <endpoint>', 'default: where the sandbox forwards events to')
    .option('--set <path=value>', 'change a field: amount=20; may be repeated', appended)
    .option('--sequence <name>', 'once (the default), duplicate, out-of-order, delayed, burst')
    .option('--count <number>', 'send a burst of this many')
    .option('--delay <milliseconds>', 'with --sequence delayed')
    .option('--list', 'print the templates')
    .addHelpText('after', '\nExit codes: 0 accepted, 1 refused, 2 wrong use, 3 sandbox not reachable')
    .action(run('trigger'))
}

/** The options of a command that runs the sandbox. */
function addStartOptions(command: Command): Command {
  return command
    .option('--port <number>', 'where to listen; default: 4000, else a free one')
    .option('--host <address>', 'default: 127.0.0.1, closed to other machines')
    .option('--token-file <file>', 'what page and /_sandbox ask for; else SANDBOX_TOKEN')
    .option('--allow-host <name>', 'a further name to answer to; may be repeated', appended)
    .option('--public-url <url>', 'where a browser reaches it, if that is elsewhere')
    .option('--seed <text>', 'the same seed gives the same ids, keys and secret')
    .option('--new-secret', 'other keys than at the last start in this project')
    .option('--time-scale <number>', 'how many times as fast retries are sent; default: 1')
    .option('--body-style <name>', 'how bodies are printed: python (default), ecmascript')
    .option('--canonical-form <name>', 'what v2 signs: source (default), ecmascript, python')
    .option('--no-card-token-events', 'send no event when a card is saved')
    .option('--checks', 'send checks for every intent (--no-checks: for none)')
    .addOption(new Option('--no-checks').hideHelp())
    .option('--allow-remote', 'also send events outside this machine')
    .option('--data <folder>', 'keep the state there; it survives a restart')
    .option('--keep <number>', 'how many deliveries are kept; default: 10000')
    .option('--json', 'print lines of JSON')
    .helpOption('-h, --help', 'print this help')
}
