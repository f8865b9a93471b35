import { fingerprint } from '@service-signature/core'
import { explain, formatReport, type ExplainReport } from '@service-signature/explain'
import { EXIT, printJson, remark, type Io } from '@service-signature/terminal'
import { readChecking, type Checking, type CheckingOptions } from '../delivery/checking.js'
import { sandboxSecret } from '../delivery/fetch-delivery.js'
import type { LoadedDelivery } from '../delivery/read-delivery.js'

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
  const checking = { delivery, rules: now === undefined ? rules : { ...rules, now: () => now } }
  const report = await withSandboxSecret(await reportOn(checking), checking, io)
  if (options.json) printJson(io, report)
  else io.stdout.write(formatReport(report, { color: io.hasColor, verbose: options.verbose ?? false }))
  return report.ok ? EXIT.good : EXIT.refused
}

function reportOn({ delivery: { body, header }, rules }: Checking): Promise<ExplainReport> {
  return explain(body, header, { ...rules, ...WITHOUT_LIMITS })
}

function isSigned({ checks }: ExplainReport): boolean {
  return checks.some(({ name, outcome }) => name === 'signature' && outcome === 'passed')
}

/** The report, with the secret as the proven cause if a sandbox has signed the delivery with another one. */
async function withSandboxSecret(
  report: ExplainReport,
  { delivery, rules }: Checking,
  io: Io,
): Promise<ExplainReport> {
  const isProven = report.hypotheses.some(({ names }) => names.join() !== 'other-secret')
  if (delivery.address === undefined || rules.secret === undefined || isProven || isSigned(report))
    return report
  const secret = await sandboxSecret(delivery.address, io)
  if (secret === undefined || !isSigned(await reportOn({ delivery, rules: { ...rules, secret } })))
    return report
  const [given, used] = [await fingerprint(rules.secret), await fingerprint(secret)]
  const cause = {
    names: ['other-secret'],
    happened: `your secret is ${given}, the sandbox signs with ${used}`,
    where:
      'In a shell or a .env file with the secret of the service, of another sandbox or of another project.',
    fix: 'Use the secret of the sandbox, which it prints at its start, for your endpoint and for this command.',
    versions: rules.versions.filter((version) => version !== 'v1'),
  } as const
  const finding = `${cause.happened.replace('your', 'Your')} [other-secret].`
  return { ...report, finding, hypotheses: [cause], questions: [], ruledOut: [], notTried: [] }
}

/** When it was received, if that was saved: whether it is too old by now explains no answer of that time. */
function receivedAt({ receivedAt }: LoadedDelivery, io: Io): number | undefined {
  if (receivedAt === undefined) return undefined
  const time = new Date(receivedAt).toISOString().replace(/\.\d+/, '')
  remark(io, `Note: Checked as of ${time}, when it was received. --now <seconds> chooses another time.`)
  return receivedAt
}
