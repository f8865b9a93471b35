import { describe, expect, it } from 'vitest'
import type { Cause, Sighting, Situation } from '../server/deliveries/cause.js'
import { findCause } from '../server/deliveries/find-cause.js'
import type { AttemptRecord } from '../server/deliveries/records.js'
import { isStable, reprintChange } from '../server/deliveries/reprint.js'

const AT = Date.parse('2025-03-27T15:41:20Z')
const CHANGING = '{"type":"intent.processed","text":"card \\u2013 visa","amount":10.0}'
const STABLE = '{"type":"a.b"}'

interface Given extends Partial<Pick<AttemptRecord, 'status' | 'error' | 'faults' | 'durationMs'>> {
  readonly headers?: Record<string, string>
  readonly text?: string
  readonly body?: string
  readonly url?: string
  readonly others?: readonly Sighting[]
}

function situation(given: Given): Situation {
  const {
    headers = {},
    text = '',
    body = CHANGING,
    url = 'http://localhost:3000/webhooks',
    others = [],
  } = given
  const { status, error, faults = [], durationMs = 12 } = given
  return {
    attempt: {
      at: AT,
      durationMs,
      faults,
      status,
      error,
      isCheck: false,
      signature: undefined,
      changedBody: undefined,
      answer: status === undefined ? undefined : { status, headers, body: text },
    },
    body,
    url,
    fingerprint: 'sha256:9abe5f13',
    address: 'http://127.0.0.1:4000/deliveries/dlv_1/',
    others,
  }
}

const found = (given: Given): Cause | undefined => findCause(situation(given))

function other(kind: Sighting['kind'], status: number, at = AT + 5): Sighting {
  return { delivery: 'dlv_2', at, kind, status, isAccepted: status < 300 }
}

describe('A body that is printed again', () => {
  it.each([
    ['{"a":"x\\u2013y"}', 'at character 7, \\u2013 becomes the letter itself'],
    ['{"a":10.0}', 'at character 7, 10.0 becomes 10'],
    ['{"a":1e3}', 'at character 6, 1e3 becomes 1000'],
    ['{"a": 1}', 'at character 5, white space after ":" is lost'],
    [' {}', 'at character 0, white space after "" is lost'],
    ['{"b":1,"1":2}', 'at character 2, b":1,"1":2} becomes 1":2,"b":1}'],
    [
      '{"key of an order":1,"1":2}',
      'at character 2, key of an order":1,"1":2... becomes 1":2,"key of an order":1...',
    ],
  ])('%s changes %s', (body, change) => {
    expect(reprintChange(body)).toBe(change)
    expect(isStable(body)).toBe(false)
  })

  it.each(['{"a":10,"b":"x"}', '[]'])('%s does not change', (body) => {
    expect(reprintChange(body)).toBeUndefined()
    expect(isStable(body)).toBe(true)
  })

  it('is not there if it is not JSON', () => {
    expect(reprintChange('{')).toBeUndefined()
    expect(isStable('{')).toBe(false)
  })
})

describe('What is as it must be has no cause', () => {
  it.each([{ status: 204 }, { status: 401, faults: ['tamper'] as const }, { status: 204, durationMs: 4999 }])(
    '%j',
    (given) => {
      expect(found(given)).toBeUndefined()
    },
  )
})

describe('A cause without an answer is known', () => {
  it.each([
    ['connect ECONNREFUSED 127.0.0.1:3000', 'not-listening', 'Nothing listens at localhost:3000'],
    ['ECONNREFUSED', 'not-listening', 'Nothing listens at localhost:3000'],
    ['getaddrinfo ENOTFOUND localhost', 'unknown-host', 'The name localhost is unknown'],
    ['There was no answer within 10 s', 'slow', 'Your endpoint did not answer in time'],
    ['self-signed certificate', 'certificate', 'The certificate of localhost:3000 is not trusted'],
    [
      'write EPROTO 0:error:0A00010B:SSL routines:ssl3_get_record:wrong version number',
      'no-tls',
      'localhost:3000 does not use TLS',
    ],
    ['Parse Error: Expected HTTP/, RTSP/ or ICE/', 'not-http', 'localhost:3000 does not speak HTTP'],
    ['socket hang up', 'hung-up', 'Your endpoint hung up without an answer'],
    ['The address must lead to this machine', 'address', 'The sandbox sends nothing to this address'],
    ['connect EHOSTUNREACH 10.0.0.1:3000', 'no-answer', 'There is no answer'],
  ])('%s: %s', (error, cause, title) => {
    expect(found({ error })).toMatchObject({ cause, certainty: 'known', title, detail: `${error}.` })
  })

  it('also for an address that is not one', () => {
    expect(found({ error: 'The address must be one', url: 'x' })).toMatchObject({ cause: 'address' })
  })
})

