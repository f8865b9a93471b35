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

/** The last one since the page was loaded. */
export const auditRun = signal<AuditRun | undefined>(undefined)

let controller = new AbortController()

/**
 * Audits an endpoint, with `survives` also for what needs 1,000 payments. Resolves when it has ended.
 *
 * @throws {ApiError} if it cannot begin
 */
export async function startAudit(url: string, survives: boolean): Promise<void> {
  controller = new AbortController()
  const { signal } = controller
  try {
    await postForLines('/_sandbox/audits/', { url, survives }, signal, (line) => take(url, line as AuditLine))
    if (auditRun.value?.state === 'running') change({ state: 'stopped', problem: 'The sandbox has ended.' })
  } catch (error) {
    if (signal.aborted) change({ state: 'cancelled' })
    else if (auditRun.value?.state === 'running') change({ state: 'stopped', problem: messageOf(error) })
    else throw error
  }
}

export function cancelAudit(): void {
  controller.abort()
}

function change(changed: Partial<AuditRun>): void {
  auditRun.value = { ...auditRun.value!, ...changed }
}

function take(url: string, line: AuditLine): void {
  if ('cases' in line) auditRun.value = { url, state: 'running', cases: line.cases, problem: null }
  else if ('fault' in line) change({ state: 'stopped', problem: line.fault })
  else if ('report' in line) {
    const { state, cases, problem } = line.report
    change({ state, cases, problem, ended: line })
  } else {
    const { result } = line
    change({ cases: auditRun.value!.cases.map((each) => (each.name === result.name ? result : each)) })
  }
}
