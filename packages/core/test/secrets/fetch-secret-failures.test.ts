import { describe, expect, it, vi } from 'vitest'
import type { FetchFunction } from '../../src/secrets/fetch-secret-options.js'
import {
  API_KEY,
  broken,
  createTestSource,
  expectNoKeys,
  hang,
  holdTimeouts,
  json,
  refusalOf,
  SECRET,
  secretAnswer,
  settled,
  status,
  text,
  type Answer,
} from './support/service.js'

const secretData = { data: { webhook_signature_secret: SECRET } }
const envelope = { status: { code: 200, message: '', errors: [] } }
const invalidUtf8 = new Uint8Array([0x22, 0xff, 0xfe, 0x22])

/** An answer whose body ends in the middle. */
const cutOff: Answer = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(JSON.stringify(secretData)))
        controller.error(new Error('other side closed'))
      },
    }),
  )

describe('an answer without the secret', () => {
  const account = 'An organization API key needs its account: pass { organizationKey, accountId, live }.'
  const baseUrl = 'Check that "baseUrl" leads to the service itself'
  const noKey = 'but the answer has another shape: data.webhook_signature_secret is missing or not a key.'
  const noCode = 'but the answer has another shape: there is no status.code.'

  it.each<[fault: string, answer: Answer, message: string, retryable?: 'retryable']>([
    ['HTTP 500', status(500), 'answered HTTP 500. The fault is on its side.', 'retryable'],
    ['HTTP 503', status(503), 'answered HTTP 503. The fault is on its side.', 'retryable'],
    ['HTTP 408', status(408), 'answered HTTP 408. It waited too long for the request', 'retryable'],
    ['HTTP 429', status(429), 'answered HTTP 429. It is called too often', 'retryable'],
    ['HTTP 400', status(400), 'answered HTTP 400. It did not understand the request'],
    ['HTTP 401', status(401), 'answered HTTP 401. The API key is wrong or revoked. An organization API key'],
    [
      'HTTP 403',
      status(403),
      'answered HTTP 403. This API key may not read the secret: use an account API key.',
    ],
    ['HTTP 404', status(404), 'answered HTTP 404. There is nothing at this address: "baseUrl"'],
    ['HTTP 418', status(418), `answered HTTP 418. ${baseUrl}`],
    ['HTTP 499', status(499), `answered HTTP 499. ${baseUrl}`],
    ['HTTP 201', status(201), `answered HTTP 201. ${baseUrl}`],
    ['HTTP 204', status(204), `answered HTTP 204. ${baseUrl}`],
    [
      'an empty body',
      text(''),
      'answered, but the answer is empty. Check that "baseUrl" leads to the service',
    ],
    ['no body', () => new Response(null), 'the answer is empty'],
    ['an HTML page', text(` <!doctype html><p>${SECRET}`), 'the answer is an HTML page'],
    ['plain text', text(SECRET), 'the answer is not JSON'],
    ['JSON that is not UTF-8', text(invalidUtf8), 'the answer is not JSON'],
    ['JSON null', json(null), noCode],
    ['JSON that is a string', json(SECRET), noCode],
    ['a bare secret', json({ webhook_signature_secret: SECRET }), noCode],
    ['a status of null', json({ status: null }), noCode],
    ['a code that is a string', json({ status: { code: '200' } }), noCode],
    ['code 201', json({ ...secretData, status: { code: 201 } }), 'status.code 201 in an HTTP 200. Check'],
    ['code 400', json({ status: { code: 400 } }), 'answered status.code 400 in an HTTP 200. It did not'],
    ['code 500', json({ status: { code: 500 } }), 'in an HTTP 200. The fault is on its side.', 'retryable'],
    ['no data', json(envelope), noKey],
    ['data of null', json({ ...envelope, data: null }), noKey],
    ['a list as data', json({ ...envelope, data: [SECRET] }), noKey],
    ['a secret that is null', secretAnswer(null), noKey],
    ['a secret that is empty', secretAnswer(''), noKey],
    ['a secret of one character', secretAnswer('x'), noKey],
    ['a secret with a line break', secretAnswer(`${SECRET}\n`), noKey],
    ['a list of secrets', secretAnswer([SECRET, SECRET]), noKey],
    ['more than 64 KiB', text(' '.repeat(65_537)), 'the answer is longer than 64 KiB'],
    ['a redirect', status(302), 'answered, but with a redirect, which is not followed'],
    ['HTTP 300', status(300), 'with a redirect, which is not followed'],
    ['HTTP 399', status(399), 'with a redirect, which is not followed'],
    ['half a body', cutOff, 'broke off: other side closed. Look for a proxy', 'retryable'],
    ['a failing fetch', broken(), 'could not be reached: the network is gone. Check "baseUrl"', 'retryable'],
  ])('of %s is refused with its reason, and none of it is kept', async (_, answer, message, retryable) => {
    const { source, service } = createTestSource({}, answer)
    const error = await refusalOf(source.get())
    expect(error.message).toContain(message)
    expect(error.message).toMatch(/^The (?:answer of the )?payment service/)
    expect(error.retryable).toBe(retryable === 'retryable')
    expect(error.cause).toBeUndefined()
    expect(service.requests).toHaveLength(1)
    // The request is over, so that its connection is not held open by a body that is not read.
    expect(service.requests[0]!.init.signal.aborted).toBe(true)
    expect(source.cachedAt).toBeUndefined()
    expect(source.lastError).toBe(error)
    expectNoKeys(source)
  })

  it.each([401, 403])(
    'of HTTP %d says how to pass an organization key, and nothing of public keys',
    async (code) => {
      const { message } = await refusalOf(createTestSource({}, status(code)).source.get())
      expect(message).toContain(account)
      expect(message).not.toContain('public')
    },
  )

  it('is not what 64 KiB of JSON is', async () => {
    const answer = JSON.stringify({ ...envelope, ...secretData })
    await expect(createTestSource({}, text(answer.padEnd(65_536))).source.get()).resolves.toBe(SECRET)
  })

  it('is not what JSON after a byte order mark is', async () => {
    const answer = JSON.stringify({ ...envelope, ...secretData })
    await expect(createTestSource({}, text(`\ufeff${answer}`)).source.get()).resolves.toBe(SECRET)
  })

  it('is a redirect that the runtime hides', async () => {
    const fetch = vi.fn(() =>
      Promise.resolve({ status: 0, type: 'opaqueredirect', headers: new Headers(), body: null }),
    )
    const { source } = createTestSource({ fetch })
    expect((await refusalOf(source.get())).message).toContain('with a redirect, which is not followed')
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      'https://api.example.com/api/v1/organizations/get-webhook-signature-key/',
      expect.objectContaining({ redirect: 'manual' }),
    )
  })

  it('is one of a fetch that resolves to undefined', async () => {
    const fetch = (() => Promise.resolve(undefined)) as unknown as FetchFunction
    expect((await refusalOf(createTestSource({ fetch }).source.get())).message).toContain('broke off')
  })
})

