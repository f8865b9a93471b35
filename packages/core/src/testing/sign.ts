import { toBytes, type WebhookBody } from '../bytes.js'
import { CANONICAL_FORMS, type CanonicalForm } from '../canonical-json/forms.js'
import { hmac, nodeHmac } from '../hmac/node.js'
import { WebhookError } from '../errors.js'
import { formatSignatureHeader } from '../header.js'
import { ownOptions } from '../options.js'
import { checkKey } from '../keys.js'
import { checkVersions } from '../verifier-options.js'
import { VERSION_NAMES, VERSIONS, type Version } from '../versions.js'

export interface SignOptions {
  /** The webhook signing secret, for v2 and v3. */
  readonly secret?: string
  /** The account API key, for v1. */
  readonly apiKey?: string
  /** Unix time in seconds. Default: now. */
  readonly timestamp?: number | string
  /** Default: every version whose key is given; v2 only where the body is JSON. */
  readonly versions?: readonly Version[]
  /** How the text that v2 signs is printed. Default: `source`. */
  readonly canonicalForm?: CanonicalForm
}

const OPTIONS = ['secret', 'apiKey', 'timestamp', 'versions', 'canonicalForm'] as const

/**
 * The `Service-Signature` value that the payment service would send with this body.
 *
 * @example
 * const header = sign(body, { secret: 'test_signature_key' })
 * await fetch(url, { method: 'POST', body, headers: { 'Service-Signature': header } })
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {WebhookError} `ERR_BODY_NOT_JSON` when v2 is asked for and cannot be made
 */
export function sign(body: WebhookBody, options: SignOptions): string {
  const own = ownOptions(options, OPTIONS, 'sign')
  const { canonicalForm = 'source', timestamp = Math.floor(Date.now() / 1000) } = own
  if (!CANONICAL_FORMS.includes(canonicalForm)) {
    throw new TypeError(`"canonicalForm" must be one of ${CANONICAL_FORMS.join(', ')}`)
  }
  const bytes = toBytes(body)
  const signatures: Partial<Record<Version, string>> = {}
  for (const version of checkVersions(own.versions ?? signedBy(own))) {
    const { key: kind, messages } = VERSIONS[version]
    const key = nodeHmac.importKey(checkKey(own[kind], kind))
    try {
      for (const message of messages(bytes, [canonicalForm])) {
        signatures[version] = hmac(key, message, String(timestamp)).digest('hex')
      }
    } catch (error) {
      // Only who asks for v2 is told that there is none over such a body.
      if (own.versions !== undefined || !WebhookError.is(error)) throw error
    }
  }
  return formatSignatureHeader({ timestamp, signatures })
}

/** What can be signed with the keys that are there. */
function signedBy(options: SignOptions): readonly Version[] {
  const versions = VERSION_NAMES.filter((version) => options[VERSIONS[version].key] !== undefined)
  if (versions.length === 0) throw new TypeError('sign needs "secret", "apiKey" or both')
  return versions
}
