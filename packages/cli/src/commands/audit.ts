import {
  audit,
  AuditTargetError,
  formatHtml,
  formatJson,
  formatJunit,
  formatMarkdown,
  formatText,
  GROUPS,
  listCases,
  type AuditReport,
  type CaseResult,
  type Group,
  type Selection,
} from '@service-signature/audit'
import {
  count,
  EXIT,
  keysFor,
  milliseconds,
  oneOf,
  positiveSeconds,
  readKeys,
  remark,
  UsageError,
  versionList,
  type Io,
  type KeyOptions,
} from '@service-signature/terminal'
import { writeFile } from 'node:fs/promises'
import { StartedEndpoint } from './started-endpoint.js'

export interface AuditOptions extends KeyOptions {
  readonly versions?: string
  readonly iOwnThisEndpoint?: true
  readonly account?: string
  readonly live?: true
  readonly test?: true
  readonly survives?: true
  readonly start?: string
  readonly startTimeout?: string
  readonly group?: string
  readonly only?: string
  readonly pace?: string
  readonly timeout?: string
  readonly concurrency?: string
  readonly junit?: string
  readonly html?: string
  readonly summary?: string | true
  readonly json?: true
}

// The limits of the options of "audit".
const MAX_TIMEOUT_SECONDS = 3600
const MAX_CONCURRENCY = 32

/** Sends valid and hostile deliveries to an endpoint, and reports what a correct one would have answered. */
export async function run(url: string, options: AuditOptions, io: Io): Promise<number> {
  const { pace, only, json, junit, html, survives = false, summary } = options
  const versions = versionList(options.versions ?? 'v3')
  const groups = options.group === undefined ? GROUPS : groupList(options.group)
  const selection = { versions, groups, survives, ...ownerOf(options), ...(only !== undefined && { only }) }
  const settings = {
    ...selection,
    timeoutSeconds: positiveSeconds('--timeout', options.timeout ?? '10', MAX_TIMEOUT_SECONDS),
    concurrency: concurrencyOf(options.concurrency ?? '1'),
    ...(pace !== undefined && { paceMs: milliseconds('--pace', pace) }),
    allowRemote: options.iOwnThisEndpoint === true,
    now: io.now,
  }
  const summaryFile = summary === true ? pageOfJob(io.env) : summary
  const isSummaryPrinted = summary !== undefined && summaryFile === undefined
  if (isSummaryPrinted && json)
    throw new UsageError('--json and --summary both print. Name a file: --summary <file>.')
  const total = listCases(selection).length
  if (total === 0) {
    if (only === undefined)
      throw new UsageError('--group survives needs --survives, because it books 1,000 payments.')
    throw new UsageError(`No case has ${JSON.stringify(only)} in its name. Without --only, all are listed.`)
  }
  const startTimeout = positiveSeconds('--start-timeout', options.startTimeout ?? '30', MAX_TIMEOUT_SECONDS)
  const keys = await readKeys(options, io, { need: keysFor(versions) })

  const runAudit = (signal?: AbortSignal) => {
    const progress = new Progress(io, total)
    const onCase = (result: CaseResult) => {
      progress.advance(result)
    }
    return audit(url, { ...settings, ...keys, onCase, ...(signal && { signal }) })
      .then(inWordsOfTheCommand, refusedTarget)
      .finally(() => {
        progress.erase()
      })
  }
  const report =
    options.start === undefined || !URL.canParse(url)
      ? await runAudit()
      : await runWithEndpoint(options.start, url, startTimeout, io, runAudit)
  if (isSummaryPrinted) io.stdout.write(formatMarkdown(report))
  else
    io.stdout.write(json ? formatJson(report) : formatText(report, { color: io.hasColor, width: io.width }))
  if (junit !== undefined) await save(junit, formatJunit(report))
  if (html !== undefined) await save(html, formatHtml(report))
  if (summaryFile !== undefined) {
    // Other commands of a step on GitHub write to the same file.
    await save(summaryFile, formatMarkdown(report), summary === true ? 'a' : 'w')
  }
  return exitCodeOf(report)
}

