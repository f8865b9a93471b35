import type { Form } from './event.js'

/** A proxy response. The adapter converts it to the format that the event requires. */
export interface LambdaResponse {
  statusCode: number
  headers?: HeaderValues | undefined
  multiValueHeaders?: Record<string, HeaderValue[]> | undefined
  body?: string | undefined
  isBase64Encoded?: boolean | undefined
  /** `200 OK`, for load balancers. Default: the status and its usual words. */
  statusDescription?: string | undefined
  /** For payload format 2.0. */
  cookies?: string[]
}

type HeaderValue = string | number | boolean
type HeaderValues = Record<string, HeaderValue>

/** A response with all members that its format requires. */
export interface CompleteResponse extends LambdaResponse {
  body: string
}

/** The response in the format of the event. */
export function responseFor(form: Form, response: LambdaResponse): CompleteResponse {
  const { statusCode, headers = {}, multiValueHeaders, body = '', isBase64Encoded = false } = response
  const whole = { ...response, body, isBase64Encoded }
  if (form === 'payload 1.0' || form === 'payload 2.0') return whole

  const { statusDescription = `${statusCode} ${wordsOf(statusCode)}` } = response
  if (form === 'load balancer') return { ...whole, statusDescription, headers }
  // Such a load balancer ignores `headers`.
  delete whole.headers
  return { ...whole, statusDescription, multiValueHeaders: { ...listsOf(headers), ...multiValueHeaders } }
}

/** An import of node:http in an ES module also loads the WebSocket of Node, which takes longer than all the rest. */
function wordsOf(statusCode: number): string {
  return process.getBuiltinModule('node:http').STATUS_CODES[statusCode] ?? 'Unknown'
}

/**
 * The result of the handler as a response.
 *
 * @throws {TypeError} if it is not a response: format 2.0 would answer 200, and the delivery would be lost
 */
export function responseOf(returned: unknown): LambdaResponse {
  if (returned == null) return { statusCode: 204 }
  if (typeof returned === 'string') {
    return { statusCode: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: returned }
  }
  const { statusCode, body } = returned as Partial<LambdaResponse>
  if (isStatus(statusCode) && ['string', 'undefined'].includes(typeof body)) return returned as LambdaResponse
  throw new TypeError(
    'The handler must return nothing, a string, or a response such as ' +
      '{ statusCode: 202, body: "accepted" }, with a status from 200 to 599 and a string as its body',
  )
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599
}

function listsOf(headers: HeaderValues): Record<string, HeaderValue[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
}
