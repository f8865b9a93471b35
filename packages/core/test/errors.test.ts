import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { createVerifier, WebhookError, type WebhookErrorCode } from '../src/entries/index.js'
import * as web from '../src/entries/index.web.js'
import { sign } from '../src/entries/testing.js'
import { apiKey, hmac, now, secret, timestamp, v3Message } from './support/deliveries.js'
import { refusalOf } from './support/refusal.js'

// The documented statuses. Callers rely on these numbers, so they are repeated here.
const codes: Record<WebhookErrorCode, { status: number; retryable: boolean; retryAfterSeconds?: number }> = {
  ERR_SIGNATURE_MISSING: { status: 401, retryable: false },
  ERR_SIGNATURE_MALFORMED: { status: 400, retryable: false },
  ERR_SIGNATURE_VERSION_MISSING: { status: 401, retryable: false },
  ERR_TIMESTAMP_TOO_OLD: { status: 401, retryable: false },
  ERR_TIMESTAMP_IN_FUTURE: { status: 401, retryable: false },
  ERR_SIGNATURE_MISMATCH: { status: 401, retryable: false },
  ERR_SECRET_UNKNOWN: { status: 401, retryable: false },
  ERR_ACCOUNT_UNEXPECTED: { status: 403, retryable: false },
  ERR_MODE_UNEXPECTED: { status: 403, retryable: false },
  ERR_DELIVERY_REFUSED: { status: 401, retryable: false },
  ERR_BODY_TOO_LARGE: { status: 413, retryable: false },
  ERR_BODY_ENCODED: { status: 415, retryable: false },
  ERR_BODY_INCOMPLETE: { status: 400, retryable: true },
  ERR_BODY_CONSUMED: { status: 500, retryable: true },
  ERR_BODY_TIMEOUT: { status: 408, retryable: true },
  ERR_BODY_NOT_JSON: { status: 400, retryable: false },
  ERR_EVENT_INVALID: { status: 500, retryable: true },
  ERR_SECRET_UNAVAILABLE: { status: 503, retryable: true, retryAfterSeconds: 10 },
  ERR_REPLAY_STORE_UNAVAILABLE: { status: 503, retryable: true, retryAfterSeconds: 10 },
  ERR_DELIVERY_IN_PROGRESS: { status: 409, retryable: true, retryAfterSeconds: 10 },
}

it('docs/troubleshooting.md lists every code with its status', () => {
  const page = readFileSync(new URL('../../../docs/troubleshooting.md', import.meta.url), 'utf8')
  const rows = Array.from(page.matchAll(/^\| `(ERR_\w+)` \((\d{3})\) /gm), ([, code, status]) => [
    code,
    status,
  ])
  const expected = Object.entries(codes).map(([code, { status }]) => [code, String(status)])
  expect(rows.sort()).toEqual(expected.sort())
})