describe('A cause that the answer gives away', () => {
  it.each([
    [{ status: 302, headers: { location: '/login' } }, 'redirect', 'known', 'the Location /login'],
    [{ status: 308 }, 'redirect', 'known', 'the Location (none)'],
    [
      { status: 500, text: 'WebhookError: ... ERR_BODY_CONSUMED' },
      'body-consumed',
      'known',
      'ERR_BODY_CONSUMED',
    ],
    [
      { status: 401, text: '{"code":"ERR_SIGNATURE_MISSING"}' },
      'header-lost',
      'known',
      'ERR_SIGNATURE_MISSING',
    ],
    [
      { status: 401, text: 'v3 under secret sha256:2bd272f7' },
      'other-secret',
      'known',
      'It tried sha256:2bd272f7;',
    ],
    [{ status: 401, text: 'v3 under secret sha256:9abe5f13' }, 'body-changed', 'known', 'the right secret'],
    [{ status: 400, body: '{"a"' }, 'not-json', 'known', 'It is not JSON'],
    [{ status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }, 'login', 'known', 'Basic'],
    [{ status: 403, text: 'CSRF verification failed.' }, 'csrf', 'known', '403'],
    [
      { status: 404, text: '<pre>Cannot POST /webhooks</pre>' },
      'no-route',
      'known',
      'There is no /webhooks.',
    ],
    [{ status: 404, text: 'no such order' }, 'no-route', 'probable', 'It answered 404.'],
    [{ status: 405, headers: { server: 'nginx' } }, 'method', 'known', 'It answered 405 (Server: nginx).'],
    [{ status: 413 }, 'too-large', 'known', 'The body has 67 bytes.'],
    [{ status: 415 }, 'media-type', 'known', '415'],
    [{ status: 409 }, 'in-progress', 'probable', '409'],
    [{ status: 429 }, 'rate-limit', 'known', '429'],
    [{ status: 502 }, 'proxy', 'known', '502'],
    [{ status: 503 }, 'unavailable', 'ask', '503'],
    [
      { status: 403, headers: { server: 'cloudflare', 'content-type': 'text/html; charset=utf-8' } },
      'proxy',
      'probable',
      'cloudflare',
    ],
    [
      { status: 401, headers: { date: 'Thu, 27 Mar 2025 16:41:20 GMT' } },
      'clock',
      'probable',
      'which is 60 min ahead of the sandbox',
    ],
    [
      { status: 401, headers: { date: 'Thu, 27 Mar 2025 15:40:00 GMT' } },
      'clock',
      'probable',
      'which is 80 s behind the sandbox',
    ],
    [
      { status: 401, headers: { date: 'Thu, 27 Mar 2025 18:41:20 GMT' } },
      'clock',
      'probable',
      'which is 3 h ahead of the sandbox',
    ],
  ] as const)('%j: %s, %s', (given, cause, certainty, detail) => {
    expect(found(given)).toMatchObject({
      cause,
      certainty,
      detail: expect.stringContaining(detail) as string,
    })
  })

  it.each(['Thu, 27 Mar 2025 15:46:20 GMT', 'Thu, 27 Mar 2025 15:40:21 GMT', 'yesterday'])(
    'is not the clock within the window of a verifier: %s',
    (date) => {
      expect(found({ status: 401, headers: { date } })).toMatchObject({ cause: 'signature' })
    },
  )
})

