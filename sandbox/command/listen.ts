import { fixtureName, fixtureOf, type AttemptReport } from '@service-signature/deliveries'
import type { AttemptFinding } from '@service-signature/sandbox'
import { print, remark, UsageError, type Io } from '@service-signature/terminal'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AttemptLines } from './attempt-line.js'
import { introduction, runUntilSignal, start, type SandboxOptions } from './sandbox.js'

export interface ListenOptions extends SandboxOptions {
  readonly forwardTo?: string
  readonly record?: string
}

/** Runs the sandbox, and prints a line for each attempt, until SIGINT or SIGTERM. */
export async function listen(options: ListenOptions, io: Io): Promise<number> {
  const { forwardTo: endpoint, record: folder, json, ...others } = options
  if (endpoint === undefined) {
    throw new UsageError('Pass the address of your endpoint: --forward-to http://localhost:3000/webhooks')
  }
  if (folder !== undefined) makeFolder(folder)
  let printed = Promise.resolve()
  let lines: AttemptLines | undefined
  const starting = start({ ...others, defaultEndpoint: endpoint }, io, (report, finding) => {
    if (folder !== undefined && !finding.isCheck) writeFixture(folder, report, io)
    // A retry of an earlier start may be answered before this start has ended.
    printed = printed.then(async () => {
      lines ??= new AttemptLines((await starting).publicUrl, io)
      const { cause = null, ...found } = finding
      print(io, json ? jsonLine(report, finding) : lines.of({ ...report, ...found, cause }))
    })
  })
  const recorded = folder === undefined ? undefined : `Recording deliveries in ${folder}`
  const exitCode = await runUntilSignal(
    await starting,
    json,
    introduction(await starting, endpoint, recorded),
    io,
  )
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

function jsonLine(report: AttemptReport, { verdict, cause, isCheck }: AttemptFinding): string {
  const { at, delivery, attempt, type, url, faults, answer, error, durationMs } = report
  const outcome = {
    status: answer?.status ?? null,
    error,
    durationMs,
    verdict,
    isCheck,
    cause: cause ?? null,
  }
  return JSON.stringify({ at, delivery, attempt, type, url, faults, ...outcome })
}
