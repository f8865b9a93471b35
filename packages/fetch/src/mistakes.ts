/**
 * Not by `instanceof`, because hosts and test runners have classes of their own.
 *
 * @throws {TypeError} unless it is a Request of the Fetch standard
 */
export function checkRequest(value: unknown): asserts value is Request {
  const request = value as
    { readonly headers?: { readonly get?: unknown }; readonly method?: unknown } | null | undefined
  if (typeof request?.headers?.get === 'function' && typeof request.method === 'string') return
  throw new TypeError(
    `Expected a Request of the Fetch standard as the first argument, got ${kindOf(value)}. In Hono, call ` +
      'handle(c.req.raw, c); for Express and other hosts on Node there are adapters, such as ' +
      '@service-signature/express',
  )
}

/** @throws {TypeError} unless it can be sent: `Response.error()` cannot, because its status is 0 */
export function checkResponse(value: unknown): asserts value is Response {
  const status = (value as { readonly status?: unknown } | null)?.status
  if (typeof status === 'number' && status > 0 && kindOf(value) === '[object Response]') return
  throw new TypeError(
    `The handler must return a Response that can be sent, or nothing for 204, but returned ${kindOf(value)}`,
  )
}

function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value)
}
