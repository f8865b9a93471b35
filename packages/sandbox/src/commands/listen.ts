import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  endSignal,
  forMachines,
  SANDBOX_ARGUMENTS,
  sandboxOptions,
  startError,
  WRONG_USE,
  type MainIo,
} from '../command.js'
import type { AttemptReport } from '../recording/attempt-report.js'
import { fixtureName, fixtureOf } from '../recording/fixture.js'
import { startSandbox, type Sandbox } from '../sandbox.js'
import { attemptLine, isAsItMustBe, paint } from './attempt-line.js'

const USAGE = `service-signature-sandbox listen: runs the sandbox, forwards its events to
your endpoint, and prints a line for each attempt

  --forward-to <url>       your endpoint; events go there whose intent has no
                           webhook_url
  --port <number>          where to listen; default: 4000
  --record <folder>        write each delivery into a file, for replayRecorded
  --json                   print a line of JSON for the start and each attempt
  --help                   print this

It also takes the other options of the sandbox: service-signature-sandbox --help
`

const DEFAULT_PORT = '4000'

/** Further lines start below the type. */
const INDENT = ' '.repeat(10)

/** Statuses with which an endpoint refuses a signature. */
const REFUSALS: readonly unknown[] = [400, 401, 403]

/** What to check when an endpoint refuses a valid signature. */
const QUESTION = 'Does your endpoint use this secret, and the raw body?'

/** The command `listen`. Resolves to the exit code after SIGINT or SIGTERM. */
export async function listen(argv: readonly string[], io: MainIo): Promise<number> {
  let printed = Promise.resolve()
  try {
    const { help, json, record, options } = readArguments(argv)
    if (help) {
      io.stdout.write(USAGE)
      return 0
    }
    if (record !== undefined) makeFolder(record)
    const starting = startSandbox({
      ...options,
      onAttempt(report) {
        if (record !== undefined) writeFixture(record, report, io)
        // One after the other: an explanation takes longer than the next attempt.
        printed = printed.then(async () => {
          if (json) io.stdout.write(jsonLine(report))
          else await print(report, await starting, io)
        })
      },
    })
    const sandbox = await starting
    const ended = endSignal(io)
    io.stdout.write(
      json ? `${forMachines(sandbox)}\n` : introduction(sandbox, options.defaultEndpoint, record),
    )
    await ended
    await sandbox.close()
    await printed
    return 0
  } catch (error) {
    io.stderr.write(`${startError(error as Error)}\n`)
    return WRONG_USE
  }
}

function readArguments(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: { ...SANDBOX_ARGUMENTS, 'forward-to': { type: 'string' }, record: { type: 'string' } },
  })
  const { help, json, record, 'forward-to': url } = values
  if (url === undefined && !help) {
    throw new TypeError('Pass the address of your endpoint: --forward-to http://localhost:3000/webhooks')
  }
  const options = sandboxOptions({ ...values, port: values.port ?? DEFAULT_PORT })
  return { help, json, record, options: { ...options, defaultEndpoint: url! } }
}

/** @throws {TypeError} if there is no such folder and it cannot be made */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new TypeError(`Cannot record into ${folder}: ${(error as Error).message}`, { cause: error })
  }
}

function introduction(
  { url, publicUrl, secret }: Sandbox,
  endpoint: string,
  folder: string | undefined,
): string {
  const trigger = `npx service-signature-sandbox trigger transaction.purchase.successful --sandbox ${url}`
  return [
    `Forwarding events to ${endpoint}`,
    ...(folder === undefined ? [] : [`Recording deliveries in ${folder}`]),
    `Open ${publicUrl}/ to see every delivery. Press Ctrl+C to stop.`,
    `The first payment: press "Pay" there, or run: ${trigger}`,
    'The secret of your endpoint (with --seed <text>, the same each time):',
    `WEBHOOK_SECRET=${secret}`,
    '',
    '',
  ].join('\n')
}

/** A failure of the disk must not end the sandbox. */
function writeFixture(folder: string, report: AttemptReport, io: MainIo): void {
  const file = join(folder, fixtureName(report))
  try {
    writeFileSync(file, `${JSON.stringify(fixtureOf(report), null, 2)}\n`)
  } catch (error) {
    io.stderr.write(`Cannot record the delivery: ${(error as Error).message}\n`)
  }
}

async function print(report: AttemptReport, sandbox: Sandbox, io: MainIo): Promise<void> {
  const attempt = { ...report, status: report.answer?.status ?? null }
  const lines = [attemptLine(attempt, io)]
  if (!isAsItMustBe(attempt)) {
    if (REFUSALS.includes(attempt.status)) lines.push(await findingOf(report, sandbox), QUESTION)
    lines.push(paint(io, 'dim', `${sandbox.publicUrl}/deliveries/${report.delivery}/`))
  }
  io.stdout.write(`${lines.join(`\n${INDENT}`)}\n`)
}

/** What the sandbox itself finds when it verifies what was sent. */
async function findingOf({ body, headers, at }: AttemptReport, { secret }: Sandbox): Promise<string> {
  // Loaded on the first use, as by the page.
  const { explain } = await import('@service-signature/explain')
  const report = await explain(body, headers['Service-Signature'], {
    secret,
    now: at,
    timeLimitMilliseconds: 1000,
    bodyLimit: Infinity,
  })
  return report.finding
}

function jsonLine(report: AttemptReport): string {
  const { at, delivery, attempt, type, url, faults, answer, error, durationMs } = report
  const status = answer?.status ?? null
  return `${JSON.stringify({ at, delivery, attempt, type, url, faults, status, error, durationMs })}\n`
}
