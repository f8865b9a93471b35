import { WebhookError } from './errors.js'

/** An answer, for those who answer themselves and have no host that does. */
export interface Problem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

// RFC 9110, 15. The words of the status, and none of ours: the reason is for the operator.
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/**
 * A refusal as `application/problem+json` (RFC 9457).
 *
 * @throws {TypeError} on any other error: that is a failure of the endpoint, which its host must report
 */
export function problemOf(error: WebhookError): Problem {
  if (!WebhookError.is(error)) {
    const message =
      'problemOf: expected a WebhookError. Rethrow any other error: it is not an answer to the sender'
    throw new TypeError(message, { cause: error })
  }
  const { status, headers } = error
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/problem+json' },
    body: JSON.stringify({ title: TITLES[status], status }),
  }
}
