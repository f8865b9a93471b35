import { Command, Option } from 'commander'
import { createRequire } from 'node:module'
import { action, appended, type ProgramSetup } from './action.js'
import { addSandboxCommands } from './sandbox-commands.js'

/** The name of the package and of its command. */
export const NAME = 'service-signature'

/** Every command with its options. */
export function buildProgram(setup: ProgramSetup): Command {
  // By its own name: the sources and the build lie at different depths.
  const manifest: unknown = createRequire(import.meta.url)(`${NAME}/package.json`)
  const program = new Command(NAME)
    .version((manifest as { version: string }).version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => setup.io.stdout.write(text),
      writeErr: (text) => setup.io.stderr.write(text),
      // Errors are reported in one place, for people or as JSON.
      outputError: () => undefined,
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    })
    .description('Signs, verifies, explains, sends and audits webhooks of the payment service.')
    .addHelpText('after', ABOUT_ALL)

  const init = program
    .command('init [folder]')
    .summary('write an endpoint into a project')
    .description(
      'Write an endpoint, its test and a secret into a project, and send a signed event.\n' +
        'Files that exist are changed, and the test is run, only after a question.',
    )
    .option('--host <name>', 'express, hono, ...: if the project does not show it')
    .option('--dry-run', 'print what would be written; write and run nothing')
    .option('--yes', 'change files that exist, and run the test, unasked')
    .option('--install', 'install the packages that are missing')
    .option('--url <url>', 'send the event to this running server')
    .action(action(setup, () => import('./commands/init.js')))
  addJson(init, 'init --host express --dry-run')

  const sign = program
    .command('sign')
    .summary('print the signature of a body')
    .description('Print the Service-Signature value that the payment service would send.')
    .option('--body <file>', BODY)
    .option('--timestamp <seconds>', 'the time to sign as a Unix time; now without it')
    .option('--versions <list>', VERSIONS_TO_SIGN)
    .option('--canonical-form <form>', FORM)
    .action(action(setup, () => import('./commands/sign.js')))
  addKeys(sign, 'sign --body event.json --secret-file secret.txt')

  const verify = program
    .command('verify')
    .summary('verify a saved delivery')
    .description('Verify the signature and timestamp of a saved delivery.')
    .action(action(setup, () => import('./commands/verify.js')))
  addDelivery(verify, 'verify --request saved.http --secret-file secret.txt')

  const explain = program
    .command('explain')
    .summary('report why a saved delivery is refused')
    .description('Say why a saved delivery is refused. The finding comes first.')
    .action(action(setup, () => import('./commands/explain.js')))
  addDelivery(explain, 'explain --request saved.http --secret-file secret.txt')
  explain.option('--verbose', 'also list the causes that were ruled out or not tried')

  const send = program
    .command('send <url>')
    .summary('send a signed delivery to an endpoint')
    .description('Send a signed delivery to an endpoint. No redirect is followed.')
    .option('--event <type>', 'such as intent.processed; default: a purchase')
    .option('--body <file>', 'the bytes of this file instead; "-": standard input')
    .option('--set <path=value>', 'change the event: intent.amount.value=10.0; JSON, or text', appended)
    .option('--body-style <name>', 'python (default, as the sandbox) or ecmascript')
    .option('--versions <list>', VERSIONS_TO_SIGN)
    .option('--canonical-form <form>', FORM)
    .option('--skew <seconds>', 'sign with a time so far from now, such as -600')
    .option('--tamper <what>', 'then change: body, signature or timestamp')
    .option('--duplicate', 'send the same bytes twice, one after the other')
    .option('--repeat <count>', 'send this many deliveries, one after the other')
    .option('--timeout <seconds>', 'how long to wait for an answer (default: 30)')
    .action(action(setup, () => import('./commands/send.js')))
  addKeys(send, 'send http://localhost:3000/ --secret-file secret.txt')

  const audit = program
    .command('audit <url>')
    .summary('test an endpoint with hostile deliveries')
    .description('Send valid and hostile deliveries to an endpoint, and report its faults.')
    .option('--versions <list>', 'the versions that it verifies', 'v3')
    .option('--account <id>', 'its account: it must refuse events of another')
    .option('--live', 'it is of live mode: it must refuse test events')
    .option('--test', 'it is of test mode: it must refuse live events')
    .option('--i-own-this-endpoint', 'confirm it, if it is not on this machine')
    .option('--survives', 'also what it survives; books 1,000 payments')
    .option('--start <command>', 'start the endpoint with it, and end it after that')
    .addOption(new Option('--start-timeout <seconds>').hideHelp())
    .option('--group <list>', 'only these groups of cases, such as keys,time')
    .addOption(new Option('--only <text>').hideHelp())
    .addOption(new Option('--pace <milliseconds>').hideHelp())
    .option('--timeout <seconds>', 'how long to wait for an answer (default: 10)')
    .addOption(new Option('--concurrency <count>').hideHelp())
    .option('--junit <file>', 'write the result as JUnit XML too')
    .option('--html <file>', 'write the result as an HTML page too')
    .option('--summary [file]', 'a short Markdown too; default: $GITHUB_STEP_SUMMARY')
    .action(action(setup, () => import('./commands/audit.js')))
  addKeys(audit, 'audit http://localhost:3000/ --secret-file secret.txt')

  const secret = program
    .command('secret')
    .summary('fetch the signing secret with the API key')
    .description('Fetch the signing secret with the API key, and print its fingerprint.')
    .option('--base-url <url>', 'the payment service, without /api/...')
    .option('--api-key-file <file>', 'an account API key; else PAYMENT_API_KEY')
    .option('--organization-key-file <file>', 'an organization API key instead')
    .option('--account <id>', 'with that: the account to act on')
    .option('--live', 'with that: its live mode')
    .option('--test', 'with that: its test mode')
    .option('--reveal', 'print the secret itself, and nothing else')
    .action(action(setup, () => import('./commands/secret.js')))
  addJson(secret, 'secret --base-url https://api.example.com --reveal')

  addSandboxCommands(program, setup)

  return program
}

const BODY = 'the body; standard input without it, or for "-"'
const VERSIONS_TO_SIGN = 'such as v1,v3; without it, all whose key is there'
const FORM = 'how v2 prints JSON: source, ecmascript or python'
const ABOUT_ALL = `
Exit codes: 0 good, 1 refused or weak, 2 wrong use, 3 not reachable.`

/** What each command has that checks a saved delivery. */
function addDelivery(command: Command, example: string): void {
  command
    .option('--body <file>', BODY)
    .option('--header <value>', 'the value of Service-Signature')
    .option('--headers <file>', 'saved header lines, such as curl -D makes')
    .option('--request <file>', 'a request, HAR, curl command, delivery, log or address')
    .option('--entry <number>', 'which signed request of the file, from 1')
    .option('--versions <list>', 'the versions that must match', 'v3')
    .option('--tolerance <seconds>', 'how old it may be', '300')
    .option('--now <seconds>', 'the time to check at, as a Unix time')
    .addHelpText('after', '\nExit codes: 0 it verifies, 1 it is refused, 2 wrong use, 3 not reachable')
  addKeys(command, example)
}

function addKeys(command: Command, example: string): void {
  command
    .option('--secret-file <file>', 'for v2 and v3; else WEBHOOK_SECRET')
    .option('--api-key-file <file>', 'for v1; else PAYMENT_API_KEY')
  addJson(command, example)
}

function addJson(command: Command, example: string): void {
  command
    .option('--json', 'print one JSON document')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', `\nExample:\n  npx service-signature ${example}`)
}
