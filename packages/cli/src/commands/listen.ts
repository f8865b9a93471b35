import { fixtureName, fixtureOf, type AttemptReport } from '@service-signature/deliveries'
import type { AttemptFinding, Sandbox } from '@service-signature/sandbox'
import { EXIT, print, remark, UsageError, type Io } from '@service-signature/terminal'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attemptLine, causeLines } from '../sandbox/attempt-line.js'
import { forMachines, pageOf, startSandbox } from '../sandbox/start.js'
import type { SandboxOptions } from './sandbox.js'

export interface ListenOptions extends SandboxOptions {
  readonly forwardTo?: string
  readonly record?: string
}

const DEFAULT_PORT = '4000'

/** Runs the sandbox, and prints a line for each attempt, until SIGINT or SIGTERM. */
export async function run(options: ListenOptions, io: Io): Promise<number> {
  const { forwardTo: url, record, json, ...startOptions } = options
  if (url === undefined) {
    throw new UsageError('Pass the address of your endpoint: --forward-to http://localhost:3000/webhooks')
  }
  if (record !== undefined) makeFolder(record)
  let printed = Promise.resolve()
  const starting = startSandbox({ port: DEFAULT_PORT, ...startOptions, defaultEndpoint: url }, io, {
    onAttempt(report, finding) {
      if (record !== undefined && !finding.isCheck) writeFixture(record, report, io)
      // A retry of an earlier start may be answered before this start has ended.
      printed = printed.then(async () => {
        print(io, json ? jsonLine(report, finding) : linesOf(report, finding, await starting, io))
      })
    },
  })
  const sandbox = await starting
  const signal = io.untilSignal()
  print(io, json ? forMachines(sandbox) : introduction(sandbox, url, record))
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

function introduction(sandbox: Sandbox, endpoint: string, folder: string | undefined): string {
  const { url, token, secret } = sandbox
  const trigger = `npx service-signature trigger transaction.purchase.successful --sandbox ${url}`
  return [
    `Forwarding events to ${endpoint}`,
    ...(folder === undefined ? [] : [`Recording deliveries in ${folder}`]),
    `Open ${pageOf(sandbox)} to see every delivery. Press Ctrl+C to stop.`,
    `The first payment: press "Pay a test payment" there, or run: ${token === undefined ? '' : `SANDBOX_TOKEN=${token} `}${trigger}`,
    'The secret of your endpoint, the same at the next start (--new-secret makes another):',
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

function linesOf(
  report: AttemptReport,
  { cause, isCheck }: AttemptFinding,
  { publicUrl }: Sandbox,
  io: Io,
): string {
  const { delivery, faults, answer } = report
  const line = attemptLine({ ...report, status: answer?.status ?? null, isCheck }, io)
  // A copy of a refused delivery shows its cause, which is printed there.
  if (cause === undefined || faults.includes('reprinted')) return line
  return line + causeLines(cause, `${publicUrl}/deliveries/${delivery}/`, io)
}

function jsonLine(report: AttemptReport, { cause, isCheck }: AttemptFinding): string {
  const { at, delivery, attempt, type, url, faults, answer, error, durationMs } = report
  const status = answer?.status ?? null
  return JSON.stringify({
    at,
    delivery,
    attempt,
    type,
    url,
    faults,
    status,
    error,
    durationMs,
    isCheck,
    cause: cause ?? null,
  })
}
