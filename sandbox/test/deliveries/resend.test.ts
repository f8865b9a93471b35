import { describe, expect, it } from 'vitest'
import { never, ok, status, type Reply } from '../support/endpoint.js'
import { DECLINED, startWithEndpoint } from '../support/service.js'
import { digestsOf, expectSigned, partsOf } from '../support/signature.js'

const SECOND = 1000
const HOUR = 3600 * SECOND

/** A delivery whose first attempt had the first of these replies. */
async function sent(...replies: readonly Reply[]) {
  const { service, endpoint } = await startWithEndpoint()
  endpoint.replyWith(...replies)
  const [delivery] = await service.sent(endpoint.url, { card: DECLINED })
  return { service, endpoint, id: delivery!.id, body: delivery!.body }
}

const delivered = () => sent(ok)

/** The first attempt was answered with 500, and a retry is planned. */
const pending = (...replies: readonly Reply[]) => sent(status(500), ...replies)

describe('Sending a delivery again', () => {
  it('makes one attempt more with the same bytes and a new time, and waits for the answer', async () => {
    const { service, endpoint, id } = await delivered()
    service.clock.advance(60 * SECOND)
    const { code, data } = await service.resend(id)
    expect(code).toBe(200)
    expect(data).toMatchObject({ status: 'delivered', attempt_count: 2 })
    const [first, second] = endpoint.received
    expect(second!.bytes.equals(first!.bytes)).toBe(true)
    expect(Number(partsOf(second!).t) - Number(partsOf(first!).t)).toBe(60)
  })

  it('ends the schedule if it is accepted', async () => {
    const { service, endpoint, id } = await pending(ok)
    expect((await service.resend(id)).data).toMatchObject({ status: 'delivered', next_attempt_at: null })
    await service.pass(HOUR)
    expect(endpoint.received).toHaveLength(2)
  })

  it('that is accepted is not undone by an attempt that fails later', async () => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith(never, ok)
    await service.order(endpoint.url, { card: DECLINED })
    await endpoint.until(1)
    const [delivery] = await service.deliveries()
    await service.resend(delivery!.id)
    await service.pass(10 * SECOND)
    await service.pass(HOUR)
    expect(await service.deliveries()).toMatchObject([{ status: 'delivered', attempt_count: 2 }])
    expect(endpoint.received).toHaveLength(2)
  })

  it('changes nothing in the schedule if it is refused, and makes a dead delivery a delivered one if it is accepted', async () => {
    const { service, endpoint, id } = await pending(status(500))
    const { data } = await service.resend(id)
    expect(data.status).toBe('pending')
    expect(Date.parse(data.next_attempt_at!)).toBe(service.clock.now() + SECOND)
    for (const seconds of [1, 5, 25, 120, 600]) await service.pass(seconds * SECOND)
    expect(endpoint.received).toHaveLength(7)
    expect((await service.resend(id)).data.status).toBe('dead')
    endpoint.replyWith(ok)
    expect((await service.resend(id)).data.status).toBe('delivered')
  })

  it('refuses an unknown forgery, and an unknown delivery', async () => {
    const { service, endpoint, id } = await delivered()
    for (const [of, body, code] of [
      ['dlv_none', undefined, 404],
      [id, { tampered: true }, 400],
      [id, { tamper: 'yes' }, 400],
      [id, [], 400],
    ] as const)
      expect((await service.resend(of, body)).code).toBe(code)
    await service.sandbox.idle()
    expect(endpoint.received).toHaveLength(1)
  })
})

const SPOILED = 'Your endpoint accepted a forgery:'
const AS_IT_MUST = 'Refused, as it must:'

