/** How long the service is left alone after a failed call, where it does not say so itself. */
const COOLDOWN_SECONDS = 10
const LONGEST_COOLDOWN_SECONDS = 300
/** Above this a delivery does not wait for a retry; the sender will send it again. */
const LONGEST_PAUSE_SECONDS = 1
/** As many links of the chain of an error of others are told. */
const MAX_CAUSES = 4

interface FailureOptions {
  readonly cause?: SecretFetchError
  readonly retryAfterSeconds?: number
  readonly retryPauseSeconds?: number
}

/**
 * Why there is no secret, and what to do about it. Errors of others (of `fetch`, of a cache) are told in words and
 * never kept as `cause`: what hangs on them may be the request with its key, or the answer with the secret (undici's
 * HTTPParserError has it in `data`).
 */
export class SecretFetchError extends Error {
  /** When it makes sense to ask again: the value for a `Retry-After`. */
  readonly retryAfterSeconds: number
  /** How long a retry within the same call waits at the least; none where it would fail alike. */
  readonly retryPauseSeconds: number | undefined

  constructor(message: string, options: FailureOptions = {}) {
    super(message, options.cause && { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds ?? COOLDOWN_SECONDS
    this.retryPauseSeconds = options.retryPauseSeconds
  }
}

Object.defineProperty(SecretFetchError.prototype, 'name', {
  value: 'SecretFetchError',
  // Stryker disable next-line BooleanLiteral: like the names of the built-in errors; nothing depends on it.
  configurable: true,
  // Stryker disable next-line BooleanLiteral: like the names of the built-in errors; nothing depends on it.
  writable: true,
})

/** A failure that may pass within a moment. */
export function passing(message: string): SecretFetchError {
  return new SecretFetchError(message, { retryPauseSeconds: 0 })
}

/** The answer came, and is none that can be used. The next one would be the same. */
export function unusable(what: string): SecretFetchError {
  return new SecretFetchError(
    `The payment service answered, but ${what}. Check that "baseUrl" leads to the service itself, and not to a page or a proxy.`,
  )
}

export function closed(): SecretFetchError {
  return new SecretFetchError('The secret source is closed: close() was called. Make a new one to go on.')
}

/** For those who come while the service is left alone. */
export function coolingDown(cause: SecretFetchError, seconds: number): SecretFetchError {
  return new SecretFetchError(
    `The last call failed, and the next is not made before ${seconds} s have passed. ${cause.message}`,
    { cause, retryAfterSeconds: seconds },
  )
}

const MENDS: ReadonlyMap<number, string> = new Map([
  [400, 'It did not understand the request: check "baseUrl" and "apiKey".'],
  [401, 'The API key is wrong or revoked: look it up in the dashboard, and mind test and live mode.'],
  [403, 'The API key may not read the secret: use an account API key, not the public one.'],
  [404, 'There is nothing at this address: "baseUrl" is what stands before /api/v1/.'],
  [408, 'It waited too long for the request; look for a slow network in between.'],
  [429, 'It is called too often: is a source made for each delivery, where one would do for all?'],
])

/** A status other than 200, of HTTP or in the envelope of S7. `retryAfter` is what its header asks for. */
export function refused(answer: string, status: number, retryAfter?: number): SecretFetchError {
  const mend =
    MENDS.get(status) ??
    (status >= 500
      ? 'The fault is on its side, and it will be asked again.'
      : 'Check that "baseUrl" leads to the service itself.')
  return new SecretFetchError(`The payment service answered ${answer}. ${mend}`, {
    ...(retryAfter !== undefined && {
      retryAfterSeconds: Math.min(Math.max(Math.ceil(retryAfter), 1), LONGEST_COOLDOWN_SECONDS),
    }),
    ...(mayPass(status) &&
      (retryAfter ?? 0) <= LONGEST_PAUSE_SECONDS && { retryPauseSeconds: retryAfter ?? 0 }),
  })
}

function mayPass(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** The messages of an error and its causes, with the keys taken out. */
export function inWords(error: unknown, keys: readonly string[]): string {
  const messages: string[] = []
  let link = error
  while (typeof link === 'object' && link !== null && messages.length < MAX_CAUSES) {
    const { message, code, cause } = link as Readonly<Record<string, unknown>>
    // Where Node has tried several addresses, its error has a code and no message.
    messages.push([message, code].find(isText) ?? 'no reason given')
    link = cause
  }
  return keys.reduce((text, key) => text.replaceAll(key, '[key]'), messages.join(': '))
}

/** What kind of error it is, and no more: a cache has the secret, and its errors may quote what it holds. */
export function kindOf(error: unknown): string {
  const { code, name } = Object(error) as Readonly<Record<string, unknown>>
  return [code, name].find(isText) ?? typeof error
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
