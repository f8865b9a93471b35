import { createServer } from 'node:http'
import type { FrameLocator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { Endpoint } from '../support/endpoint.js'
import { serve } from '../support/serve.js'
import { CARD, CARD_TOKENS, CHALLENGED, CUSTOMERS, INTENTS, Service } from '../support/service.js'

/** The page of a merchant, of another origin. It says what the SDK answered. */
async function startShop(service: Service, key = service.sandbox.apiKeys.public): Promise<string> {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,"></head><body>
<h1>Shop</h1><div id="card"></div><output></output>
<script type="module">
import { Client } from '${service.sandbox.url}/sdk.js'
window.Client = Client
window.client = new Client({ type: 'payment', publicApiKey: '${key}' })
await client.cardForm.mount(document.querySelector('#card'))
window.run = async (call) => {
  const output = document.querySelector('output')
  output.value = ''
  try { output.value = JSON.stringify(await call()) } catch (error) { output.value = String(error) }
}
document.title = 'Shop, ready'
</script></body></html>`
  return serve(
    createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(html)),
  )
}

async function fillIn(frame: FrameLocator, card: string) {
  await frame.getByLabel('Card number').fill(card)
  await frame.getByLabel('Expiry').fill('12/34')
  await frame.getByLabel('CVV', { exact: true }).fill('8642')
  await frame.getByLabel('Name on the card').fill('Jane Doe')
}

/** Begins a call to the SDK; `answer` waits for what comes of it. */
function call(page: Page, code: string): Promise<unknown> {
  return page.evaluate(`void run(() => ${code})`)
}

async function answer(page: Page): Promise<unknown> {
  const said = await page.waitForFunction("document.querySelector('output').value")
  const text = (await said.jsonValue()) as string
  return text.startsWith('{') ? JSON.parse(text) : text
}

async function callAndAnswer(page: Page, code: string): Promise<unknown> {
  await call(page, code)
  return answer(page)
}

const start = () => Service.start({}, 'real time')
const pay = (id: string, saveCard = false) =>
  `client.cardForm.pay({ intentId: '${id}', saveCard: ${saveCard} })`
const INCOMPLETE = expect.stringContaining('The card form is not complete') as string
const NO_FLAG = 'Error: saveCard needs allow_tokenize_card on the intent'

describeInBrowser('The browser SDK, on a page of another origin', (open) => {
  /** The shop, with a card in its form if one is named. */
  async function openShop(
    service: Service,
    card?: string,
    key?: string,
    options?: Parameters<typeof open>[1],
  ) {
    const visit = await open(await startShop(service, key), options)
    await visit.page.waitForFunction("document.title === 'Shop, ready'")
    const frame = visit.page.frameLocator('iframe[title="Card details"]')
    if (card !== undefined) await fillIn(frame, card)
    return { ...visit, frame }
  }

  // Specification: sdk-client, sdk-pay, public-key
  it.each([true, false])(
    'pays with the public key, and saves the card if saveCard is true: %s',
    async (saveCard) => {
      const service = await start()
      const endpoint = await Endpoint.start()
      const customer = await service.customer()
      const fields = { customer, allow_tokenize_card: true, webhook_url: endpoint.url }
      const { id } = (await service.intent(fields)).data
      const { page, frame } = await openShop(service, CARD)
      const result = await callAndAnswer(page, pay(id, saveCard))
      const { list } = await service.get(`${CUSTOMERS}${customer}/cards/`)
      expect(list).toHaveLength(saveCard ? 1 : 0)
      const stateDetails = { failure: null, cardToken: list[0]?.id ?? null }
      expect(result).toEqual({ state: 'PROCESSED', stateDetails })
      await expect.poll(() => frame.getByLabel('Card number').inputValue()).toBe('')
      await service.sandbox.drained()
      expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    },
  )

  // Specification: sdk-pay
  it('rejects saveCard without allow_tokenize_card, pays nothing, and keeps the card until it has paid', async () => {
    const service = await start()
    const { id } = (await service.intent({ customer: await service.customer() })).data
    const { page, problems } = await openShop(service, CARD)
    expect(await callAndAnswer(page, pay(id, true))).toBe(NO_FLAG)
    // The browser itself notes every refusal.
    expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
    expect((await service.get(`${INTENTS}${id}/`)).data.transactions).toEqual([])
    expect(await callAndAnswer(page, pay(id))).toMatchObject({ state: 'PROCESSED' })
    expect(await callAndAnswer(page, 'client.cardForm.collect()')).toEqual(INCOMPLETE)
  })

  it.each([
    ['Pass the challenge', 'PROCESSED', null],
    ['Fail the challenge', 'FAILED', 'The challenge was not passed'],
  ])('shows 3DS in its frame: %s', async (button, state, failure) => {
    const service = await start()
    const { id } = (await service.intent()).data
    const { page, frame } = await openShop(service, CHALLENGED)
    await call(page, pay(id))
    await frame.getByRole('button', { name: button }).click()
    expect(await answer(page)).toEqual({ state, stateDetails: { failure, cardToken: null } })
    await expect.poll(() => frame.getByLabel('Card number').isVisible()).toBe(true)
  })

  // Specification: sdk-collect, sdk-token, card-intent
  it('collects a card, and makes a token of it once the page has done its own work', async () => {
    const service = await start()
    const { id } = (await service.post(CARD_TOKENS, { customer: await service.customer() })).data
    const details = async () => (await service.get(`${CARD_TOKENS}intents/${id}/`)).data
    const { page, frame } = await openShop(service, CHALLENGED)
    const collect = 'client.cardForm.collect().then((cardData) => (window.cardData = cardData))'
    expect(await callAndAnswer(page, collect)).toEqual({
      id: expect.stringMatching(/^cdt_/) as string,
      brand: 'Visa',
      lastFour: '3220',
    })
    expect((await details()).status).toBe('CREATED')
    await call(page, `client.cardForm.createCardToken({ cardData, cardIntentId: '${id}' })`)
    await frame.getByRole('button', { name: 'Pass the challenge' }).click()
    const made = await answer(page)
    const stateDetails = { failure: null, cardToken: (await details()).card_token }
    expect(made).toEqual({ state: 'PROCESSED', stateDetails })
  })

  it('rejects pay() with the status of the vault where the page uses a secret key', async () => {
    const service = await start()
    const { id } = (await service.intent()).data
    const { page, problems } = await openShop(service, CARD, service.sandbox.apiKeys.account)
    const seen = '(error) => ({ isError: error instanceof Error, ...error, text: String(error) })'
    expect(await callAndAnswer(page, `${pay(id)}.catch(${seen})`)).toEqual({
      isError: true,
      status: 403,
      text: expect.stringMatching(/^Error: X-Api-Key is a secret key/) as string,
    })
    expect(problems.splice(0)).toEqual([expect.stringContaining('403')])
    expect((await service.get(`${INTENTS}${id}/`)).data.transactions).toEqual([])
  })

  it('says in its frame what is missing, and pays nothing', async () => {
    const service = await start()
    const { id } = (await service.intent()).data
    const { page, frame } = await openShop(service)
    expect(await callAndAnswer(page, pay(id))).toEqual(INCOMPLETE)
    await expect.poll(() => frame.getByText('Enter the card number').isVisible()).toBe(true)
    expect((await service.get(`${INTENTS}${id}/`)).data.status).toBe('CREATED')
  })

  it('tells the page neither the number nor the CVV', async () => {
    const service = await start()
    const { url } = service.sandbox
    const { id } = (await service.intent()).data
    const { page, frame } = await openShop(service)
    const sent: { readonly url: string; readonly from: string; readonly body: string }[] = []
    page.on('request', (request) => {
      sent.push({ url: request.url(), from: request.frame().url(), body: request.postData() ?? '' })
    })
    await fillIn(frame, CARD)
    expect(JSON.stringify(await callAndAnswer(page, pay(id)))).not.toMatch(/4242|8642/)
    const withNumber = sent.filter((each) => /42424242|8642/.test(each.url + each.body))
    expect(withNumber).toMatchObject([{ url: `${url}/vault/cards/`, from: `${url}/vault/card-form/` }])
    expect(await page.evaluate("document.querySelector('iframe').contentDocument")).toBeNull()
  })

  it('says what to do instead of a call that is wrong', async () => {
    const { page } = await openShop(await start())
    for (const [code, message] of [
      ['new Client()', "type must be 'payment'"],
      ["new Client({ type: 'payout', publicApiKey: 'k' })", "type must be 'payment'"],
      ["new Client({ type: 'payment' })", 'publicApiKey must be a string that is not empty'],
      ['client.cardForm.mount("#card")', 'mount needs the element'],
      ['client.cardForm.mount(document.body)', 'The card form is mounted already'],
      ['client.cardForm.pay()', 'intentId must be a string'],
      ["client.cardForm.pay({ intentId: 'i', saveCard: 'true' })", 'saveCard must be true or false'],
      ["client.cardForm.createCardToken({ cardIntentId: 'i' })", 'cardData.id must be a string'],
      ["new Client({ type: 'payment', publicApiKey: 'k' }).cardForm.collect()", 'There is no card form yet'],
    ] as const)
      expect(await callAndAnswer(page, code), code).toContain(`TypeError: ${message}`)
  })

  it('can be taken away, and put back', async () => {
    const service = await start()
    const { page, frame } = await openShop(service, CHALLENGED)
    const { id } = (await service.intent()).data
    await call(page, pay(id))
    await frame.getByRole('button', { name: 'Pass the challenge' }).waitFor()
    await page.evaluate('client.cardForm.unmount()')
    expect(await answer(page)).toBe('Error: The card form was unmounted')
    await expect.poll(() => page.locator('iframe').count()).toBe(0)
    await page.evaluate("client.cardForm.mount(document.querySelector('#card'))")
    await fillIn(page.frameLocator('iframe'), CARD)
    expect(await callAndAnswer(page, pay(id))).toMatchObject({ state: 'PROCESSED' })
  })

  it('is as high as what it shows, at 360 pixels too', async () => {
    const options = { viewport: { width: 360, height: 740 } }
    const { page, frame } = await openShop(await start(), undefined, undefined, options)
    for (const isOpen of [false, true]) {
      if (isOpen) await frame.getByText('Test cards').click()
      // The frame reports its height to the page, after it was rendered.
      await page.waitForFunction("document.querySelector('iframe').style.height !== '24rem'")
      const height = (await frame.locator('main').boundingBox())!.height
      await page.waitForFunction(`document.querySelector('iframe').style.height === '${Math.ceil(height)}px'`)
      expect((await frame.locator('#entry').boundingBox())!.width).toBeLessThan(360)
    }
  })
})
