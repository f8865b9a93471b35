import { writeFile } from 'node:fs/promises'
import { audit } from '../audit/audit.js'
import { showProgress } from '../audit/progress.js'
import { toJson } from '../audit/report/json.js'
import { toJunit } from '../audit/report/junit.js'
import { toText } from '../audit/report/text.js'
import { readSettings, type AuditOptions } from '../audit/settings.js'
import { EXIT, UsageError } from '../exit.js'
import type { Io } from '../io.js'
import { print, printJson } from '../output.js'

export type { AuditOptions } from '../audit/settings.js'

/** Plays genuine and hostile deliveries at an endpoint, and reports what a sound one would have answered. */
export async function run(url: string, options: AuditOptions, io: Io): Promise<number> {
  const { notes, ...plan } = await readSettings(url, options, io)
  const progress = showProgress(io, plan.cases.length)
  const outcome = await audit({ ...plan, onCase: progress.advance }).finally(progress.stop)

  const report = { ...outcome, notes, target: plan.target.shown }
  if (options.json) printJson(io, toJson(report))
  else print(io, toText(report, io))
  if (options.junit !== undefined) await save(options.junit, toJunit(report))
  return report.results.some(({ weakness }) => weakness !== undefined) ? EXIT.refused : EXIT.good
}

async function save(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${String((error as NodeJS.ErrnoException).code)}.`)
  }
}
