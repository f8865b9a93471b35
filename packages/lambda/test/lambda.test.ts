import type { LambdaEvent } from '@service-signature/lambda'
import { describe, expect, it } from 'vitest'
import { hmac } from '../../core/test/support/deliveries.js'
import { secret, sign, timestamp, watched } from './support/deliveries.js'
import { context } from './support/gateway.js'
import { renamed, withHeader, withSignature } from './support/headers.js'
import { recorded } from './support/origins.js'

const unauthorized = '{"title":"Unauthorized","status":401}'
const plain = { isBase64Encoded: false }
const proxy = {
  nothing: { ...plain, statusCode: 204, body: '' },
  text: {
    ...plain,
    statusCode: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body: 'thanks',
  },
  refusal: {
    ...plain,
    statusCode: 401,
    headers: { 'WWW-Authenticate': 'Service-Signature', 'Content-Type': 'application/problem+json' },
    body: unauthorized,
  },
}
const balanced = {
  nothing: { ...proxy.nothing, statusDescription: '204 No Content', headers: {} },
  text: { ...proxy.text, statusDescription: '200 OK' },
  refusal: { ...proxy.refusal, statusDescription: '401 Unauthorized' },
}
const lists = {
  nothing: {
    ...plain,
    statusCode: 204,
    statusDescription: '204 No Content',
    multiValueHeaders: {},
    body: '',
  },
  text: {
    ...plain,
    statusCode: 200,
    statusDescription: '200 OK',
    multiValueHeaders: { 'Content-Type': ['text/plain; charset=utf-8'] },
    body: 'thanks',
  },
  refusal: {
    ...plain,
    statusCode: 401,
    statusDescription: '401 Unauthorized',
    multiValueHeaders: {
      'WWW-Authenticate': ['Service-Signature'],
      'Content-Type': ['application/problem+json'],
    },
    body: unauthorized,
  },
}

const forms = [
  { name: 'api-gateway-rest', answers: proxy },
  { name: 'api-gateway-rest-binary', answers: proxy },
  { name: 'api-gateway-http-1.0', answers: proxy },
  { name: 'api-gateway-http-2.0', answers: proxy },
  { name: 'function-url', answers: proxy },
  { name: 'load-balancer', answers: balanced },
  { name: 'load-balancer-multi-value', answers: lists },
]

describe.each(forms)('an event of $name', ({ name, answers }) => {
  const event = recorded(name)

  it('is verified, and passed to the handler with the event and the context', async () => {
    const { handler, onVerified, invoke } = watched()
    expect(await invoke(event)).toEqual(answers.nothing)
    expect(handler).toHaveBeenCalledOnce()
    const [webhook, ...rest] = handler.mock.lastCall!
    expect(rest[0]).toBe(event)
    expect(rest[1]).toBe(context)
    expect(webhook).toMatchObject({ timestamp, versions: ['v3'], event: { shape: 'transaction' } })
    expect(webhook.event.payload).toMatchObject({ transaction: { custom_message: 'Caf\u00e9 \u{1f600}' } })
    expect(onVerified.mock.calls).toEqual([[webhook, { request: event }]])
  })

  it('is answered with the result of the handler', async () => {
    const { handler, invoke } = watched()
    handler.mockReturnValueOnce('thanks')
    expect(await invoke(event)).toEqual(answers.text)
  })

  it('is refused when it is forged, and the handler does not run', async () => {
    const { handler, onRejected, invoke } = watched({ secret: 'another_key' })
    expect(await invoke(event)).toEqual(answers.refusal)
    expect(handler).not.toHaveBeenCalled()
    expect(onRejected).toHaveBeenCalledOnce()
    expect(onRejected.mock.lastCall).toMatchObject([{ code: 'ERR_SIGNATURE_MISMATCH' }, { request: event }])
  })

  it.each(['Service-Signature', 'service-signature', 'SERVICE-SIGNATURE', 'sErViCe-sIgNaTuRe'])(
    'is verified with a header named %s',
    async (header) => {
      const { outcomeOf } = watched()
      expect(await outcomeOf(renamed(event, header))).toEqual({ statusCode: 204, refusals: [], handled: 1 })
    },
  )

  it('is refused without its header, whatever its body is', async () => {
    const { outcomeOf } = watched()
    const changed = { ...renamed(event, 'x-signature'), body: { parsed: true } }
    const refusals = ['ERR_SIGNATURE_MISSING']
    expect(await outcomeOf(changed)).toEqual({ statusCode: 401, refusals, handled: 0 })
  })

  it('is refused when its body is encoded', async () => {
    const { outcomeOf } = watched()
    const encoded = withHeader(event, 'CONTENT-encoding', 'gzip')
    expect(await outcomeOf(encoded)).toEqual({ statusCode: 415, refusals: ['ERR_BODY_ENCODED'], handled: 0 })
  })

  it('is accepted with the Content-Encoding identity', async () => {
    const { outcomeOf } = watched()
    const { statusCode } = await outcomeOf(withHeader(event, 'Content-Encoding', 'identity'))
    expect(statusCode).toBe(204)
  })

  it.each([{ body: null }, { body: '' }, { body: undefined }])('may have no body: %j', async (none) => {
    const { outcomeOf } = watched()
    const empty = withSignature({ ...event, ...none }, sign(Buffer.alloc(0)))
    expect(await outcomeOf(empty)).toEqual({ statusCode: 400, refusals: ['ERR_BODY_NOT_JSON'], handled: 0 })
  })
})

