import express from 'express'
import { describe, expect, it } from 'vitest'
import type { AttemptFinding, SandboxOptions } from '../server/index.js'
import { Endpoint, never, ok, status } from './support/endpoint.js'
import { guardedEndpoint } from './support/guarded-endpoint.js'
import {
  earlyEndpoint,
  proxiedEndpoint,
  reprintingEndpoint,
  slowEndpoint,
} from './support/mistaken-endpoints.js'
import { serveExpress } from './support/serve-express.js'
import { DECLINED, INTENTS, Service, type Data } from './support/service.js'
import { digestsOf, partsOf } from './support/signature.js'

interface WithCause extends Data {
  readonly cause: Data | null
  readonly last: Data
}

/** A sandbox that looks for the causes of everything. */
function start(options: SandboxOptions = {}): Promise<Service> {
  return Service.start({ checks: 'all', ...options })
}

async function pay(service: Service, url: string): Promise<readonly WithCause[]> {
  const { id } = (await service.intent({ webhook_url: url })).data
  await service.pay(id)
  await service.sandbox.idle()
  return (await service.deliveries()) as readonly WithCause[]
}

/** What the API says of the first delivery of a payment, in the list, in the detail and in the history. */
async function firstCause(service: Service, url: string): Promise<Data | null> {
  const [delivery] = await pay(service, url)
  const { list } = await service.get('/_sandbox/newest/deliveries/')
  const row = list.find(({ id }) => id === delivery!.id) as WithCause
  const { cause } = delivery!
  if (cause === null) {
    expect(row.cause).toBeNull()
    return null
  }
  const { cause: name, certainty, title } = cause
  expect(row.cause).toEqual({ cause: name, certainty, title })
  const { data } = await service.get(`/_sandbox/intents/${delivery!['intent'] as string}/`)
  expect(JSON.stringify(data['history'])).toContain(title)
  return cause
}

describe('The cause of a real mistake is in the API', () => {
  it('JSON.stringify(req.body)', async () => {
    const service = await start()
    const endpoint = await reprintingEndpoint(service.sandbox.secret)
    expect(await firstCause(service, endpoint.url)).toMatchObject({
      cause: 'body-reprinted',
      certainty: 'known',
      detail: expect.stringMatching(
        /at character \d+, (?:\\u2013 becomes the letter itself|10\.0 becomes 10)/,
      ) as string,
    })
  })

  it('another secret', async () => {
    const service = await start()
    const endpoint = await guardedEndpoint({ secret: 'of_another_start' })
    const cause = await firstCause(service, endpoint.url)
    expect(cause).toMatchObject({ cause: 'other-secret', certainty: 'probable' })
    expect(cause!['command']).toMatch(
      new RegExp(`^npx service-signature explain --request ${service.sandbox.url}/deliveries/dlv_\\w+/$`),
    )
    expect(endpoint.handled).toEqual([])
  })

  it('200 to everything', async () => {
    const service = await start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(200))
    expect(await firstCause(service, endpoint.url)).toMatchObject({ cause: 'unverified', certainty: 'known' })
  })

  it('a proxy that prints the body again', async () => {
    const service = await start()
    const endpoint = await proxiedEndpoint(service.sandbox.secret)
    expect(await firstCause(service, endpoint.url)).toMatchObject({
      cause: 'body-reprinted',
      certainty: 'known',
    })
  })

  it('a clock that is an hour ahead', async () => {
    const service = await start()
    const endpoint = await earlyEndpoint(service.sandbox.secret)
    expect(await firstCause(service, endpoint.url)).toMatchObject({
      cause: 'clock',
      certainty: 'probable',
      detail: expect.stringContaining('60 min ahead') as string,
    })
    expect(endpoint.handled).toEqual([])
  })

  it('a slow handler', async () => {
    const service = await start()
    const endpoint = await slowEndpoint(service.sandbox.secret, service.clock)
    expect(await firstCause(service, endpoint.url)).toMatchObject({
      cause: 'slow',
      title: 'Your endpoint took 7.2 s',
    })
  })

  it('a parser that took the body, where the answer names it', async () => {
    const service = await start()
    const app = express()
    app.use(express.json(), (_req, res) => {
      res.status(500).send('ERR_BODY_CONSUMED')
    })
    expect(await firstCause(service, await serveExpress(app))).toMatchObject({ cause: 'body-consumed' })
  })

  it('no program that listens', async () => {
    const service = await start()
    expect(await firstCause(service, 'http://127.0.0.1:1/')).toMatchObject({ cause: 'not-listening' })
  })

  it('no mistake at all', async () => {
    const service = await start()
    const endpoint = await guardedEndpoint({ secret: service.sandbox.secret })
    expect(await firstCause(service, endpoint.url)).toBeNull()
    expect(endpoint.handled).toHaveLength(2)
  })
})