describe('the error of a fetch', () => {
  it('is repeated with the keys taken out', async () => {
    const organizationKey = 'key_of_the_organization'
    const request = { headers: { 'X-Api-Key': API_KEY } }
    const fetch: FetchFunction = (_, { headers }) =>
      Promise.reject(
        Object.assign(new Error(`cannot send ${headers['X-Api-Key']!}`), {
          request,
          cause: { message: '', code: 'E_PROXY', cause: { message: `for ${organizationKey}`, cause: {} } },
        }),
      )
    const apiKey = { organizationKey, accountId: 'acc_1', live: true }
    const error = await refusalOf(createTestSource({ fetch, apiKey }).source.get())
    expect(error.message).toContain(
      'could not be reached: cannot send [key]: E_PROXY: for [key]: no reason given. Check',
    )
    expectNoKeys(error, organizationKey)
  })

  it('is repeated up to four causes', async () => {
    const endless: Error = new Error('again')
    endless.cause = endless
    const { message } = await refusalOf(createTestSource({}, broken(endless)).source.get())
    expect(message).toContain('reached: again: again: again: again. Check')
  })

  it('is repeated by its code if its message is not text', async () => {
    const { message } = await refusalOf(
      createTestSource({}, broken({ message: 42, code: 'E_PROXY' })).source.get(),
    )
    expect(message).toContain('could not be reached: E_PROXY. Check')
  })

  it.each([null, undefined, 'text'])('may be %s', async (thrown) => {
    const { message } = await refusalOf(createTestSource({}, broken(thrown ?? null)).source.get())
    expect(message).toContain('could not be reached: . Check')
  })
})

describe('a service that is slow', () => {
  it('is given up after 5 s by default, for all callers, and the request is aborted', async () => {
    const timeouts = holdTimeouts()
    const { source, service } = createTestSource({}, hang)
    const errors = Promise.all(Array.from({ length: 100 }, () => refusalOf(source.get())))
    const timeout = await timeouts.next()
    expect(timeout.milliseconds).toBe(5000)
    expect(service.requests[0]!.init.signal.aborted).toBe(false)
    timeout.elapse()
    const refusals = await errors
    expect(service.requests[0]!.init.signal.aborted).toBe(true)
    for (const error of refusals) {
      expect(error.message).toMatch(/^The payment service did not answer within 5 s\. .*"timeoutSeconds"/)
      expect(error).toMatchObject({ retryable: true, retryAfterSeconds: 1 })
    }
    expect(service.requests).toHaveLength(1)
    expect(source.cachedAt).toBeUndefined()
    expectNoKeys(source)
  })

  it('is given up after timeoutSeconds', async () => {
    const timeouts = holdTimeouts()
    const { source } = createTestSource({ timeoutSeconds: 0.05 }, hang)
    const refusal = refusalOf(source.get())
    const timeout = await timeouts.next()
    expect(timeout.milliseconds).toBe(50)
    timeout.elapse()
    expect((await refusal).message).toContain('did not answer within 0.05 s')
  })

  it('is given up although it sends a little all the time', async () => {
    const timeouts = holdTimeouts()
    let sent = 0
    const trickle = new ReadableStream({
      async pull(controller) {
        await settled()
        sent++
        controller.enqueue(new Uint8Array([0x20]))
      },
    })
    const { source } = createTestSource({}, () => new Response(trickle))
    const refusal = refusalOf(source.get())
    const timeout = await timeouts.next()
    while (sent < 10) await settled()
    timeout.elapse()
    expect((await refusal).message).toContain('did not answer within 5 s')
  })
})
