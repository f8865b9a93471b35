import { describe, expect, it } from 'vitest'
import { causeOfSilence } from '@service-signature/deliveries/node'
import { cut, ok, type Reply, status } from '../support/endpoint.js'
import { type Data, Service, startWithEndpoint } from '../support/service.js'

const CHANGING = '{"type":"intent.processed","text":"card \\u2013 visa","amount":10.0}'
const CHANGE = 'at character 40, \\u2013 becomes the letter itself'
const STABLE = '{"type":"a.b"}'
const MINUTE = 60_000

/** Of the secret that the seed of the tests makes: printf '%s' "$secret" | openssl dgst -sha256 */
const FINGERPRINT = 'sha256:22dbf035'

interface Shown {
  readonly cause: string
  readonly certainty: 'known' | 'probable' | 'ask'
  readonly title: string
  readonly detail: string
  readonly fix: string
  readonly command: string | null
}

type Sent = Data & {
  readonly cause: Shown | null
  readonly attempts: readonly { readonly cause: Shown | null }[]
}

/** Composes an event that is not retried, and returns its delivery once the endpoint has answered. */
async function send(service: Service, url: string, event: object = {}) {
  const [made] = await service.compose({ url, text: CHANGING, retries: false, ...event })
  await service.sandbox.idle()
  return (await service.delivery(made!.id)) as Sent
}

/** The cause that is found in one answer of an endpoint. */
async function causeOf(reply: Reply, event?: object): Promise<Shown | null> {
  const { service, endpoint } = await startWithEndpoint()
  endpoint.replyWith(reply)
  return (await send(service, endpoint.url, event)).cause
}

function answer(code: number, text = 'no', headers: Record<string, string> = {}): Reply {
  return (response) => response.writeHead(code, headers).end(text)
}

it('a delivery that was handled as it must be, within 5 s, has no cause', async () => {
  const { service, endpoint } = await startWithEndpoint()
  const late: Reply = (response) => {
    service.clock.advance(4999)
    ok(response)
  }
  endpoint.replyWith(ok, late, status(401))
  expect((await send(service, endpoint.url)).cause).toBeNull()
  const { id, cause } = await send(service, endpoint.url)
  expect(cause).toBeNull()
  await service.resend(id, { tamper: true })
  expect(await service.delivery(id)).toMatchObject({ cause: null })
})

describe('An answer that gives its cause away', () => {
  it.each<[number, string, Record<string, string>, string, string, string]>([
    [308, '', {}, 'redirect', 'known', 'the Location (none)'],
    [401, 'v3 under secret sha256:2bd272f7', {}, 'other-secret', 'known', 'It tried sha256:2bd272f7;'],
    [401, `v3 under secret ${FINGERPRINT}`, {}, 'body-changed', 'known', 'with another body or header'],
    [404, 'no such order', {}, 'no-route', 'probable', 'It answered 404.'],
    [405, '', { server: 'nginx' }, 'method', 'known', 'It answered 405 (Server: nginx).'],
    [409, '', {}, 'in-progress', 'probable', '409'],
    [503, '', {}, 'unavailable', 'ask', '503'],
    [400, 'ERR_TIMESTAMP_TOO_OLD', { date: 'yesterday' }, 'clock', 'ask', 'It was just signed.'],
    [401, '', { date: 'yesterday' }, 'signature', 'ask', 'signed with the secret'],
    [400, '', {}, 'rule', 'ask', 'does not name the signature'],
    [500, '', {}, 'failed', 'ask', 'It answered 500'],
  ])('%i %j %j: %s, %s', async (code, text, headers, cause, certainty, detail) => {
    const found = await causeOf(answer(code, text, headers))
    expect(found).toMatchObject({ cause, certainty, detail: expect.stringContaining(detail) as string })
  })

  it('may be a body that is not JSON', async () => {
    expect(await causeOf(status(400), { text: '{"a"' })).toMatchObject({
      cause: 'not-json',
      certainty: 'known',
    })
  })

  it.each([
    [3600, 'clock', 'which is 60 min ahead of the sandbox'],
    [-80, 'clock', 'which is 80 s behind the sandbox'],
    [3 * 3600, 'clock', 'which is 3 h ahead of the sandbox'],
    [290, 'signature', ''],
    [-50, 'signature', ''],
  ])('may be a clock that is off: by %i s, %s', async (seconds, cause, detail) => {
    const { service, endpoint } = await startWithEndpoint()
    // A date has whole seconds.
    service.clock.advance(1000 - (service.clock.now() % 1000))
    const date = new Date(service.clock.now() + seconds * 1000).toUTCString()
    endpoint.replyWith(answer(401, '', { date }))
    const found = (await send(service, endpoint.url)).cause
    expect(found).toMatchObject({ cause, detail: expect.stringContaining(detail) as string })
  })
})

