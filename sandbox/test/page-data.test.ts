import { describe, expect, it } from 'vitest'
import { Endpoint } from './support/endpoint.js'
import { Service, type Data } from './support/service.js'

interface Explanation {
  readonly attempt: number
  readonly on_purpose: readonly string[]
  readonly change: { readonly at: number; readonly signed: string; readonly sent: string } | null
  readonly report: {
    readonly ok: boolean
    readonly code?: string
    readonly checks: readonly { readonly name: string; readonly outcome: string }[]
  }
  readonly text: string
}

/** A paid intent, and its first delivery. */
async function paid(service: Service): Promise<Data> {
  const endpoint = await Endpoint.start()
  const { id } = (await service.intent({ webhook_url: endpoint.url })).data
  await service.pay(id)
  await service.sandbox.drained()
  return (await service.deliveries())[0]!
}

async function explain(service: Service, { id }: Data, query = ''): Promise<Explanation> {
  const { data } = await service.get(`/_sandbox/deliveries/${id}/explain/${query}`)
  return data as unknown as Explanation
}

function outcomeOf({ report }: Explanation, name: string): string | undefined {
  return report.checks.find((check) => check.name === name)?.outcome
}

describe('The explain report of an attempt', () => {
  it('says of a genuine one that it verifies, under all three versions', async () => {
    const service = await Service.start()
    const explanation = await explain(service, await paid(service))
    expect(explanation).toMatchObject({ attempt: 1, on_purpose: [], change: null, report: { ok: true } })
    expect(explanation.text).toMatch(/^It verifies: v1, v2, v3 match under /)
  })

  it('names the tampering, and shows exactly what was changed', async () => {
    const service = await Service.start()
    const delivery = await paid(service)
    await service.post(`/_sandbox/deliveries/${delivery.id}/resend/`, { tamper: true })
    const explanation = await explain(service, delivery)
    const { data } = await service.get(`/_sandbox/deliveries/${delivery.id}/`)
    const { at, signed, sent } = explanation.change!
    const { body } = data.attempts[1]!
    expect(body.slice(at, at + sent.length)).toBe(sent)
    expect(`${body.slice(0, at)}${signed}${body.slice(at + sent.length)}`).toBe(delivery.body)
    expect([signed, sent]).toEqual(['1', '2'])
    expect(explanation).toMatchObject({ attempt: 2, report: { ok: false, code: 'ERR_SIGNATURE_MISMATCH' } })
    const sentence = `Changed after signing (tamper): at character ${at}, "${signed}" became "${sent}".`
    expect(explanation.on_purpose).toEqual([sentence])
    expect(explanation.text.startsWith(`On purpose\n  ${sentence}\n\n`)).toBe(true)
  })

  it('names the time of a stale one, whose signature is right', async () => {
    const service = await Service.start()
    const delivery = await paid(service)
    await service.post(`/_sandbox/deliveries/${delivery.id}/resend/`, { stale: true })
    const explanation = await explain(service, delivery)
    expect(explanation.on_purpose).toEqual(['Signed with a time that was an hour old (stale).'])
    expect(explanation.change).toBeNull()
    expect(explanation.report.ok).toBe(false)
    expect(outcomeOf(explanation, 'time window')).toBe('failed')
    expect(outcomeOf(explanation, 'signature')).not.toBe('failed')
  })

  it('looks at the attempt that is asked for, as it was when it was made', async () => {
    const service = await Service.start()
    const delivery = await paid(service)
    await service.post(`/_sandbox/deliveries/${delivery.id}/resend/`, { tamper: true })
    service.clock.advance(24 * 3600 * 1000)
    await service.post(`/_sandbox/deliveries/${delivery.id}/resend/`)
    expect(await explain(service, delivery, '?attempt=1')).toMatchObject({ attempt: 1, report: { ok: true } })
    expect(await explain(service, delivery, '?attempt=3')).toMatchObject({ attempt: 3, report: { ok: true } })
    expect(await explain(service, delivery, '?attempt=2')).toMatchObject({
      attempt: 2,
      report: { ok: false },
    })
  })

  it('sees a rotation: v1 still matches, the secret is another one', async () => {
    const service = await Service.start()
    const delivery = await paid(service)
    await service.post('/_sandbox/secret/rotate/')
    const { report, text } = await explain(service, delivery)
    expect(report.ok).toBe(false)
    expect(text).toContain('other-secret')
  })

  it('holds no key, no secret and no body', async () => {
    const service = await Service.start()
    const delivery = await paid(service)
    await service.post(`/_sandbox/deliveries/${delivery.id}/resend/`, { tamper: true })
    const { text } = await service.get(`/_sandbox/deliveries/${delivery.id}/explain/`)
    const { secret, apiKeys } = service.sandbox
    for (const hidden of [secret, apiKeys.account, delivery.body, delivery.body.slice(0, 200)]) {
      expect(text).not.toContain(hidden)
    }
  })

  it.each([
    ['attempt=0', 400],
    ['attempt=-1', 400],
    ['attempt=x', 400],
    ['attempt=1.5', 400],
    ['attempt=', 400],
    ['attempt=2', 404],
    ['attempt=999999999', 404],
  ])('?%s: %i', async (query, status) => {
    const service = await Service.start()
    const { id } = await paid(service)
    expect((await service.get(`/_sandbox/deliveries/${id}/explain/?${query}`)).code).toBe(status)
  })

  it('is not found for an unknown delivery, and for one that was not sent yet', async () => {
    const service = await Service.start()
    expect((await service.get('/_sandbox/deliveries/dlv_none/explain/')).code).toBe(404)
    await service.faults({ deliveries: { delayMs: 1000 } })
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id)
    const [delivery] = await service.deliveries()
    expect((await service.get(`/_sandbox/deliveries/${delivery!.id}/explain/`)).code).toBe(404)
  })
})

