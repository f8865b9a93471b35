import { signal } from '@preact/signals'
import type { AuditLine } from '../../server/endpoints/routes-audit.js'
import { messageOf, postForLines } from './client.js'

type Lines<Field extends string> = Extract<AuditLine, Readonly<Record<Field, unknown>>>
export type AuditCase = Lines<'cases'>['cases'][number]

/** The audit of this page, while it runs and after that. */
export interface AuditRun {
  readonly url: string
  readonly state: 'running' | 'done' | 'stopped' | 'cancelled'
  /** All cases in their order; those that are still to come are not run. */
  readonly cases: readonly AuditCase[]
  /** Why it stopped. */
  readonly problem: string | null
  /** Missing until it has ended. */
  readonly ended?: Lines<'report'>
}

interface AuditOptions {
  readonly url: string
  readonly groups: readonly string[]
  readonly survives: boolean
}

/** The last one since the page was loaded. */
export const auditRun = signal<AuditRun | undefined>(undefined)

let controller = new AbortController()

/**
 * Starts an audit. Resolves when it has begun.
 *
 * @throws {ApiError} if it cannot begin
 */
export function startAudit(body: AuditOptions): Promise<void> {
  controller = new AbortController()
  const { signal } = controller
  return new Promise((resolve, reject) => {
    postForLines('/_sandbox/audits/', body, signal, (parsed) => {
      if (signal.aborted) return
      const line = parsed as AuditLine
      auditRun.value = 'cases' in line ? begun(body.url, line.cases) : advanced(auditRun.value!, line)
      resolve()
    }).then(
      () => {
        if (auditRun.value?.state === 'running') stop('The sandbox has ended.')
      },
      (error: unknown) => {
        if (signal.aborted) return
        if (auditRun.value?.state === 'running') stop(messageOf(error))
        reject(error instanceof Error ? error : new Error(messageOf(error)))
      },
    )
  })
}

export function cancelAudit(): void {
  controller.abort()
  auditRun.value = { ...auditRun.value!, state: 'cancelled' }
}

function stop(problem: string): void {
  auditRun.value = { ...auditRun.value!, state: 'stopped', problem }
}

function begun(url: string, cases: readonly AuditCase[]): AuditRun {
  return { url, state: 'running', cases, problem: null }
}

function advanced(run: AuditRun, line: Exclude<AuditLine, Lines<'cases'>>): AuditRun {
  if ('fault' in line) return { ...run, state: 'stopped', problem: line.fault }
  if ('report' in line) {
    const { state, cases, problem } = line.report
    return { ...run, state, cases, problem, ended: line }
  }
  const { result } = line
  return { ...run, cases: run.cases.map((each) => (each.name === result.name ? result : each)) }
}
