import { tamperBody } from '@service-signature/deliveries/node'
import { describe, expect, it } from 'vitest'
import { Endpoint, ok, status } from './support/endpoint.js'
import { DECLINED, Service, type Data } from './support/service.js'
import { digestsOf, partsOf } from './support/signature.js'

interface Schedule {
  readonly number: number
  readonly at: string
  readonly state: string
}

async function declined(service: Service, endpoint: Endpoint): Promise<Data> {
  const { id } = (await service.intent({ webhook_url: endpoint.url })).data
  await service.pay(id, { card: DECLINED })
  await service.sandbox.idle()
  return (await service.deliveries()).at(-1)!
}

async function resend(service: Service, { id }: Data, body: object) {
  const { data } = await service.post(`/_sandbox/deliveries/${id}/resend/`, body)
  return data.attempts.at(-1)! as unknown as Record<string, unknown>
}

describe('The verdict on an attempt', () => {
  it.each([
    [ok, {}, 'accepted', 'Your endpoint accepted it: it answered 204.'],
    [status(500), {}, 'refused', 'Your endpoint refused a valid delivery: it answered 500.'],
    [status(302), {}, 'refused', 'Your endpoint refused a valid delivery: it answered 302.'],
    [
      ok,
      { tamper: true },
      'accepted-forgery',
      'Your endpoint accepted a forgery: the amount was changed after signing, and it answered 204.',
    ],
    [
      ok,
      { stale: true },
      'accepted-forgery',
      'Your endpoint accepted a forgery: it was signed an hour ago, and it answered 204.',
    ],
    [
      status(401),
      { wrong_secret: true },
      'refused-forgery',
      'Refused, as it must: it was signed with another secret, and your endpoint answered 401.',
    ],
    [
      status(400),
      { no_signature: true, tamper: true },
      'refused-forgery',
      'Refused, as it must: the amount was changed after signing, it had no signature, and your endpoint answered 400.',
    ],
  ] as const)('answer %#, asked for %j: %s', async (reply, body, verdict, words) => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const delivery = await declined(service, endpoint)
    endpoint.replyWith(reply)
    const attempt = await resend(service, delivery, body)
    expect(attempt).toMatchObject({ number: 2, verdict, verdict_text: words })
    const { data } = await service.get(`/_sandbox/deliveries/${delivery.id}/`)
    expect(data['last']).toMatchObject({ verdict })
  })

  it('says why there is no answer', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith((response) => response.destroy())
    const { attempts } = await declined(service, endpoint)
    expect(attempts).toMatchObject([
      { verdict: 'no-answer', verdict_text: 'There is no answer: socket hang up.' },
    ])
  })
})

describe('A forgery that is asked for', () => {
  it('with another secret has digests that neither key makes', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const delivery = await declined(service, endpoint)
    const attempt = await resend(service, delivery, { wrong_secret: true })
    expect(attempt['faults']).toEqual(['wrong-secret'])
    const [, received] = endpoint.received
    const { t, ...digests } = partsOf(received!)
    const { secret, apiKeys } = service.sandbox
    const right = digestsOf(received!.bytes, t, secret, apiKeys.account)
    for (const version of ['v1', 'v2', 'v3'] as const) expect(digests[version]).not.toBe(right[version])
    expect(received!.bytes.toString()).toBe(delivery.body)
  })

  it('without a signature has no such header, and the explanation says so', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const delivery = await declined(service, endpoint)
    const attempt = await resend(service, delivery, { no_signature: true })
    expect(attempt['headers']).not.toHaveProperty('Service-Signature')
    expect(endpoint.received[1]!.headers['service-signature']).toBeUndefined()
    const { data } = await service.get(`/_sandbox/deliveries/${delivery.id}/explain/`)
    expect(data['on_purpose']).toEqual(['Sent without Service-Signature (no-signature).'])
    expect(data['report']).toMatchObject({ ok: false })
  })

  it('all at once are all named', async () => {
    const service = await Service.start()
    const delivery = await declined(service, await Endpoint.start())
    const all = { tamper: true, stale: true, wrong_secret: true, no_signature: false }
    expect((await resend(service, delivery, all))['faults']).toEqual(['tamper', 'stale', 'wrong-secret'])
    const { data } = await service.get(`/_sandbox/deliveries/${delivery.id}/explain/`)
    expect(data['on_purpose']).toEqual([
      expect.stringContaining('Changed after signing (tamper)'),
      'Signed with a time that was an hour old (stale).',
      'Signed with another secret and another API key (wrong-secret).',
    ])
  })

  it.each([
    ['{"amount":{"value":90.0}}', '{"amount":{"value":10.0}}'],
    ['{"amount":"7.50"}', '{"amount":"8.50"}'],
    ['{"amount": 7}', '{"amount": 8}'],
    ['{"amount":"ten","id":"a1b"}', '{"amount":"ten","id":"a2b"}'],
    ['{"type":"dispute.opened"}', '{"type":"dispute.openex"}'],
    ['{"x":"x"}', '{"x":"y"}'],
    ['[]', '[]0'],
    ['', '0'],
  ])('%s is tampered with so that it is %s', (body, sent) => {
    expect(tamperBody(body)).toBe(sent)
  })
})

describe('The schedule of a delivery', () => {
  it('has the attempts that were made, and those that follow', async () => {
    const service = await Service.start({ timeScale: 10 })
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500))
    const start = service.clock.now()
    const { id } = await declined(service, endpoint)
    service.clock.advance(100)
    await service.sandbox.idle()
    const { data } = await service.get(`/_sandbox/deliveries/${id}/`)
    const schedule = data['schedule'] as readonly Schedule[]
    expect(schedule.map(({ number, state }) => `${number} ${state}`)).toEqual([
      '1 made',
      '2 made',
      '3 planned',
      '4 planned',
      '5 planned',
      '6 planned',
    ])
    expect(schedule.map(({ at }) => Date.parse(at) - start)).toEqual([0, 100, 600, 3100, 15_100, 75_100])
  })

  it('has nothing planned once the delivery is over', async () => {
    const service = await Service.start()
    const { id } = await declined(service, await Endpoint.start())
    const { data } = await service.get(`/_sandbox/deliveries/${id}/`)
    expect(data['schedule']).toMatchObject([{ number: 1, state: 'made' }])
  })
})