/**
 * Runs the audit while a command serves the endpoint. Ctrl+C ends both.
 *
 * @throws {UsageError} if the endpoint does not start
 */
async function runWithEndpoint(
  command: string,
  url: string,
  timeoutSeconds: number,
  io: Io,
  runAudit: (signal: AbortSignal) => Promise<AuditReport>,
): Promise<AuditReport> {
  const interrupted = new AbortController()
  const { signal } = interrupted
  void io.untilSignal().then(() => {
    interrupted.abort()
  })
  const endpoint = await StartedEndpoint.start(command, new URL(url), { timeoutSeconds, env: io.env, signal })
  const report = await runAudit(signal).finally(() => endpoint.stop())
  if (report.reason === 'no-answer') remark(io, `The endpoint stopped answering.${endpoint.printed}`)
  return report
}

function exitCodeOf({ state, reason, failed }: AuditReport): number {
  if (state === 'cancelled') return EXIT.interrupted
  if (reason === 'no-answer') return EXIT.unreachable
  return failed > 0 ? EXIT.refused : EXIT.good
}

/** @throws {UsageError} if both modes are named, or no account */
function ownerOf({ account, live, test }: AuditOptions): Pick<Selection, 'account' | 'live'> {
  if (live && test) throw new UsageError('--live and --test exclude each other.')
  if (account === '') throw new UsageError('--account must not be empty.')
  return {
    ...(account !== undefined && { account }),
    ...((live ?? test) !== undefined && { live: live === true }),
  }
}

function inWordsOfTheCommand(report: AuditReport): AuditReport {
  const notes = report.notes.map((note) =>
    note
      .replace('secret. Set', 'secret. Pass')
      .replace('"account"', '--account <id>')
      .replace('"live"', '--live or --test')
      .replace('"survives"', '--survives'),
  )
  return { ...report, notes }
}

/** @throws {UsageError} on an address that must not be audited */
function refusedTarget(error: unknown): never {
  if (!(error instanceof AuditTargetError)) throw error
  throw new UsageError(error.message.replace('set "allowRemote"', 'pass --i-own-this-endpoint'))
}

/** The file for the page of a job on GitHub. Undefined elsewhere. */
function pageOfJob({ GITHUB_STEP_SUMMARY: file }: Io['env']): string | undefined {
  return file === '' ? undefined : file
}

function groupList(text: string): readonly Group[] {
  return text.split(',').map((name) => oneOf('--group', GROUPS, name.trim()))
}

function concurrencyOf(text: string): number {
  const value = count('--concurrency', text)
  if (value > MAX_CONCURRENCY)
    throw new UsageError(`--concurrency must be at most ${MAX_CONCURRENCY}, got ${value}.`)
  return value
}

async function save(file: string, text: string, flag: 'w' | 'a' = 'w'): Promise<void> {
  try {
    await writeFile(file, text, { flag })
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${String((error as NodeJS.ErrnoException).code)}.`)
  }
}

/** A line on standard error that is rewritten after each case. Nothing is written where there is no terminal. */
class Progress {
  readonly #stderr: Io['stderr']
  readonly #total: number
  #done = 0
  #failed = 0

  constructor({ stderr }: Io, total: number) {
    this.#stderr = stderr
    this.#total = total
    this.#write()
  }

  advance({ outcome }: CaseResult): void {
    this.#done++
    if (outcome === 'failed') this.#failed++
    this.#write()
  }

  erase(): void {
    if (this.#stderr.isTTY) this.#stderr.write('\r\u001b[K')
  }

  #write(): void {
    if (!this.#stderr.isTTY) return
    this.#stderr.write(`\rAuditing: ${this.#done} of ${this.#total} cases, ${this.#failed} failed`)
  }
}
