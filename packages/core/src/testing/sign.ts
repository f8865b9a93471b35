import { WebhookError } from '../errors.js'
import { ownOptions } from '../shared/check-options.js'
import { pythonNumber } from '../signature/canonical-json/tokens.js'
import { formatSignatureHeader } from '../signature/header.js'
import { hexDigest, nodeHmac } from '../signature/hmac/node.js'
import { checkKey } from '../signature/keys.js'
import { CANONICAL_FORMS, type CanonicalForm, type Version, VERSION_NAMES } from '../signature/names.js'
import { checkVersions, VERSIONS } from '../signature/versions.js'
import { isBody, toBytes, type WebhookBody } from '../verify/body.js'

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
): SignedRequest<Payload extends WebhookBody ? Payload : string> {
  const { url = '/', bodyStyle, ...signing } = options
  const body = isBody(payload) ? payload : printBody(payload, bodyStyle)
  const headers = { 'Content-Type': 'application/json', 'Service-Signature': sign(body, signing) } as const
  return { method: 'POST', url, headers, body: body as Payload extends WebhookBody ? Payload : string }
}

/** How the body of a delivery is printed: as Python does, like the sandbox, or as `JSON.stringify` does. */
export type BodyStyle = 'python' | 'ecmascript'

/** The amounts of an event, which Python prints as floats: `10.0`. */
const AMOUNT =
  /^\.(?:intent\.amount\.value|transaction\.operations\.\d+\.amount\.value|data\.intent\.amount)$/

/**
 * Prints a payload as the body of a delivery. In Python's style, whole amounts end with `.0` and letters beyond ASCII are
 * escaped, so that printing the parsed body again in JavaScript gives other bytes, as it does with the payment service.
 *
 * @example
 * const body = printBody(transactionEvent())
 *
 * @throws {TypeError} on a style that does not exist
 */
export function printBody(payload: unknown, bodyStyle: BodyStyle = 'python'): string {
  const text = JSON.stringify(payload)
  if (bodyStyle === 'ecmascript') return text
  if ((bodyStyle as unknown) !== 'python')
    throw new TypeError('"bodyStyle" must be one of python, ecmascript')
  // Not with TextDecoder, which Jest's jsdom lacks: tests of handlers run there, too.
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return printed(JSON.parse(text), '').replace(/[\u007f-\uffff]/g, escaped)
}

function printed(value: unknown, path: string): string {
  if (typeof value === 'number') return printedNumber(value, AMOUNT.test(path))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item, index) => printed(item, `${path}.${index}`)).join()}]`
  const fieldOf = ([name, field]: [string, unknown]) =>
    `${JSON.stringify(name)}:${printed(field, `${path}.${name}`)}`
  return `{${Object.entries(value).map(fieldOf).join()}}`
}

/** JavaScript does not know whether a whole number is a float; of an event, only the amounts are. */
function printedNumber(value: number, isFloat: boolean): string {
  const text = String(value)
  return pythonNumber(isFloat && Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text)
}