describe('A check', () => {
  it('after a refusal is the same body, with the signature of the body printed again', async () => {
    const service = await start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(401))
    const [delivery] = await pay(service, endpoint.url)
    const [first, copy] = endpoint.received
    expect(copy!.bytes).toEqual(first!.bytes)
    const { t, ...digests } = partsOf(copy!)
    const { secret, apiKeys } = service.sandbox
    const printed = Buffer.from(JSON.stringify(JSON.parse(first!.bytes.toString())))
    expect(digests).toEqual(digestsOf(printed, t, secret, apiKeys.account))
    expect(delivery!.attempts).toMatchObject([
      { is_check: false, faults: [], verdict: 'refused' },
      {
        is_check: true,
        faults: ['reprinted'],
        verdict: 'refused-forgery',
        verdict_text:
          'Refused, as it must: its signature was that of the body printed again, and your endpoint answered 401.',
      },
    ])
    const { data } = await service.get(`/_sandbox/deliveries/${delivery!.id}/explain/?attempt=2`)
    expect(data['on_purpose']).toEqual(['Signed over the body parsed and printed again (reprinted).'])
  })

  it('is not the attempt that a list, an explanation and an export show', async () => {
    const service = await start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(401))
    const [{ id, last, attempt_count: count }] = (await pay(service, endpoint.url)) as readonly [WithCause]
    expect(count).toBe(1)
    expect(last).toMatchObject({ number: 1, verdict: 'refused' })
    expect((await service.get(`/_sandbox/deliveries/${id}/explain/`)).data).toMatchObject({ attempt: 1 })
    const exported = await fetch(`${service.sandbox.url}/_sandbox/deliveries/${id}/export/`)
    expect(await exported.json()).not.toHaveProperty('faults')
  })

  it('is sent once the delivery is delivered, which does not wait for the answer to the check', async () => {
    const service = await start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(204), never)
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id, { card: DECLINED })
    await endpoint.until(2)
    expect(await service.deliveries()).toMatchObject([{ status: 'delivered', attempt_count: 1 }])
  })

  it('is made once for refusals within 5 s', async () => {
    const service = await start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(401))
    await pay(service, endpoint.url)
    expect(endpoint.received).toHaveLength(3)
    // One of the retries is 5 s later.
    service.clock.advance(1000)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(5)
    service.clock.advance(5000)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(8)
  })

  it('of what is accepted is one forgery, and another once it was refused in between', async () => {
    const service = await start()
    const endpoint = await Endpoint.start()
    const body = { url: endpoint.url, payload: { type: 'a.b' }, retries: false }
    const send = async (code: number) => {
      endpoint.replyWith(status(code), status(401))
      await service.post('/_sandbox/compose/', body)
      await service.sandbox.idle()
    }
    for (const code of [204, 204, 401, 204]) await send(code)
    const faults = (await service.deliveries()).flatMap(({ attempts }) =>
      attempts.map((attempt) => attempt.faults.join()),
    )
    expect(faults).toEqual(['', 'wrong-secret', '', '', '', 'wrong-secret'])
  })

  it('is never made of a forgery, and not without the option', async () => {
    const service = await start()
    const endpoint = await Endpoint.start()
    await service.faults({ deliveries: { stale: true } })
    await pay(service, endpoint.url)
    expect(endpoint.received).toHaveLength(2)
    const silent = await Service.start()
    await pay(silent, endpoint.url)
    expect(endpoint.received).toHaveLength(4)
  })

  it.each([
    ['over the API', undefined, [2, 2]],
    ['on the page', 'the sandbox', [3, 2]],
    ['on another page', 'http://shop.example', [2, 2]],
  ])('with "own", is made of the first payment if its intent was made %s', async (_, origin, expected) => {
    const service = await Service.start({ checks: 'own' })
    const endpoint = await Endpoint.start()
    endpoint.replyWith(ok, status(401), ok)
    const headers: Record<string, string> = {}
    if (origin !== undefined) headers['Origin'] = origin === 'the sandbox' ? service.sandbox.url : origin
    const counts: number[] = []
    for (const order of [1, 2]) {
      const body = { amount: 10, amount_currency: 'EUR', webhook_url: `${endpoint.url}?order=${order}` }
      const { data } = await service.call('POST', INTENTS, { headers, body })
      // A program pays as the page does.
      await service.pay(data.id)
      await service.sandbox.idle()
      counts.push(endpoint.received.splice(0).length)
    }
    expect(counts).toEqual(expected)
  })

  it('with "own", is made of what is composed, and shows the cause at each address of the endpoint', async () => {
    const service = await Service.start({ checks: 'own' })
    const { url } = await reprintingEndpoint(service.sandbox.secret)
    const payload = { type: 'a.b', amount: '\u2013' }
    for (const order of [1, 2]) {
      const body = { url: `${url}?order=${order}`, payload, retries: false }
      await service.post('/_sandbox/compose/', body)
      await service.sandbox.idle()
    }
    expect(await service.deliveries()).toMatchObject([
      { attempts: [{ is_check: false }, { is_check: true }], cause: { cause: 'body-reprinted' } },
      { attempts: [{ is_check: false }], cause: { cause: 'body-reprinted' } },
    ])
  })

  it('is not made of a body that is not JSON', async () => {
    const service = await start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(400))
    await service.post('/_sandbox/compose/', { url: endpoint.url, text: '{', retries: false })
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(1)
    expect((await service.deliveries())[0]).toMatchObject({ cause: { cause: 'not-json' } })
  })
})

