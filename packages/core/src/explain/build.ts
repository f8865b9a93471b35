import { toBytes, type WebhookBody } from '../body.js'
import type { Digest } from '../digest/digest.js'
import type { SignatureHeaderValue } from '../header.js'
import { fingerprintWith } from '../secrets/keys.js'
import { Asker } from './asker.js'
import { diagnose, diagnoseHeader } from './diagnose.js'
import { Budget, cpuTime, type Clock } from './budget.js'
import { checkExplainOptions, type ExplainOptions, type ExplainSettings } from './options.js'
import type { ExplainReport } from './report.js'

/** `explain` over any digest. */
export async function explainWith<Key>(
  digest: Pick<Digest<Key>, 'importKey' | 'run' | 'sha256'>,
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: ExplainOptions,
  clock: Clock = cpuTime,
): Promise<ExplainReport> {
  const settings = checkExplainOptions(options)
  const now = settings.now()
  const budget = new Budget(settings.timeLimitMilliseconds, clock)
  // Copies, because the caller may change both while fingerprints and digests are awaited.
  const given = toBytes(body)
  const isTooLarge = given.length > settings.bodyLimit
  const bytes = isTooLarge ? given : new Uint8Array(given)
  const value = Array.isArray(header) ? [...(header as readonly string[])] : header
  const { secret, apiKey } = settings.keys
  const fingerprints = new Map<string, string>()
  for (const { label, material } of [...secret, ...apiKey]) {
    fingerprints.set(label, await fingerprintWith(digest, material))
  }
  const subject = { bytes, value, settings, now, fingerprints }
  if (isTooLarge) return diagnoseHeader(subject)
  const asker = new Asker(digest.importKey, budget)
  return digest.run(diagnose(asker, subject), (report) =>
    budget.isExceeded ? { ...report, limitReached: timeLimitReached(settings) } : report,
  )
}

function timeLimitReached({ timeLimitMilliseconds }: ExplainSettings): string {
  return `The search ended after ${timeLimitMilliseconds} ms, so some faults were not tried: raise "timeLimitMilliseconds" to try them.`
}