it('a request without a context, as on other platforms, is accepted', async () => {
  const { requestContext, ...event } = recorded('api-gateway-rest')
  expect(requestContext).toBeTypeOf('object')
  const { outcomeOf } = watched()
  expect(await outcomeOf(event)).toEqual({ statusCode: 204, refusals: [], handled: 1 })
})

describe('an event that is not a request', () => {
  const rest = recorded('api-gateway-rest')
  const version2 = recorded('api-gateway-http-2.0')

  it.each<[what: string, event: unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['text', JSON.stringify(version2)],
    ['a list', [version2]],
    ['an empty object', {}],
    ['of a queue', { Records: [{ eventSource: 'aws:sqs', body: version2.body }] }],
    ['of a topic', { Records: [{ EventSource: 'aws:sns', Sns: { Message: version2.body } }] }],
    ['of a schedule', { version: '0', 'detail-type': 'Scheduled Event', source: 'aws.events', detail: {} }],
    [
      'for an authorizer of a REST API',
      { ...rest, isBase64Encoded: undefined, type: 'REQUEST', methodArn: 'arn:aws:execute-api' },
    ],
    [
      'for an authorizer of an HTTP API',
      { ...version2, isBase64Encoded: undefined, type: 'REQUEST', routeArn: 'arn:aws:execute-api' },
    ],
    [
      'of a WebSocket',
      { requestContext: { routeKey: '$default', connectionId: 'L0SM9cOFvHcCIhw=' }, body: '{}', ...plain },
    ],
    [
      'of VPC Lattice',
      { version: '2.0', path: '/', requestContext: { serviceArn: 'arn:aws:vpc-lattice' }, ...plain },
    ],
    ['in a format to come', { ...version2, version: '3.0' }],
    ['a body alone, as a REST API sends it without the proxy integration', JSON.parse(version2.body!)],
    ['of a mapping template', { 'body-json': {}, params: { header: version2.headers }, context: {} }],
    ['of a template with the flag as text', { ...version2, isBase64Encoded: 'false' }],
  ])('(%s) is a TypeError that says which events are accepted', async (_what, event) => {
    const { handler, onRejected, invoke } = watched()
    const invoked = invoke(event)
    await expect(invoked).rejects.toThrow(TypeError)
    await expect(invoked).rejects.toThrow(/API Gateway.*function URL.*Application Load Balancer/)
    expect(handler).not.toHaveBeenCalled()
    expect(onRejected).not.toHaveBeenCalled()
  })
})

it('the recorded events have the signature that node:crypto makes', () => {
  const body = bytesOf(recorded('function-url')).toString('base64')
  const digest = hmac(secret, `${body}${timestamp}`)
  for (const { name } of forms) {
    expect(bytesOf(recorded(name)).toString('base64')).toBe(body)
    expect(JSON.stringify(recorded(name))).toContain(`t=${timestamp},v3=${digest}"`)
  }
})

function bytesOf({ body, isBase64Encoded }: LambdaEvent): Buffer {
  return Buffer.from(body!, isBase64Encoded ? 'base64' : 'utf8')
}