describe('GET /_sandbox/overview/', () => {
  it('counts what there is, and shows keys and secret masked', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(
      (response) => response.writeHead(204).end(),
      (response) => response.writeHead(500).end(),
    )
    await service.savedCard(await service.customer())
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.intent()
    await service.pay(id)
    await service.sandbox.idle()
    await service.faults({ vault: 'down' })
    const { data, text } = await service.get('/_sandbox/overview/')
    const { url, secret, apiKeys, accountId, organizationId } = service.sandbox
    expect(data).toMatchObject({
      url,
      organization: { id: organizationId, webhook_signature_secret: `signing_secret_...${secret.slice(-4)}` },
      accounts: [{ id: accountId }],
      keys: [{ type: 'account' }, { type: 'organization' }],
      faults: { vault: 'down' },
      keep: 10_000,
      counts: { intents: 2, customers: 1, card_tokens: 1, pending: 1, delivered: 1, dead: 0, lost: 0 },
    })
    for (const key of [secret, ...Object.values(apiKeys)]) expect(text).not.toContain(key)
  })
})

describe('GET /_sandbox/newest/', () => {
  it('lists deliveries, intents and customers, newest first, in pages', async () => {
    const service = await Service.start()
    const first = await paid(service)
    const customer = await service.customer({ first_name: 'Jane' })
    const other = await service.customer()
    const token = await service.savedCard(customer)
    const { id } = (await service.intent({ customer })).data

    const deliveries = await service.get('/_sandbox/newest/deliveries/')
    expect(deliveries.list.map(({ type }) => type)).toEqual([
      'intent.processed',
      'transaction.purchase.successful',
    ])
    expect(deliveries.list[1]!.id).toBe(first.id)
    const intents = await service.get('/_sandbox/newest/intents/')
    expect(intents.list.map((intent) => intent.id)).toEqual([id, first['intent']])
    const customers = await service.get('/_sandbox/newest/customers/')
    expect(customers.list).toMatchObject([
      { id: other, cards: [] },
      { id: customer, first_name: 'Jane', cards: [{ id: token, last_four: '4242' }] },
    ])

    const page = await service.get('/_sandbox/newest/customers/?limit=1&offset=1')
    expect(page.list.map((item) => item.id)).toEqual([customer])
    expect(page).toMatchObject({
      count: 2,
      next: null,
      previous: `${service.sandbox.url}/_sandbox/newest/customers/?limit=1&offset=0`,
    })
    expect((await service.get('/_sandbox/newest/intents/?limit=0')).code).toBe(400)
  })
})

describe('POST /_sandbox/keys/reveal/', () => {
  it('answers the keys and the secret in full, and logs none of them', async () => {
    const service = await Service.start()
    await service.post('/_sandbox/secret/rotate/')
    const { data } = await service.post('/_sandbox/keys/reveal/')
    const { secret, apiKeys } = service.sandbox
    expect(data).toMatchObject({
      webhook_signature_secret: secret,
      keys: [
        { api_key: apiKeys.account, public_api_key: apiKeys.public },
        { api_key: apiKeys.organization, public_api_key: null },
      ],
    })
    for (const key of [secret, ...Object.values(apiKeys)]) expect(service.lines.join()).not.toContain(key)
  })
})
