/** A code: its HTTP status and its sentences. They never contain a key, a digest or the body, because errors end up in logs. */
interface ErrorRow {
  /** 408, 409 and 5xx have a cause outside of the delivery: sent again, it can be accepted. */
  readonly status: number
  readonly what: string
  /** What the operator can do. */
  readonly fix: string
}

const ERRORS = {
  ERR_SIGNATURE_MISSING: {
    status: 401,
    what: 'The request has no Service-Signature header',
    fix: 'If the payment service sent it, look for a proxy that drops the header; otherwise it is not signed.',
  },
  ERR_SIGNATURE_MALFORMED: {
    status: 400,
    what: 'The Service-Signature header is malformed',
    fix: 'Pass the value exactly as it arrived: t=<digits>,v1=<hex>,v2=<hex>,v3=<hex>.',
  },
  ERR_SIGNATURE_VERSION_MISSING: {
    status: 401,
    what: 'The Service-Signature header lacks a version that is required here',
    fix: 'List in "versions" only what the sender sends; v3 is the one to require.',
  },
  ERR_TIMESTAMP_TOO_OLD: {
    status: 401,
    what: 'The delivery was signed too long ago',
    fix: 'If it came straight from the payment service, check the clock of this machine (NTP); otherwise it is a replay.',
  },
  ERR_TIMESTAMP_IN_FUTURE: {
    status: 401,
    what: 'The delivery claims to be signed in the future',
    fix: 'If it came straight from the payment service, check the clock of this machine (NTP).',
  },
  ERR_SIGNATURE_MISMATCH: {
    status: 401,
    what: 'The signature does not match the body',
    fix: 'Check that the body is the raw bytes as received (never JSON parsed and re-serialized), and that the key is right: an organization has one signing secret (v2, v3) for its accounts, and an API key (v1) for each account and mode. "npx service-signature secret --base-url <url>" prints the fingerprint of the secret.',
  },
  ERR_SECRET_UNKNOWN: {
    status: 401,
    what: 'There is no key for this request',
    fix: 'The request is for an account that is not set up here. If the account exists, add its key where the function looks it up.',
  },
  ERR_ACCOUNT_UNEXPECTED: {
    status: 403,
    what: 'The delivery is genuine, but for an account that is not expected here',
    fix: 'If this endpoint serves that account, add it to "expect"; otherwise another account of the organization has this address as its webhook_url.',
  },
  ERR_MODE_UNEXPECTED: {
    status: 403,
    what: 'The delivery is genuine, but not of the mode that is expected here',
    fix: 'Give test mode and live mode an endpoint each: an intent of the other mode has this address as its webhook_url.',
  },
  // The generic refusal for a 401 or a 403, so that the caller learns nothing from it. Its status is that of its cause.
  ERR_DELIVERY_REFUSED: {
    status: 401,
    what: 'The delivery was refused',
    // Fastify sends it to the caller, as other hosts do in development, so it has nothing for the operator.
    fix: '',
  },
  ERR_BODY_TOO_LARGE: {
    status: 413,
    what: 'The body is larger than bodyLimit allows',
    fix: 'Raise "bodyLimit" if the payment service sends such bodies.',
  },
  ERR_BODY_ENCODED: {
    status: 415,
    what: 'The body is compressed or otherwise encoded',
    fix: 'Have the proxy pass the body on as it arrived; the payment service signs it without Content-Encoding.',
  },
  ERR_BODY_INCOMPLETE: {
    status: 400,
    what: 'The body ended before it was complete',
    fix: 'The sender hung up; a retry can be accepted.',
  },
  ERR_BODY_CONSUMED: {
    status: 500,
    what: 'The body was read before its bytes could be verified',
    fix: 'Nothing may read the body of this route before the verification.',
  },
  ERR_BODY_TIMEOUT: {
    status: 408,
    what: 'The body did not arrive in time',
    fix: 'The sender or the network in between is slow; "bodyTimeoutSeconds" sets the deadline.',
  },
  ERR_BODY_NOT_JSON: {
    status: 400,
    what: 'The body is not the JSON text of an event',
    fix: 'Look at the raw body; the payment service sends UTF-8 JSON of at most 512 levels.',
  },
  ERR_EVENT_INVALID: {
    status: 500,
    what: 'A handler is registered for this event, but the payload is invalid',
    fix: 'A retry fails too. To acknowledge such events, or to handle them, add "otherwise" to the dispatcher.',
  },
  ERR_SECRET_UNAVAILABLE: {
    status: 503,
    what: 'No key is available right now',
    fix: 'The reason is in "cause"; a retry can be accepted.',
  },
  ERR_REPLAY_STORE_UNAVAILABLE: {
    status: 503,
    what: 'The replay store did not answer',
    fix: 'The reason is in "cause". "onStoreError" decides whether deliveries are accepted meanwhile.',
  },
  ERR_DELIVERY_IN_PROGRESS: {
    status: 409,
    what: 'The same delivery is being handled elsewhere right now',
    fix: 'Nothing to do: a retry gets the outcome.',
  },
} as const satisfies Record<string, ErrorRow>