describe('A forgery', () => {
  it.each([
    [204, {}, 'accepted', 'Your endpoint accepted it: it answered 204.'],
    [302, {}, 'refused', 'Your endpoint refused a valid delivery: it answered 302.'],
    [204, { tamper: true }, 'accepted-forgery', `${SPOILED} the amount was changed after signing, and`],
    [204, { stale: true }, 'accepted-forgery', `${SPOILED} it was signed an hour ago, and it answered 204.`],
    [401, { wrong_secret: true }, 'refused-forgery', `${AS_IT_MUST} it was signed with another secret, and`],
    [400, { no_signature: true }, 'refused-forgery', `${AS_IT_MUST} it had no signature, and your endpoint`],
  ])('or a valid delivery has a verdict: answer %i, %j: %s', async (code, body, verdict, text) => {
    const { service, endpoint, id } = await delivered()
    endpoint.replyWith(status(code))
    const { data } = await service.resend(id, body)
    const verdict_text = expect.stringContaining(text) as string
    expect(data.attempts[1]).toMatchObject({ number: 2, verdict, verdict_text })
    expect(data['last']).toMatchObject({ verdict })
  })

  it('that is accepted does not count as delivered, and the retry is made, and is valid', async () => {
    const { service, endpoint, id } = await pending(ok)
    const { data } = await service.resend(id, { tamper: true, stale: true })
    expect(data).toMatchObject({ status: 'pending', next_attempt_at: expect.any(String) as string })
    await service.pass(SECOND)
    expect(endpoint.received).toHaveLength(3)
    expectSigned(service, endpoint.received[2]!)
  })

  it('with another secret has digests that no key of the sandbox makes, and one without a signature no header', async () => {
    const { service, endpoint, id, body } = await delivered()
    await service.resend(id, { wrong_secret: true })
    const { t, ...digests } = partsOf(endpoint.received[1]!)
    const { secret, apiKeys } = service.sandbox
    const right = digestsOf(Buffer.from(body), t, secret, apiKeys.account)
    for (const version of ['v1', 'v2', 'v3'] as const) expect(digests[version]).not.toBe(right[version])
    expect(endpoint.received[1]!.bytes.toString()).toBe(body)
    await service.resend(id, { no_signature: true })
    expect(endpoint.received[2]!.headers['service-signature']).toBeUndefined()
  })
})

describe('Finding the cause', () => {
  it('sends a copy for each forgery, none of which is an attempt', async () => {
    const { service, endpoint, id, body } = await pending(status(401))
    const { code, data } = await service.post(`/_sandbox/deliveries/${id}/check/`)
    expect(code).toBe(200)
    const faults = ['tamper', 'stale', 'wrong-secret', 'no-signature', 'reprinted']
    expect(data.attempts).toMatchObject([
      { is_check: false },
      ...faults.map((fault) => ({ is_check: true, faults: [fault], verdict: 'refused-forgery' })),
    ])
    expect(data).toMatchObject({ status: 'pending', attempt_count: 1, last: { number: 1 } })
    const [, tampered, , , unsigned, reserialized] = endpoint.received
    expect(tampered!.bytes.toString()).not.toBe(body)
    expect(unsigned!.headers['service-signature']).toBeUndefined()
    expect(reserialized!.bytes.toString()).toBe(body)
  })

  it('sends no further copy after a reset', async () => {
    const { service, endpoint, id } = await delivered()
    endpoint.replyWith(never)
    const checked = service.post(`/_sandbox/deliveries/${id}/check/`)
    await endpoint.until(2)
    service.sandbox.reset()
    expect((await checked).data.attempts).toHaveLength(1)
    expect(endpoint.received).toHaveLength(2)
  })

  it('leaves out the copy that would be valid, because the body stays the same when it is serialized again', async () => {
    const { service, endpoint } = await startWithEndpoint()
    const [delivery] = await service.compose({ text: '{"type":"intent.processed"}', url: endpoint.url })
    await service.sandbox.idle()
    const { data } = await service.post(`/_sandbox/deliveries/${delivery!.id}/check/`)
    expect(data.attempts).toHaveLength(5)
    expect(endpoint.received).toHaveLength(5)
  })
})
