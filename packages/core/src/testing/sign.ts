import { isBody, toBytes, type WebhookBody } from '../bytes.js'
import { CANONICAL_FORMS, type CanonicalForm } from '../canonical-json/forms.js'
import { hexDigest, nodeHmac } from '../hmac/node.js'
import { WebhookError } from '../errors.js'
import { formatSignatureHeader } from '../header.js'
import { checkKey } from '../keys.js'
import { ownOptions } from '../check-options.js'
import { checkVersions } from '../options.js'
import { VERSION_NAMES, VERSIONS, type Version } from '../versions.js'
import { printBody, type BodyStyle } from './body-style.js'

export interface SignOptions {
  /** The webhook signing secret, for v2 and v3. */
  readonly secret?: string | undefined
  /** The account API key, for v1. */
  readonly apiKey?: string | undefined
  /** Unix time in seconds. Default: now. */
  readonly timestamp?: number | string | undefined
  /** Default: every version whose key is given; v2 only if the body is JSON. */
  readonly versions?: readonly Version[] | undefined
  /** How the text that v2 signs is printed. Default: `source`. */
  readonly canonicalForm?: CanonicalForm | undefined
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
 * @throws {WebhookError} `ERR_BODY_NOT_JSON` when v2 is listed and the body is not JSON
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
        signatures[version] = hexDigest(key, message, String(timestamp))
      }
    } catch (error) {
      // By default, v2 is left out if the body is not JSON; if it is listed, that is an error.
      if (own.versions !== undefined || !WebhookError.is(error)) throw error
    }
  }
  return formatSignatureHeader({ timestamp, signatures })
}

/** The versions that can be signed with the given keys. */
function signedBy(options: SignOptions): readonly Version[] {
  const versions = VERSION_NAMES.filter((version) => options[VERSIONS[version].key] !== undefined)
  if (versions.length === 0) throw new TypeError('sign needs "secret", "apiKey" or both')
  return versions
}

export interface SignedRequestOptions extends SignOptions {
  /** Default: `/`. */
  readonly url?: string | undefined
  /** How a payload is printed. Default: `python`, as the sandbox prints it. */
  readonly bodyStyle?: BodyStyle | undefined
}

/** A delivery as the payment service would send it, with the members that `fetch`, supertest and `inject` expect. */
export interface SignedRequest<Body> {
  readonly method: 'POST'
  readonly url: string
  readonly headers: { readonly 'Content-Type': string; readonly 'Service-Signature': string }
  readonly body: Body
}

/**
 * Makes a signed delivery of a payload. Text and bytes are sent as they are, anything else as `printBody` prints it.
 *
 * @example
 * const request = signedRequest(transactionEvent(), { secret, url: 'http://localhost:3000/webhooks' })
 * await fetch(request.url, request)
 * await supertest(app).post('/webhooks').set(request.headers).send(request.body)
 * await fastify.inject(request)
 *
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 */
export function signedRequest<Payload>(
  payload: Payload,
  options: SignedRequestOptions,
): SignedRequest<Payload extends WebhookBody ? Payload : string>
export function signedRequest(payload: unknown, options: SignedRequestOptions): SignedRequest<WebhookBody> {
  const { url = '/', bodyStyle = 'python', ...signing } = options
  const body = isBody(payload) ? payload : printBody(payload, bodyStyle)
  return {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/json', 'Service-Signature': sign(body, signing) },
    body,
  }
}