describe('A delivery without an answer', () => {
  it.each([
    ['getaddrinfo ENOTFOUND shop.test', 'unknown-host', 'The name shop.test is unknown'],
    ['self-signed certificate', 'certificate', 'The certificate of shop.test:1 is not trusted'],
    ['The address must be one', 'address', 'The sandbox sends nothing to this address'],
  ])('has a cause for the error %s', (error, cause, title) => {
    const found = causeOfSilence(error, 'https://shop.test:1/')
    expect(found).toMatchObject({ cause, certainty: 'known', title, detail: `${error}.` })
    expect(causeOfSilence(error, 'no address').cause).toBe(cause)
  })

  it('has a cause if the answer is cut', async () => {
    expect(await causeOf(cut)).toMatchObject({ cause: 'no-answer', title: 'There is no answer' })
  })
})

describe('A refusal that does not give its cause away', () => {
  it('is a question if there is no other attempt, with the command that answers it', async () => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith(status(401))
    const { id, cause } = await send(service, endpoint.url)
    expect(cause).toEqual({
      cause: 'signature',
      certainty: 'ask',
      title: 'Another secret, or a changed body?',
      detail: `This delivery is valid, and signed with the secret ${FINGERPRINT}. If your code or a proxy re-serializes the body, ${CHANGE}.`,
      said: 'no',
      fix: 'Give your endpoint the secret of this sandbox, and restart it. If it has that, verify the raw bytes: your code or a proxy changes the body or the header.',
      command: `npx service-signature explain --request ${service.sandbox.url}/deliveries/${id}/`,
    })
    const summary = { cause: cause!.cause, certainty: cause!.certainty, title: cause!.title }
    expect((await service.get('/_sandbox/newest/deliveries/')).list).toMatchObject([{ cause: summary }])
  })

  it.each([
    ['{"a":"x\\u2013y"}', 'at character 7, \\u2013 becomes the letter itself'],
    ['{"a":10.0}', 'at character 7, 10.0 becomes 10'],
    ['{"a":1e3}', 'at character 6, 1e3 becomes 1000'],
    ['{"a": 1}', 'at character 5, white space after ":" is lost'],
    [' {}', 'at character 0, white space after "" is lost'],
    ['{"b":1,"1":2}', 'at character 2, b":1,"1":2} becomes 1":2,"b":1}'],
    ['{"key of an order":1,"1":2}', 'at character 2, key of an order":1,"1":2... becomes 1":2,"key of'],
  ])('says how %s changes if it is re-serialized', async (text, change) => {
    const found = await causeOf(status(401), { text })
    expect(found!.detail).toContain(`re-serializes the body, ${change}`)
  })

  it.each(['{"a":10,"b":"x"}', '[]', '{'])('is probably another secret for %s', async (text) => {
    const found = await causeOf(status(401), { text })
    expect(found).toMatchObject({ cause: 'other-secret', certainty: 'probable' })
    expect(found!.detail).toContain('stays the same when it is re-serialized')
  })

  // The answers are those to the delivery, to the copy that is signed over the re-serialized body, and to the copy after that.
  it.each([
    [[401, 204, 401], 'body-reserialized', 'known', `This one changes: ${CHANGE}.`],
    [[401, 204], 'unverified', 'known', 'It answered 204 to a copy of'],
    [[401, 401], 'other-secret', 'probable', 'was refused, too'],
    [[400, 401], 'rule', 'probable', '401 to a forged'],
    [[500, 401], 'handler', 'probable', '401'],
    [[500], 'failed', 'ask', 'It answered 500'],
    [[500, 500, 401], 'body-consumed', 'probable', 'It answered 500 to each signature, and 401 without one.'],
  ])('is explained by copies: the answers %j show %s', async (codes, cause, certainty, detail) => {
    const { service, endpoint } = await startWithEndpoint({ checks: 'all' })
    endpoint.replyWith(...codes.map((code) => status(code)))
    const found = (await send(service, endpoint.url)).cause
    expect(found).toMatchObject({ cause, certainty, detail: expect.stringContaining(detail) as string })
  })

  it.each([
    ['a body that stays the same was accepted', 204, { text: STABLE }, 401, 'body-reserialized'],
    ['a body that stays the same was refused', 401, { text: STABLE }, 401, 'other-secret'],
    ['another delivery was accepted, and this one is answered 403', 204, {}, 403, 'other-account'],
    ['a forgery was refused, and this one failed', 401, { tamper: true }, 500, 'handler'],
  ])('is probably explained by an earlier delivery: %s', async (_, first, event, second, cause) => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith(status(first), status(second))
    await send(service, endpoint.url, event)
    const found = (await send(service, endpoint.url)).cause
    expect(found).toMatchObject({ cause, certainty: 'probable' })
  })

  it('is explained by the attempts of the last 10 minutes, and the nearest of them', async () => {
    const refuse: Reply = (response) => {
      response.sendDate = false
      status(401)(response)
    }
    const { service, endpoint } = await startWithEndpoint({ checks: 'own' })
    endpoint.replyWith(refuse, ok, refuse, refuse)
    await send(service, endpoint.url)
    const causeAfter = async (milliseconds: number) => {
      await service.pass(milliseconds)
      await service.sent(endpoint.url)
      return (await service.deliveries()).at(-2)!['cause']
    }
    expect(await causeAfter(MINUTE)).toMatchObject({ cause: 'body-reserialized', certainty: 'known' })
    expect(await causeAfter(9 * MINUTE + 1)).toMatchObject({ cause: 'signature' })
    await send(service, endpoint.url)
    expect(await causeAfter(MINUTE)).toMatchObject({ cause: 'other-secret' })
  })
})

