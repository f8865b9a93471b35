import type { SignatureHeaderValue, WebhookBody } from '@service-signature/core'
import { signatureIn } from '@service-signature/core/signature/header'
import type { Hmac } from '@service-signature/core/signature/hmac/hmac'
import { fingerprintWith } from '@service-signature/core/signature/keys'
import { toBytes } from '@service-signature/core/verify/body'
import { checkExplainOptions, type ExplainOptions, type ExplainSettings } from './explain-options.js'

/** A delivery as it arrived, and the rules of its verifier. */
export interface ArrivedDelivery {
  readonly bytes: Uint8Array
  readonly isTooLarge: boolean
  readonly header: SignatureHeaderValue
  readonly settings: ExplainSettings
  /** One time for the whole report, in milliseconds. */
  readonly now: number
  readonly fingerprints: ReadonlyMap<string, string>
}

/** Reads the arguments of `explain`. The body and the header are copied, because the caller may change both later. */
export async function readDelivery<Key>(
  hmac: Hmac<Key>,
  body: WebhookBody,
  header: SignatureHeaderValue,
  options: ExplainOptions,
): Promise<ArrivedDelivery> {
  const settings = checkExplainOptions(options)
  const now = settings.now()
  const given = toBytes(body)
  const isTooLarge = given.length > settings.bodyLimit
  const bytes = isTooLarge ? given : new Uint8Array(given)
  const value = signatureIn(header)
  const copied = Array.isArray(value) ? [...(value as readonly string[])] : value
  const fingerprints = new Map<string, string>()
  for (const { label, material } of [...settings.keys.secret, ...settings.keys.apiKey]) {
    fingerprints.set(label, await fingerprintWith(hmac, material))
  }
  return { bytes, isTooLarge, header: copied, settings, now, fingerprints }
}
