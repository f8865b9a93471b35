import { fingerprint, verify, WebhookError, type WebhookErrorCode } from '@service-signature/core'
import { createRefusalExplainer, explain, formatReport, type ExplainReport } from '@service-signature/explain'
import { EXIT, printJson, remark, type Io } from '@service-signature/terminal'
import { readChecking, type Checking, type CheckingOptions } from '../delivery/checking.js'
import { sandboxSecret } from '../delivery/fetch-delivery.js'
import type { LoadedDelivery } from '../delivery/read-delivery.js'

export interface ExplainOptions extends CheckingOptions {
  readonly verbose?: true
}

// It is the user's own delivery, on the user's own machine.
const WITHOUT_LIMITS = { bodyLimit: Infinity, timeLimitMilliseconds: Infinity }

/** Says what is wrong with a saved delivery. The finding comes first. */
export async function run(options: ExplainOptions, io: Io): Promise<number> {
  // What is wrong with the text of a key may be the very fault.
  const { delivery, rules } = await readChecking(options, io, { keysAsIs: true })
  for (const note of delivery.notes) remark(io, `Note: ${note}`)
  const now = options.now === undefined ? receivedAt(delivery, io) : undefined
  const checking = { delivery, rules: now === undefined ? rules : { ...rules, now: () => now } }
  const report =
    delivery.refusedUnread === undefined
      ? await withSandboxSecret(await reportOn(checking), checking, io)
      : await reportOnHeader(checking, delivery.refusedUnread)
  if (options.json) printJson(io, report)
  else {
    const { hasColor: color, width } = io
    io.stdout.write(formatReport(report, { color, verbose: options.verbose ?? false, width }))
  }
  return report.ok ? EXIT.good : EXIT.refused
}

function reportOn({ delivery: { body, header }, rules }: Checking): Promise<ExplainReport> {
  return explain(body, header, { ...rules, ...WITHOUT_LIMITS })
}

/** Of a recorded refusal whose body was never read, only the header can be checked again. */
async function reportOnHeader(
  { delivery: { header }, rules }: Checking,
  code: string,
): Promise<ExplainReport> {
  const found: unknown = await verify('', header, rules).catch((error: unknown) => error)
  const message = WebhookError.is(found) && found.code === code ? found.message : messageOf(code)
  return createRefusalExplainer().explain({ code, message }, { header }, rules)
}

function messageOf(code: string): string {
  try {
    return new WebhookError(code as WebhookErrorCode).message
  } catch {
    return `It was refused with ${code}, which is unknown here.`
  }
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
