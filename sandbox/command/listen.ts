import { fixtureName, fixtureOf, type AttemptReport } from '@service-signature/deliveries'
import type { AttemptFinding, Sandbox } from '@service-signature/sandbox'
import { print, remark, UsageError, type Io } from '@service-signature/terminal'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attemptLines } from './attempt-line.js'
import { addressOfPage, runUntilSignal, start, type SandboxOptions } from './sandbox.js'

export interface ListenOptions extends SandboxOptions {
  readonly forwardTo?: string
  readonly record?: string
}

/** Runs the sandbox, and prints a line for each attempt, until SIGINT or SIGTERM. */
export async function listen(options: ListenOptions, io: Io): Promise<number> {
  const { forwardTo: endpoint, record: folder, json, port = '4000', ...others } = options
  if (endpoint === undefined) {
    throw new UsageError('Pass the address of your endpoint: --forward-to http://localhost:3000/webhooks')
  }
  if (folder !== undefined) makeFolder(folder)
  let printed = Promise.resolve()
  const starting = start({ ...others, port, defaultEndpoint: endpoint }, io, (report, finding) => {
    if (folder !== undefined && !finding.isCheck) writeFixture(folder, report, io)
    // A retry of an earlier start may be answered before this start has ended.
    printed = printed.then(async () => {
      print(io, json ? jsonLine(report, finding) : linesOf(report, finding, await starting, io))
    })
  })
  const sandbox = await starting
  const exitCode = await runUntilSignal(sandbox, json, introduction(sandbox, endpoint, folder), io)
  await printed
  return exitCode
}

/** @throws {UsageError} if there is no such folder and it cannot be made */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new UsageError(`Cannot record into ${folder}: ${(error as Error).message}`)
  }
}

/** A failure of the disk must not end the sandbox. */
function writeFixture(folder: string, report: AttemptReport, io: Io): void {
  try {
    writeFileSync(join(folder, fixtureName(report)), `${JSON.stringify(fixtureOf(report), null, 2)}\n`)
  } catch (error) {
    remark(io, `Cannot record the delivery: ${(error as Error).message}`)
  }
}

function introduction(sandbox: Sandbox, endpoint: string, folder: string | undefined): string {
  const { url, token, secret } = sandbox
  const trigger = `npx service-signature trigger transaction.purchase.successful --sandbox ${url}`
  return [
    `Forwarding events to ${endpoint}`,
    ...(folder === undefined ? [] : [`Recording deliveries in ${folder}`]),
    `Open ${addressOfPage(sandbox)} to see every delivery. Press Ctrl+C to stop.`,
    `The first payment: press "Pay a test payment" there, or run: ${token === undefined ? '' : `SANDBOX_TOKEN=${token} `}${trigger}`,
    'The secret of your endpoint, the same at the next start (--new-secret makes another):',
    `WEBHOOK_SECRET=${secret}`,
    '',
  ].join('\n')
}

function linesOf(report: AttemptReport, finding: AttemptFinding, { publicUrl }: Sandbox, io: Io): string {
  const { cause = null, isCheck } = finding
  // A copy of a refused delivery shows its cause, which is printed there.
  const isShown = !report.faults.includes('reprinted')
  return attemptLines({ ...report, isCheck, cause: isShown ? cause : null }, publicUrl, io)
}

function jsonLine(report: AttemptReport, { cause, isCheck }: AttemptFinding): string {
  const { at, delivery, attempt, type, url, faults, answer, error, durationMs } = report
  const outcome = { faults, status: answer?.status ?? null, error, durationMs, isCheck, cause: cause ?? null }
  return JSON.stringify({ at, delivery, attempt, type, url, ...outcome })
}
