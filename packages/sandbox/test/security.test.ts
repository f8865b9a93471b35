import { inspect } from 'node:util'
import { get } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Endpoint } from './support/endpoint.js'
import { CARD_TOKENS, CUSTOMERS, PUBLISHED_CARDS, Service } from './support/service.js'

/** No number of a test, but none of a bank either: the check digit is wrong. */
const REAL_LOOKING = '4929123456781234'
/** Looked for by itself: within an id or a time these digits can stand by chance. */
const CVV = '8642'

describe('Card numbers and CVVs', () => {
  it('are in no answer, event, log line, state, stream or object of the program', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const heard: string[] = []
    const stream = get(`${service.sandbox.url}/_sandbox/stream`, { agent: false })
    const [streamed] = (await once(stream, 'response')) as [IncomingMessage]
    streamed.setEncoding('utf8').on('data', (text: string) => heard.push(text))
    onTestFinished(() => {
      streamed.destroy()
    })

    const webhook_url = endpoint.url
    const customer = await service.customer({ first_name: 'Jane' })
    const answers = []
    for (const card of [...PUBLISHED_CARDS, REAL_LOOKING, `${REAL_LOOKING} `]) {
      const { id } = (await service.intent({ customer, show_save_card_checkbox: true, webhook_url })).data
      answers.push(await service.pay(id, { card, cvv: CVV, saveCard: true }))
      answers.push(await service.pay(id, { challenge: 'pass' }))
      const { data } = await service.post(CARD_TOKENS, { customer })
      answers.push(await service.pay(data.id, { card, cvv: CVV }))
      // What is refused is not repeated either.
      answers.push(await service.pay(id, { card: [card], cvv: { cvv: CVV } }))
      answers.push(await service.pay(id, { [card]: CVV }))
      answers.push(await service.pay(id, { card, cvv: `${CVV}${CVV}` }))
      answers.push(
        await service.call('POST', `/_sandbox/intents/${id}/pay/`, {
          body: `{"card":"${card}","cvv":${CVV}`,
        }),
      )
    }
    for (const { id } of (await service.get(`${CUSTOMERS}${customer}/cards/`)).list) {
      const charge = { customer, card_token: id, card_token_data: { cvv: CVV }, webhook_url }
      answers.push(await service.intent(charge))
      answers.push(await service.intent({ ...charge, card_token_data: { cvv: `${CVV}0` } }))
      answers.push(await service.intent({ ...charge, card_token_data: { cvv: [CVV] } }))
    }
    await service.sandbox.drained()
    answers.push(await service.get('/_sandbox/state'), await service.get('/openapi.json'))
    const deliveries = await service.deliveries()
    expect(endpoint.received.length).toBeGreaterThan(20)
    expect(service.lines.length).toBeGreaterThan(100)
    expect(heard.join('')).toContain('"kind":"delivery"')

    const everything = [
      ...answers.map(({ text, headers }) => text + inspect(headers)),
      ...endpoint.received.map(({ bytes, rawHeaders }) => bytes.toString() + rawHeaders.join()),
      ...service.lines,
      ...heard,
      JSON.stringify(deliveries),
      inspect(service.sandbox, { depth: Infinity, showHidden: true, getters: true }),
    ].join('\n')
    for (const secret of [...PUBLISHED_CARDS, REAL_LOOKING]) expect(everything).not.toContain(secret)
    expect(everything).not.toMatch(new RegExp(`(?<![\\w.])${CVV}(?![\\w.])`))
  })
})

describe('Keys and secrets', () => {
  it('are in no log line, event, error or list', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { organization, account, public: publicKey } = service.sandbox.apiKeys
    const made = await service.post('/_sandbox/keys/', { type: 'account' })
    const created = await service.post('/api/v1.4/accounts/', { name: 'A' }, organization)
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id)
    await service.sandbox.drained()
    await service.get('/api/v1/organizations/get-webhook-signature-key/')
    const answers = [
      await service.get('/_sandbox/state'),
      await service.get('/api/v1.4/accounts/', organization),
      await service.get(CUSTOMERS, publicKey),
      await service.get(CUSTOMERS, `${account},x,true`),
      await service.get(CUSTOMERS, `${account}x`),
      await service.post('/_sandbox/secret/rotate/'),
    ]
    const everything = [
      ...answers.map(({ text }) => text),
      ...service.lines,
      ...endpoint.received.map(({ bytes, rawHeaders }) => bytes.toString() + rawHeaders.join()),
      JSON.stringify(await service.deliveries()),
    ].join('\n')
    const keys = [organization, account, publicKey, made.data.api_key, made.data.public_api_key]
    for (const key of [...keys, created.data.api_key, created.data.public_api_key, service.sandbox.secret]) {
      expect(key.length).toBeGreaterThan(40)
      expect(everything).not.toContain(key)
    }
  })
})