/** Every code that a {@link WebhookError} can carry. */
export type WebhookErrorCode = keyof typeof ERRORS

export interface WebhookErrorOptions {
  /** Details of this case, for the message: `the age is 312 s, 300 s are allowed`. */
  readonly detail?: string
  readonly cause?: unknown
  /** Replaces the sentences of the code. */
  readonly message?: string
  /** Replaces what the code has by default. */
  readonly retryAfterSeconds?: number
}

// A registered symbol is the same in both copies of the package that a process may load (ESM and CommonJS).
const BRAND = Symbol.for('@service-signature/WebhookError')

/**
 * A delivery was not accepted, and `code` says why. The message is for the operator. Wrong use by the programmer is a
 * `TypeError` or a `RangeError` instead.
 *
 * @example
 * try {
 *   await verifier.verify(body, header)
 * } catch (error) {
 *   if (!WebhookError.is(error)) throw error
 *   console.warn(error.code, error.message)
 * }
 */
export class WebhookError extends Error {
  readonly code: WebhookErrorCode
  /** The HTTP status to answer with. */
  readonly status: number
  /** Whether the same delivery can be accepted when it is sent again. */
  readonly retryable: boolean
  /** The value of `Retry-After`, if the sender should retry. */
  readonly retryAfterSeconds: number | undefined
  /** The message is for the operator; no host may show it to the caller. */
  declare readonly expose: false

  // Error handlers of hosts look for these two, which come from http-errors. Getters are not printed in a log.

  /** The same as `status`. */
  get statusCode(): number {
    return this.status
  }

  /** Headers to send with the answer. RFC 9110, 11.6.1: a 401 names the scheme that would help. */
  get headers(): Readonly<Record<string, string>> {
    const headers = this.status === 401 ? { 'WWW-Authenticate': 'Service-Signature' } : {}
    if (this.retryAfterSeconds === undefined) return headers
    return { ...headers, 'Retry-After': String(Math.ceil(this.retryAfterSeconds)) }
  }

  constructor(code: WebhookErrorCode, given: WebhookErrorOptions = {}) {
    // Nothing comes from a prototype, so that a polluted Object.prototype gives no error a cause.
    const options = Object.assign(Object.create(null) as WebhookErrorOptions, given)
    const { status, what, fix }: ErrorRow = ERRORS[code]
    // A refusal answers what came from outside. Frames of this package would not help anyone, and to capture them costs
    // eight times as much as the refusal itself; a flood of junk must cost less than deliveries. V8 has no option for one
    // class, so Node does the same for its own errors (internal/errors.js).
    const { stackTraceLimit } = Error
    Reflect.set(Error, 'stackTraceLimit', 0)
    super(
      options.message ??
        `${what}${options.detail === undefined ? '' : `: ${options.detail}`}. ${fix}`.trimEnd(),
      'cause' in options ? { cause: options.cause } : undefined,
    )
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
    this.code = code
    const { cause } = options
    this.status = code === 'ERR_DELIVERY_REFUSED' && WebhookError.is(cause) ? cause.status : status
    // The sender of an incomplete body hung up.
    this.retryable = status >= 500 || status === 408 || status === 409 || code === 'ERR_BODY_INCOMPLETE'
    this.retryAfterSeconds = options.retryAfterSeconds ?? (status === 503 || status === 409 ? 10 : undefined)
  }

  /** Like `instanceof`, but also true for an error of another copy of this package. */
  static is(value: unknown): value is WebhookError {
    return typeof value === 'object' && value !== null && BRAND in value
  }
}

Object.defineProperties(WebhookError.prototype, {
  name: { value: 'WebhookError', configurable: true, writable: true },
  expose: { value: false, configurable: true, writable: true },
  [BRAND]: { value: true },
})
