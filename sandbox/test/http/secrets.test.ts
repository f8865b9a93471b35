import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { inspect } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import {
  ACCOUNTS,
  CARD_TOKENS,
  CUSTOMERS,
  PUBLISHED_CARDS,
  Service,
  SIGNATURE_KEY,
  startWithEndpoint,
} from '../support/service.js'

/** No number of a test, but none of a bank either: the check digit is wrong. */
const REAL_LOOKING = '4929123456781234'
const NUMBERS = [...PUBLISHED_CARDS, REAL_LOOKING]
/** Looked for by itself: within an id or a time these digits can stand by chance. */
const CVV = '8642'
const ONLY_CVV = new RegExp(`(?<![\\w.])${CVV}(?![\\w.])`)

/** What the stream of the page sends, until the test ends. */
async function listen({ sandbox }: Service): Promise<readonly string[]> {
  const heard: string[] = []
  const request = get(`${sandbox.url}/_sandbox/stream`, { agent: false })
  const [stream] = (await once(request, 'response')) as [IncomingMessage]
  stream.setEncoding('utf8').on('data', (text: string) => heard.push(text))
  onTestFinished(() => {
    stream.destroy()
  })
  return heard
}

/** What every operation of the page shows, of up to 20 items of each kind. */
async function shownOn(service: Service): Promise<readonly string[]> {
  const texts: string[] = []
  const add = async (path: string) => {
    const query = path.includes('/export/') ? '?format=har' : ''
    const response = await fetch(service.sandbox.url + path + query)
    const text = await response.text()
    expect(response.status, `${path} ${text}`).toBe(200)
    texts.push(text)
  }
  const paths = service.document.operations
    .filter(({ method, path }) => method === 'GET' && /^\/_sandbox\/(?!stream)/.test(path))
    .map(({ template }) => template)
  for (const path of paths.filter((path) => !path.includes('{'))) await add(path)
  for (const path of paths.filter((path) => path.includes('{'))) {
    const kind = path.split('/')[2]!
    const { list } = await service.get(`/_sandbox/newest/${kind}/`)
    for (const item of list.slice(0, 20)) await add(path.replace('{id}', item.id || (item['key'] as string)))
  }
  expect(texts.length).toBeGreaterThan(100)
  return texts
}

it('no card number, CVV, key or secret is in an answer, an event, a log line, the stream or an object of the program', async () => {
  const { service, endpoint } = await startWithEndpoint()
  const heard = await listen(service)
  const { organization, account, public: publicKey } = service.sandbox.apiKeys
  const keys = [organization, account, publicKey, service.sandbox.secret]
  const answers: { readonly text: string; readonly headers: Headers }[] = []

  const webhook_url = endpoint.url
  await service.call('PUT', '/_sandbox/settings/', { body: { default_endpoint: webhook_url } })
  const customer = await service.customer({ first_name: 'Jane' })
  for (const card of [...NUMBERS, `${REAL_LOOKING} `]) {
    const fields = { customer, show_save_card_checkbox: true, webhook_url, note: card, cvv: CVV }
    const { id } = (await service.intent(fields)).data
    const pay = `/_sandbox/intents/${id}/pay/`
    const entry = { card, cvv: CVV }
    answers.push(
      // What is refused is not repeated either.
      await service.pay(id, { card: [card], cvv: { cvv: CVV } }),
      await service.pay(id, { [card]: CVV }),
      await service.pay(id, { card, cvv: `${CVV}${CVV}` }),
      await service.call('POST', pay, { body: `{"card":"${card}","cvv":${CVV}` }),
      await service.pay(id, { ...entry, saveCard: true }),
      await service.pay(id, { challenge: 'pass' }),
    )
    const other = (await service.post(CARD_TOKENS, { customer })).data.id
    answers.push(await service.pay(other, entry))
    const form = `/vault/form/${(await service.intent()).data.id}/`
    answers.push(await service.post(`${form}pay/`, entry), await service.get(`${form}state/`))
    const collected = await service.post('/vault/cards/', entry, publicKey)
    const cardData = collected.code === 200 ? collected.data.id : card
    const third = (await service.intent()).data.id
    answers.push(collected, await service.post(`/vault/intents/${third}/pay/`, { cardData }, publicKey))
  }
  for (const { id } of (await service.get(`${CUSTOMERS}${customer}/cards/`)).list) {
    const charge = { customer, card_token: id, recurring_data: { agreement_id: 'A' }, webhook_url }
    for (const cvv of [CVV, `${CVV}0`, [CVV]])
      answers.push(await service.intent({ ...charge, card_token_data: { cvv } }))
  }
  // These two answers show keys, and that of the signing secret shows it: as documented, and nowhere else.
  const made = await service.post('/_sandbox/keys/', { type: 'account' })
  const created = await service.post(ACCOUNTS, { name: 'B' }, organization)
  await service.get(SIGNATURE_KEY)
  for (const { data } of [made, created]) keys.push(data.api_key, data.public_api_key)
  answers.push(
    await service.get(ACCOUNTS, organization),
    await service.get(CUSTOMERS, publicKey),
    await service.get(CUSTOMERS, `${account},x,true`),
    await service.get(CUSTOMERS, `${account}x`),
    await service.post('/_sandbox/compose/', { template: 'purchase-failed', wrong_secret: true }),
    await service.post('/_sandbox/compose/', { template: 'intent-processed', sequence: 'burst' }),
    await service.post('/_sandbox/secret/rotate/'),
    await service.get('/openapi.json'),
  )
  keys.push(service.sandbox.secret)
  await service.sandbox.drained()
  const shown = await shownOn(service)

  expect(endpoint.received.length).toBeGreaterThan(20)
  expect(service.lines.length).toBeGreaterThan(100)
  expect(heard.join('')).toContain('"kind":"delivery"')
  expect(shown.join('')).toContain(`account_key_...${account.slice(-4)}`)
  const everything = [
    ...answers.map(({ text, headers }) => text + inspect(headers)),
    ...endpoint.received.map(({ bytes, rawHeaders }) => bytes.toString() + rawHeaders.join()),
    ...service.lines,
    ...heard,
    ...shown,
  ].join('\n')
  for (const secret of [...NUMBERS, ...keys]) expect(everything.includes(secret), secret).toBe(false)
  const inside = inspect(service.sandbox, { depth: Infinity, showHidden: true, getters: true })
  for (const number of NUMBERS) expect(inside).not.toContain(number)
  for (const text of [everything, inside]) expect(text).not.toMatch(ONLY_CVV)
})
