import { toBytes, type WebhookBody } from '../body.js'
import type { Digest } from '../digest/digest.js'
import type { SignatureHeaderValue } from '../header.js'
import { Asker } from './asker.js'
import { diagnose } from './diagnose.js'
import { checkExplainOptions, type ExplainOptions } from './options.js'
import type { ExplainReport } from './report.js'

/** A digest that also takes keys that are no text, for a key may have been decoded by mistake. */
export interface ExplainDigest<Key> extends Pick<Digest<Key>, 'run' | 'sha256'> {
  readonly importKey: (bytes: Uint8Array) => Key
}

/** `explain` over any digest. */
export async function explainWith<Key>(
  digest: ExplainDigest<Key>,
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

const encoder = new TextEncoder()

/** The first digits of SHA-256: enough to tell two keys apart, and none of them can be made from it. */
export async function fingerprintWith(digest: Pick<Digest<unknown>, 'sha256'>, key: string): Promise<string> {
  if (typeof (key as unknown) !== 'string' || key === '') {
    throw new TypeError('fingerprint needs a key: a string that is not empty')
  }
  return `sha256:${(await digest.sha256(encoder.encode(key))).slice(0, 8)}`
}
