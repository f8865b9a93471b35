import { toBytes, type WebhookBody } from '../body.js'
import type { Digest } from '../digest/digest.js'
import type { SignatureHeaderValue } from '../header.js'
import { fingerprintWith } from '../secrets/keys.js'
import { Asker } from './asker.js'
import { diagnose } from './diagnose.js'
import { checkExplainOptions, type ExplainOptions } from './options.js'
import type { ExplainReport } from './report.js'

/** `explain` over any digest. */
export async function explainWith<Key>(
  digest: Pick<Digest<Key>, 'importKey' | 'run' | 'sha256'>,
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: ExplainOptions,
): Promise<ExplainReport> {
  const settings = checkExplainOptions(options)
  const now = settings.now()
  // Copies, for the caller may change both while fingerprints and digests are awaited.
  const bytes = new Uint8Array(toBytes(body))
  const value = Array.isArray(header) ? [...(header as readonly string[])] : header
  const { secret, apiKey } = settings.keys
  const fingerprints = new Map<string, string>()
  for (const { label, material } of [...secret, ...apiKey]) {
    fingerprints.set(label, await fingerprintWith(digest, material))
  }
  const subject = { bytes, value, settings, now, fingerprints }
  return digest.run(diagnose(new Asker(digest.importKey, bytes.length), subject), (report) => report)
}