describe('A cause that other attempts show', () => {
  const change = 'at character 40, \\u2013 becomes the letter itself'

  it('is a question if there is no other attempt, with the command that answers it', () => {
    expect(found({ status: 401 })).toEqual({
      cause: 'signature',
      certainty: 'ask',
      title: 'Another secret, or a changed body?',
      detail: `This delivery is valid, and signed with the secret sha256:9abe5f13. If your code or a proxy prints the body again, ${change}.`,
      fix: 'Compare the secrets, and pass the raw body to the verification.',
      command: 'npx service-signature explain --request http://127.0.0.1:4000/deliveries/dlv_1/',
    })
  })

  it('is known if a copy that is signed over the body printed again was accepted', () => {
    expect(found({ status: 401, others: [other('reprinted', 204)] })).toMatchObject({
      cause: 'body-reprinted',
      certainty: 'known',
      title: 'The body was printed again',
      detail: expect.stringContaining(`This one changes: ${change}.`) as string,
    })
    expect(found({ status: 204, faults: ['reprinted'] })).toMatchObject({
      cause: 'body-reprinted',
      certainty: 'known',
    })
  })

  it('is that nothing is verified if the refusal may have been a failure', () => {
    for (const given of [
      { status: 500, others: [other('reprinted', 204)] },
      { status: 204, faults: ['reprinted'] as const, others: [other('changing', 500)] },
    ]) {
      expect(found(given)).toMatchObject({
        cause: 'unverified',
        certainty: 'known',
        title: 'Your endpoint does not verify the raw bytes',
      })
    }
  })

  it('is probably the body if one that stays the same was accepted', () => {
    expect(found({ status: 401, others: [other('stable', 200)] })).toMatchObject({
      cause: 'body-reprinted',
      certainty: 'probable',
      detail: expect.stringContaining('accepted dlv_2') as string,
    })
  })

  it.each([
    ['that copy was refused, too', { others: [other('reprinted', 401)] }],
    ['a body that stays the same was refused, too', { others: [other('stable', 401)] }],
    ['the body stays the same', { body: STABLE }],
  ])('is probably the secret if %s', (_, given) => {
    expect(found({ status: 401, ...given })).toMatchObject({
      cause: 'other-secret',
      certainty: 'probable',
      title: 'Probably another secret',
    })
  })

  it('is found in the attempt that is nearest in time', () => {
    const others = [
      other('reprinted', 401, AT - 60_000),
      other('reprinted', 204, AT + 5),
      other('reprinted', 401, AT + 60_000),
    ]
    expect(found({ status: 401, others })).toMatchObject({ cause: 'body-reprinted' })
    const old = [other('reprinted', 204, AT - 600_001)]
    expect(found({ status: 401, others: old })).toMatchObject({ cause: 'signature' })
  })

  it.each(['reprinted', 'forgery'] as const)(
    'is the handler if it failed, and refuses a %s with another status',
    (kind) => {
      expect(found({ status: 500, others: [other(kind, 401)] })).toMatchObject({
        cause: 'handler',
        certainty: 'probable',
        title: 'Probably your handler failed',
      })
    },
  )

  it.each([{ others: [] }, { others: [other('reprinted', 500)] }])(
    'is a question for the log if it failed: %#',
    (given) => {
      expect(found({ status: 500, ...given })).toMatchObject({ cause: 'failed', certainty: 'ask' })
    },
  )

  it.each([
    { headers: { 'content-type': 'application/problem+json' } },
    { others: [other('changing', 204)] },
  ])('is the account or the mode if a valid delivery is answered 403: %j', (given) => {
    expect(found({ status: 403, ...given })).toMatchObject({ cause: 'other-account', certainty: 'probable' })
  })
})

describe('A cause of what was accepted', () => {
  it.each([
    [{ faults: ['wrong-secret'] as const }, 'unverified', 'Your endpoint accepts forgeries'],
    [{ faults: ['tamper', 'stale'] as const }, 'unverified', 'Your endpoint accepts forgeries'],
    [{ faults: ['stale'] as const }, 'time-unchecked', 'Your endpoint does not check the time'],
    [{ durationMs: 7200 }, 'slow', 'Your endpoint took 7.2 s'],
  ])('%j: %s', (given, cause, title) => {
    expect(found({ status: 200, ...given })).toMatchObject({ cause, certainty: 'known', title })
  })
})
