import { WebhookError } from '../errors.js'

/** An answer, for adapters whose host does not answer for them. */
export interface Problem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

// The standard words of the status (RFC 9110, 15), because the reason is for the operator only.
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

const NOT_AN_ANSWER =
  'problemOf: expected a WebhookError. Rethrow any other error: it is not an answer to the sender'

/**
 * A refusal as `application/problem+json` (RFC 9457).
 *
 * @throws {TypeError} on any other error: that is a failure of the endpoint, which its host must report
 */
export function problemOf(error: WebhookError): Problem {
  if (!WebhookError.is(error)) throw new TypeError(NOT_AN_ANSWER, { cause: error })
  const { status, headers } = error
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/problem+json' },
    body: JSON.stringify({ title: TITLES[status], status }),
  }
}