describe('A forgery that is accepted', () => {
  it.each([
    [{ wrong_secret: true }, 'unverified'],
    [{ stale: true }, 'time-unchecked'],
  ])(
    'is the cause of each delivery to its path, until one like %j is refused with a 4xx',
    async (forgery, cause) => {
      const { service, endpoint } = await startWithEndpoint()
      const verdictAt = async (url: string) => {
        const { id } = await send(service, url)
        const { last, cause } = (await service.delivery(id)) as Sent & { last: { verdict: string } }
        return [last.verdict, cause?.cause]
      }
      expect(await verdictAt(endpoint.url)).toEqual(['accepted', undefined])
      const { id } = await send(service, endpoint.url, forgery)
      for (const reply of [status(500), status(404)]) {
        expect(await verdictAt(`${endpoint.url}?order=1`)).toEqual(['accepts-forgeries', cause])
        endpoint.replyWith(reply, ok)
        await service.resend(id, forgery)
      }
      expect(await verdictAt(endpoint.url)).toEqual(['accepts-forgeries', cause])
      expect(await verdictAt(`${endpoint.url}/other`)).toEqual(['accepted', undefined])
      endpoint.replyWith(status(401), ok)
      await service.resend(id, forgery)
      expect(await verdictAt(endpoint.url)).toEqual(['accepted', undefined])
    },
  )
})
