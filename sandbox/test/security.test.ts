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
    answers.push(await service.get('/_sandbox/overview/'), await service.get('/openapi.json'))
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
      await service.get('/_sandbox/overview/'),
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

describe('Every answer of the control API', () => {
  it('holds no key, secret, card number or CVV', async () => {
    const service = await Service.start({ cardTokenEvents: true })
    const endpoint = await Endpoint.start()
    const { organization, account, public: publicKey } = service.sandbox.apiKeys
    const first = service.sandbox.secret
    const secrets = [organization, account, publicKey, first, ...PUBLISHED_CARDS, REAL_LOOKING]
    await service.call('PUT', '/_sandbox/settings/', { body: { default_endpoint: endpoint.url } })
    const customer = await service.customer({ first_name: 'Jane' })
    await service.savedCard(customer)
    for (const card of [...PUBLISHED_CARDS, REAL_LOOKING]) {
      const { id } = (await service.intent({ customer, show_save_card_checkbox: true, note: card, cvv: CVV }))
        .data
      await service.pay(id, { card, cvv: CVV, saveCard: true })
      const collected = await service.post('/vault/cards/', { card, cvv: CVV }, publicKey)
      const cardData = collected.code === 200 ? collected.data.id : card
      await service.post(`/vault/intents/${id}/pay/`, { cardData }, publicKey)
    }
    const card_token = (await service.get(`${CUSTOMERS}${customer}/cards/`)).list[0]!.id
    const recurring_data = { agreement_id: 'A' }
    await service.intent({ customer, card_token, recurring_data, card_token_data: { cvv: CVV } })
    const created = await service.post('/api/v1.4/accounts/', { name: 'B' }, organization)
    secrets.push(created.data.api_key, created.data.public_api_key)
    await service.get('/api/v1/organizations/get-webhook-signature-key/')
    await service.post('/_sandbox/compose/', { template: 'purchase-failed', wrong_secret: true })
    await service.post('/_sandbox/compose/', { template: 'intent-processed', sequence: 'burst' })
    await service.post('/_sandbox/secret/rotate/')
    secrets.push(service.sandbox.secret)
    await service.sandbox.drained()

    const answers: string[] = []
    const paths = Object.entries(service.document.openApi.paths).filter(
      ([path, { get }]) => path.startsWith('/_sandbox/') && get !== undefined && !path.endsWith('/stream'),
    )
    for (const [path] of paths.filter(([path]) => !path.includes('{'))) {
      const query = path.includes('/export/') ? '?format=har' : path.includes('newest') ? '?limit=100' : ''
      answers.push(await textOf(service, path + query))
    }
    for (const [path] of paths.filter(([path]) => path.includes('{'))) {
      const kind = path.split('/')[2]!
      const list = await service.get(`/_sandbox/${kind === 'requests' ? '' : 'newest/'}${kind}/`)
      for (const item of list.list.slice(0, 20)) {
        const address = path.replace('{id}', item.id || (item['key'] as string))
        const query = path.includes('/export/') ? '?format=har' : ''
        answers.push(await textOf(service, address + query))
      }
    }
    expect(answers.length).toBeGreaterThan(100)
    const all = answers.join('\n')
    expect(all).toContain(`account_key_...${account.slice(-4)}`)
    for (const secret of secrets) expect(all.includes(secret), secret).toBe(false)
    expect(all).not.toMatch(new RegExp(`(?<![\\w.])${CVV}(?![\\w.])`))
    expect(service.lines.join('\n')).not.toMatch(
      new RegExp(`${secrets.join('|')}|(?<![\\w.])${CVV}(?![\\w.])`),
    )
  })
})

async function textOf({ sandbox }: Service, path: string): Promise<string> {
  const response = await fetch(sandbox.url + path)
  const text = await response.text()
  expect(response.status, `${path} ${text}`).toBe(200)
  return text
}
