/**
 * What `createReceiver` does not look at: the rest of what an endpoint is made of.
 *
 * @throws {TypeError} that says what to pass
 */
export function checkMistakes(options: unknown, handler: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('serviceSignature(options, handler) needs an object of options first')
  }
  const { dispatcher } = options as { readonly dispatcher?: unknown }
  if (dispatcher !== undefined && handler !== undefined) {
    throw new TypeError(
      'A "dispatcher" takes the place of the handler: call serviceSignature(options) without one',
    )
  }
  if (dispatcher === undefined && typeof handler !== 'function') {
    throw new TypeError(
      'serviceSignature(options, handler) needs a handler, (webhook, request) => Response, or a "dispatcher" among ' +
        'the options',
    )
  }
}

/**
 * Not by `instanceof`: hosts and test runners have classes of their own.
 *
 * @throws {TypeError} unless it is a request of the Fetch standard
 */
export function checkRequest(value: unknown): asserts value is Request {
  const request = value as
    { readonly headers?: { readonly get?: unknown }; readonly method?: unknown } | null | undefined
  if (typeof request?.headers?.get === 'function' && typeof request.method === 'string') return
  throw new TypeError(
    `A Request of the Fetch standard is needed as the first argument, and this is ${kindOf(value)}. In Hono, call ` +
      'handle(c.req.raw, c); Express and other hosts on Node have adapters of their own, such as @service-signature/express',
  )
}

/** @throws {TypeError} unless it can be sent; `Response.error()` cannot, and its status is 0 */
export function checkResponse(value: unknown): asserts value is Response {
  const status = (value as { readonly status?: unknown } | null)?.status
  if (typeof status === 'number' && status > 0 && kindOf(value) === '[object Response]') return
  throw new TypeError(
    `The handler must return a Response that can be sent, or nothing for 204, and returned ${kindOf(value)}`,
  )
}

function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value)
}
