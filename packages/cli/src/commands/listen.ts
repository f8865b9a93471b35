import { fixtureName, fixtureOf, type AttemptReport } from '@service-signature/deliveries'
import type { Sandbox } from '@service-signature/sandbox'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, UsageError } from '../exit.js'
import type { Io } from '../io.js'
import { paint, print, remark } from '../output.js'
import { attemptLine, isAsItMustBe } from '../sandbox/attempt-line.js'
import { forMachines, startSandbox } from '../sandbox/start.js'
import type { SandboxOptions } from './sandbox.js'

export interface ListenOptions extends SandboxOptions {
  readonly forwardTo?: string
  readonly record?: string
}

const DEFAULT_PORT = '4000'

/** Further lines start below the type. */
const INDENT = ' '.repeat(10)

/** Statuses with which an endpoint refuses a signature. */
const REFUSALS: readonly unknown[] = [400, 401, 403]

/** What to check when an endpoint refuses a valid signature. */
const QUESTION = 'Does your endpoint use this secret, and the raw body?'

/** Runs the sandbox, and prints a line for each attempt, until SIGINT or SIGTERM. */
export async function run(options: ListenOptions, io: Io, program: string): Promise<number> {
  const { forwardTo: url, record, json, ...startOptions } = options
  if (url === undefined) {
    throw new UsageError('Pass the address of your endpoint: --forward-to http://localhost:3000/webhooks')
  }
  if (record !== undefined) makeFolder(record)
  let printed = Promise.resolve()
  const starting = startSandbox(
    { port: DEFAULT_PORT, ...startOptions, defaultEndpoint: url },
    {
      onAttempt(report) {
        if (record !== undefined) writeFixture(record, report, io)
        // One after the other: an explanation takes longer than the next attempt.
        printed = printed.then(async () => {
          print(io, json ? jsonLine(report) : await linesOf(report, await starting, io))
        })
      },
    },
  )
  const sandbox = await starting
  const signal = io.untilSignal()
  print(io, json ? forMachines(sandbox) : introduction(sandbox, url, record, program))
  await signal
  await sandbox.close()
  await printed
  return EXIT.good
}

/** @throws {UsageError} if there is no such folder and it cannot be made */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new UsageError(`Cannot record into ${folder}: ${(error as Error).message}`)
  }
}

function introduction(
  { url, publicUrl, secret }: Sandbox,
  endpoint: string,
  folder: string | undefined,
  program: string,
): string {
  const trigger = `npx ${program} trigger transaction.purchase.successful --sandbox ${url}`
  return [
    `Forwarding events to ${endpoint}`,
    ...(folder === undefined ? [] : [`Recording deliveries in ${folder}`]),
    `Open ${publicUrl}/ to see every delivery. Press Ctrl+C to stop.`,
    `The first payment: press "Pay" there, or run: ${trigger}`,
    'The secret of your endpoint (with --seed <text>, the same each time):',
    `WEBHOOK_SECRET=${secret}`,
    '',
  ].join('\n')
}

/** A failure of the disk must not end the sandbox. */
function writeFixture(folder: string, report: AttemptReport, io: Io): void {
  const file = join(folder, fixtureName(report))
  try {
    writeFileSync(file, `${JSON.stringify(fixtureOf(report), null, 2)}\n`)
  } catch (error) {
    remark(io, `Cannot record the delivery: ${(error as Error).message}`)
  }
}

async function linesOf(report: AttemptReport, sandbox: Sandbox, io: Io): Promise<string> {
  const attempt = { ...report, status: report.answer?.status ?? null }
  const lines = [attemptLine(attempt, io)]
  if (!isAsItMustBe(attempt)) {
    if (REFUSALS.includes(attempt.status)) lines.push(await findingOf(report, sandbox), QUESTION)
    lines.push(paint(io, 'dim', `${sandbox.publicUrl}/deliveries/${report.delivery}/`))
  }
  return lines.join(`\n${INDENT}`)
}

/** What the sandbox itself finds when it verifies what was sent. */
async function findingOf({ body, headers, at }: AttemptReport, { secret }: Sandbox): Promise<string> {
  // Loaded on the first use.
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
  return JSON.stringify({ at, delivery, attempt, type, url, faults, status, error, durationMs })
}
