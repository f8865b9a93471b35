import { audit, type AuditOptions } from '../../src/audit.js'
import type { AuditReport } from '../../src/report/report.js'
import { apiKey, secret } from './truth.js'

/** An audit with both keys. */
export async function auditOf(url: string, options: AuditOptions = {}): Promise<AuditReport> {
  return audit(url, { secret, apiKey, ...options })
}

/** The names of the failed cases, by the kind of their weakness. */
export function weaknessesOf({ cases }: AuditReport): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name, weakness } of cases) if (weakness !== null) (found[weakness] ??= []).push(name)
  return found
}
