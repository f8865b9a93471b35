import { WebhookError } from './errors.js'
import { freshness } from './freshness.js'
import { parseSignatureHeader, type SignatureHeader, type SignatureHeaderValue } from './header.js'
import type { Settings } from './settings.js'

/**
 * Whether the body is worth reading at all: header present, grammar, listed versions present, time window. This
 * costs next to nothing, so a junk request costs neither a body nor a call for the secret.
 *
 * @throws {WebhookError} the first of these that fails
 */
export function checkHeader(value: SignatureHeaderValue, settings: Settings): SignatureHeader {
  const header = parseSignatureHeader(value)
  const missing = settings.versions.find((version) => header.signatures[version] === undefined)
  if (missing !== undefined) throw new WebhookError('ERR_SIGNATURE_VERSION_MISSING', { detail: missing })
  checkFreshness(header.timestamp, settings)
  return header
}

function checkFreshness(timestamp: string, { now, window }: Settings): void {
  const { verdict, ageSeconds } = freshness(timestamp, now(), window)
  if (verdict === 'too old') {
    throw new WebhookError('ERR_TIMESTAMP_TOO_OLD', {
      detail: `${ageSeconds} s ago, and toleranceSeconds is ${window.toleranceSeconds}`,
    })
  }
  if (verdict === 'in the future') {
    throw new WebhookError('ERR_TIMESTAMP_IN_FUTURE', {
      detail: `${-ageSeconds} s ahead, and futureToleranceSeconds is ${window.futureToleranceSeconds}`,
    })
  }
}
