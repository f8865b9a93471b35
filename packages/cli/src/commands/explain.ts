import { explain, formatReport } from '@service-signature/explain'
import { readChecking, type CheckingOptions } from '../checking.js'
import type { LoadedDelivery } from '../delivery/read-delivery.js'
import { EXIT } from '../exit.js'
import type { Io } from '../io.js'
import { printJson, remark } from '../output.js'

export interface ExplainOptions extends CheckingOptions {
  readonly verbose?: true
}

// It is the user's own delivery, on the user's own machine.
const WITHOUT_LIMITS = { bodyLimit: Infinity, timeLimitMilliseconds: Infinity }

/** Says what is wrong with a saved delivery. The first line is the finding. */
export async function run(options: ExplainOptions, io: Io): Promise<number> {
  // What is wrong with the text of a key may be the very fault.
  const { delivery, rules } = await readChecking(options, io, { keysAsIs: true })
  for (const note of delivery.notes) remark(io, `Note: ${note}`)
  const now = options.now === undefined ? receivedAt(delivery, io) : undefined
  const report = await explain(delivery.body, delivery.header, {
    ...rules,
    ...WITHOUT_LIMITS,
    ...(now !== undefined && { now }),
  })
  if (options.json) printJson(io, report)
  else io.stdout.write(formatReport(report, { color: io.hasColor, verbose: options.verbose ?? false }))
  return report.ok ? EXIT.good : EXIT.refused
}

/** When it was received, if that was saved: whether it is too old by now explains no answer of that time. */
function receivedAt({ receivedAt }: LoadedDelivery, io: Io): number | undefined {
  if (receivedAt === undefined) return undefined
  const time = new Date(receivedAt).toISOString().replace(/\.\d+/, '')
  remark(io, `Note: Checked as of ${time}, when it was received. --now <seconds> chooses another time.`)
  return receivedAt
}