describe('Without checks', () => {
  it('a body that stays the same tells a changed body from another secret', async () => {
    const service = await Service.start()
    const endpoint = await reprintingEndpoint(service.sandbox.secret)
    const [asked] = await pay(service, endpoint.url)
    expect(asked!.cause).toMatchObject({ cause: 'signature', certainty: 'ask' })
    await service.post('/_sandbox/compose/', { url: endpoint.url, payload: { type: 'a.b' } })
    await service.sandbox.idle()
    const [answered] = (await service.deliveries()) as readonly WithCause[]
    expect(answered!.cause).toMatchObject({ cause: 'body-reprinted', certainty: 'probable' })
  })

  it('a refused forgery is not what the delivery is judged by', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(ok, ok, status(401))
    const [delivery] = await pay(service, endpoint.url)
    await service.post(`/_sandbox/deliveries/${delivery!.id}/resend/`, { tamper: true })
    expect((await service.deliveries())[0]).toMatchObject({ cause: null })
  })
})

describe('onAttempt', () => {
  it('gets the cause, once the check of it is made', async () => {
    const findings: AttemptFinding[] = []
    const service = await start({ onAttempt: (_report, finding) => findings.push(finding) })
    const endpoint = await reprintingEndpoint(service.sandbox.secret)
    await pay(service, endpoint.url)
    expect(findings.slice(0, 2)).toMatchObject([
      { isCheck: false, cause: { cause: 'body-reprinted', certainty: 'known' } },
      { isCheck: true, cause: { cause: 'body-reprinted', certainty: 'known' } },
    ])
  })
})

describe('keySeed', () => {
  it('keeps the secret, the keys and the account, and no id of a payment', async () => {
    const one = await Service.start({ keySeed: 'mine', seed: 1 })
    const two = await Service.start({ keySeed: 'mine', seed: 2 })
    const kept = ({ sandbox: { secret, apiKeys, accountId, organizationId } }: Service) => ({
      secret,
      apiKeys,
      accountId,
      organizationId,
    })
    expect(kept(two)).toEqual(kept(one))
    const other = await Service.start({ keySeed: 'other', seed: 1 })
    expect(other.sandbox.secret).not.toBe(one.sandbox.secret)
    expect((await one.intent()).data.id).not.toBe((await two.intent()).data.id)
  })
})