describe('WebhookError', () => {
  it.each(Object.entries(codes))('%s', (code, expected) => {
    const error = new WebhookError(code as WebhookErrorCode)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'WebhookError', code, retryAfterSeconds: undefined, ...expected })
    // Two sentences: the error and the fix. The generic refusal has one, because some hosts show it to the caller.
    const sentences =
      code === 'ERR_DELIVERY_REFUSED' ? /^The delivery was refused\.$/ : /^[A-Z].+[a-z]\. [A-Z].+\.$/
    expect(error.message).toMatch(sentences)
    expect(error).not.toHaveProperty('cause')
    expect(String(error)).toBe(`WebhookError: ${error.message}`)
  })

  it('puts the detail between the error and the fix', () => {
    expect(new WebhookError('ERR_SIGNATURE_MALFORMED', { detail: 'it has no "t"' }).message).toMatch(
      /^The Service-Signature header is malformed: it has no "t"\. Pass the value/,
    )
  })

  it('has the message that it is given, in place of the sentences of its code', () => {
    const given = { message: 'The database of the inbox failed.', detail: 'not shown' }
    const error = new WebhookError('ERR_REPLAY_STORE_UNAVAILABLE', given)
    expect(error).toMatchObject({ message: given.message, status: 503, retryable: true })
  })

  it('captures no stack frames, and does not affect other errors', () => {
    const limit = Error.stackTraceLimit
    const error = new WebhookError('ERR_SIGNATURE_MISSING')
    expect(error.stack).toBe(String(error))
    expect(Error.stackTraceLimit).toBe(limit)
    expect(new Error('x').stack).toContain('errors.test.ts')
  })

  it('keeps a cause, even undefined', () => {
    const cause = new Error('sealed')
    expect(new WebhookError('ERR_SECRET_UNAVAILABLE', { cause }).cause).toBe(cause)
    expect(new WebhookError('ERR_SECRET_UNAVAILABLE', { cause: undefined })).toHaveProperty(
      'cause',
      undefined,
    )
  })

  it('has the properties that error handlers of hosts look for, without printing them in logs', () => {
    const host = (code: WebhookErrorCode, retryAfterSeconds?: number) => {
      const error = new WebhookError(code, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
      const { statusCode, expose, headers } = error
      expect(Object.keys(error)).toEqual(['code', 'status', 'retryable', 'retryAfterSeconds'])
      return { statusCode, expose, headers }
    }
    expect(host('ERR_SIGNATURE_MALFORMED')).toEqual({ statusCode: 400, expose: false, headers: {} })
    expect(host('ERR_DELIVERY_REFUSED')).toEqual({
      statusCode: 401,
      expose: false,
      headers: { 'WWW-Authenticate': 'Service-Signature' },
    })
    expect(host('ERR_BODY_TIMEOUT').headers).toEqual({})
    expect(host('ERR_SECRET_UNAVAILABLE').headers).toEqual({ 'Retry-After': '10' })
    expect(host('ERR_SECRET_UNAVAILABLE', 0.2).headers).toEqual({ 'Retry-After': '1' })
  })

  it('is recognized across copies of the package', async () => {
    vi.resetModules()
    const { WebhookError: Copy } = await import('../src/errors.js')
    const error: unknown = new Copy('ERR_SIGNATURE_MISSING')
    expect(error).not.toBeInstanceOf(WebhookError)
    expect(WebhookError.is(error)).toBe(true)
  })

  it.each([undefined, null, 'ERR_SIGNATURE_MISSING', new Error('x'), { code: 'ERR_SIGNATURE_MISSING' }])(
    'is not %s',
    (value) => {
      expect(WebhookError.is(value)).toBe(false)
    },
  )
})

describe('no exported object or error shows', () => {
  const body = '{"pan":"confidential body"}'
  const header = sign(body, { secret, apiKey, timestamp })
  const confidential = {
    'the secret': secret,
    'the API key': apiKey,
    'the expected digest': hmac(secret, v3Message(body)),
    'the body': 'confidential body',
  }
  const shown = (value: unknown) =>
    [
      inspect(value, { depth: Infinity, showHidden: true, getters: true }),
      JSON.stringify(value),
      String((value as Error).stack),
    ].join('\n')

  const made: [string, () => unknown][] = [
    ['a verifier', () => createVerifier({ secret, apiKey, now })],
    ['a verifier on Web Crypto', () => web.createVerifier({ secret, apiKey, now })],
    ...[
      undefined,
      'rubbish',
      't=1',
      header.replace('t=17', 't=16'),
      header.replace('t=17', 't=18'),
      header.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    ].flatMap((value): [string, () => unknown][] => [
      [
        `the refusal of ${String(value)}`,
        () => refusalOf(() => createVerifier({ secret, now }).verify(body, value)),
      ],
    ]),
    [
      'the refusal of a body that is not JSON',
      () =>
        refusalOf(() =>
          createVerifier({ secret, now }).verify(`${body}!`, sign(`${body}!`, { secret, timestamp })),
        ),
    ],
    [
      'the refusal of a body that is not JSON under v2',
      () => refusalOf(() => createVerifier({ secret, versions: ['v2'], now }).verify(`${body}!`, header)),
    ],
    [
      'a TypeError',
      () =>
        createVerifier({ secret, now })
          .verify(JSON.parse(body) as string, header)
          .catch((e: unknown) => e),
    ],
  ]
  it.each(made)('in %s', async (_, make) => {
    const text = shown(await make())
    for (const [what, value] of Object.entries(confidential)) expect(text, what).not.toContain(value)
  })
})
