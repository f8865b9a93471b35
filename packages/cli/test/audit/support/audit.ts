import { run, type AuditOptions } from '../../../src/commands/audit.js'
import type { Io } from '../../../src/io.js'
import { makeIo, type Outcome } from '../../support/command.js'
import { bothKeys } from '../../support/truth.js'

/** Runs the command with both keys in the environment, at the time that it is. */
export async function audit(
  url: string,
  options: AuditOptions = {},
  world: Partial<Io> = {},
): Promise<Outcome> {
  const { io, stdout, stderr } = makeIo({ env: bothKeys, now: Date.now() / 1000 })
  const code = await run(url, options, { ...io, ...world })
  return { code, stdout: stdout(), stderr: stderr() }
}

/** What `--json` prints. */
export interface JsonReport {
  readonly target: string
  readonly score: number
  readonly passed: number
  readonly total: number
  readonly acceptsGenuine: boolean
  readonly notes: readonly string[]
  readonly cases: readonly {
    readonly name: string
    readonly group: string
    readonly sent: string
    readonly expected: string
    readonly got: string
    readonly passed: boolean
    readonly weakness?: string
    readonly risk: string
  }[]
}

/** The same with `--json`. */
export async function auditAsJson(
  url: string,
  options: AuditOptions = {},
  world: Partial<Io> = {},
): Promise<JsonReport> {
  const { stdout } = await audit(url, { ...options, json: true }, world)
  return JSON.parse(stdout) as JsonReport
}

/** What an endpoint fails, by the kind of its weakness. */
export function weaknessesOf({ cases }: JsonReport): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name, weakness } of cases) if (weakness !== undefined) (found[weakness] ??= []).push(name)
  return found
}
