import type { FrameLocator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from './support/browser.js'
import { startPage } from './support/form.js'
import { CARD, CARD_TOKENS, CHALLENGED, CUSTOMERS, DECLINED, Service } from './support/service.js'

/** The page of a merchant, of another origin. It says what the SDK answered. */
async function startShop(service: Service, key = service.sandbox.apiKeys.public): Promise<string> {
  const html = `<div id="card"></div><output></output>
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
</script>`
  return startPage(html)
}

/** The shop, once the card form can be used. */
async function ready(page: Page): Promise<FrameLocator> {
  await page.waitForFunction("document.title === 'Shop, ready'")
  return page.frameLocator('iframe[title="Card details"]')
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

const start = () => Service.start({}, 'real time')

describeInBrowser('The browser SDK, on a page of another origin', (open) => {
  it('pays, and saves the card', async () => {
    const service = await start()
    const customer = await service.customer()
    const { id } = (await service.intent({ customer, allow_tokenize_card: true })).data
    const { page } = await open(await startShop(service))
    const frame = await ready(page)
    await fillIn(frame, CARD)
    await call(page, `client.cardForm.pay({ intentId: '${id}', saveCard: true })`)
    const result = await answer(page)
    const { list } = await service.get(`${CUSTOMERS}${customer}/cards/`)
    expect(result).toEqual({
      state: 'PROCESSED',
      stateDetails: { failure: null, cardToken: list[0]!.id },
    })
    await expect.poll(() => frame.getByLabel('Card number').inputValue()).toBe('')
  })

  it.each([
    ['Pass the challenge', 'PROCESSED', null],
    ['Fail the challenge', 'FAILED', 'The challenge was not passed'],
  ])('shows 3DS in its frame: %s', async (button, state, failure) => {
    const service = await start()
    const { id } = (await service.intent()).data
    const { page } = await open(await startShop(service))
    const frame = await ready(page)
    await fillIn(frame, CHALLENGED)
    await call(page, `client.cardForm.pay({ intentId: '${id}' })`)
    await frame.getByRole('button', { name: button }).click()
    expect(await answer(page)).toEqual({ state, stateDetails: { failure, cardToken: null } })
    await expect.poll(() => frame.getByLabel('Card number').isVisible()).toBe(true)
  })

  it('collects a card, and makes a token of it once the page has done its own work', async () => {
    const service = await start()
    const { id } = (await service.post(CARD_TOKENS, { customer: await service.customer() })).data
    const { page } = await open(await startShop(service))
    const frame = await ready(page)
    await fillIn(frame, CHALLENGED)
    await call(page, 'client.cardForm.collect().then((cardData) => (window.cardData = cardData))')
    expect(await answer(page)).toEqual({
      id: expect.stringMatching(/^cdt_/) as string,
      brand: 'Visa',
      lastFour: '3220',
    })
    expect((await service.get(`${CARD_TOKENS}intents/${id}/`)).data.status).toBe('CREATED')
    await call(page, `client.cardForm.createCardToken({ cardData, cardIntentId: '${id}' })`)
    await frame.getByRole('button', { name: 'Pass the challenge' }).click()
    const made = (await answer(page)) as { readonly stateDetails: { readonly cardToken: string } }
    const { data } = await service.get(`${CARD_TOKENS}intents/${id}/`)
    expect(made).toEqual({ state: 'PROCESSED', stateDetails: { failure: null, cardToken: data.card_token } })
  })

  it('says that a card was declined', async () => {
    const service = await start()
    const { id } = (await service.intent()).data
    const { page } = await open(await startShop(service))
    await fillIn(await ready(page), DECLINED)
    await call(page, `client.cardForm.pay({ intentId: '${id}' })`)
    expect(await answer(page)).toEqual({
      state: 'FAILED',
      stateDetails: { failure: 'The card was declined', cardToken: null },
    })
  })

  it('rejects saveCard without allow_tokenize_card', async () => {
    const service = await start()
    const { id } = (await service.intent({ customer: await service.customer() })).data
    const { page, problems } = await open(await startShop(service))
    await fillIn(await ready(page), CARD)
    await call(page, `client.cardForm.pay({ intentId: '${id}', saveCard: true })`)
    expect(await answer(page)).toBe('Error: saveCard needs allow_tokenize_card on the intent')
    expect((await service.get(`/api/v1.4/payments/intent/${id}/`)).data.transactions).toEqual([])
    // The browser itself takes every refusal down.
    expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
  })

  it('rejects pay() with the status of the vault where the page uses a secret key', async () => {
    const service = await start()
    const { id } = (await service.intent()).data
    const { page, problems } = await open(await startShop(service, service.sandbox.apiKeys.account))
    await fillIn(await ready(page), CARD)
    const pay = `client.cardForm.pay({ intentId: '${id}' })`
    await call(
      page,
      `${pay}.catch((error) => ({ isError: error instanceof Error, ...error, text: String(error) }))`,
    )
    expect(await answer(page)).toEqual({
      isError: true,
      status: 403,
      text: expect.stringMatching(/^Error: X-Api-Key is a secret key/) as string,
    })
    expect(problems.splice(0)).toEqual([expect.stringContaining('403')])
  })

  it('says in its frame what is missing, and pays nothing', async () => {
    const service = await start()
    const { id } = (await service.intent()).data
    const { page } = await open(await startShop(service))
    const frame = await ready(page)
    await call(page, `client.cardForm.pay({ intentId: '${id}' })`)
    expect(await answer(page)).toContain('The card form is not complete')
    await expect.poll(() => frame.getByText('Enter the card number').isVisible()).toBe(true)
    expect((await service.get(`/api/v1.4/payments/intent/${id}/`)).data.status).toBe('CREATED')
  })

  it('keeps the card in the form if the call is refused, and clears it once it has paid', async () => {
    const service = await start()
    const { id } = (await service.intent()).data
    const { page, problems } = await open(await startShop(service))
    const frame = await ready(page)
    await fillIn(frame, CARD)
    await call(page, `client.cardForm.pay({ intentId: '${id}', saveCard: true })`)
    expect(await answer(page)).toContain('needs allow_tokenize_card')
    expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
    await call(page, `client.cardForm.pay({ intentId: '${id}' })`)
    expect(await answer(page)).toMatchObject({ state: 'PROCESSED' })
    await call(page, 'client.cardForm.collect()')
    expect(await answer(page)).toContain('The card form is not complete')
  })

  it('says that its key is not accepted', async () => {
    const service = await start()
    const { page, problems } = await open(await startShop(service))
    const { keys } = (await service.get('/_sandbox/overview/')).data as unknown as Record<
      string,
      { id: string }[]
    >
    const frame = await ready(page)
    for (const { id } of keys!) await service.post(`/_sandbox/keys/${id}/revoke/`)
    await fillIn(frame, CARD)
    await call(page, 'client.cardForm.collect()')
    expect(await answer(page)).toBe('Error: X-Api-Key is revoked')
    await expect.poll(() => frame.getByText('The card was not taken.').isVisible()).toBe(true)
    expect(problems.splice(0)).toEqual([expect.stringContaining('401')])
  })

  it('tells the page neither the number nor the CVV', async () => {
    const service = await start()
    const { id } = (await service.intent()).data
    const { page } = await open(await startShop(service))
    const frame = await ready(page)
    const sent: { readonly url: string; readonly from: string; readonly body: string }[] = []
    page.on('request', (request) => {
      sent.push({ url: request.url(), from: request.frame().url(), body: request.postData() ?? '' })
    })
    await fillIn(frame, CARD)
    await call(page, `client.cardForm.pay({ intentId: '${id}' })`)
    expect(JSON.stringify(await answer(page))).not.toMatch(/4242|8642/)
    const withNumber = sent.filter(({ url, body }) => /42424242|8642/.test(url + body))
    expect(withNumber.map(({ url, from }) => [url, from])).toEqual([
      [`${service.sandbox.url}/vault/cards/`, `${service.sandbox.url}/vault/card-form/`],
    ])
    expect(await page.evaluate("document.querySelector('iframe').contentDocument")).toBeNull()
  })

  it.each([
    ['no options', 'new Client()', "TypeError: type must be 'payment'"],
    [
      'another type',
      "new Client({ type: 'payout', publicApiKey: 'k' })",
      "TypeError: type must be 'payment'",
    ],
    [
      'no key',
      "new Client({ type: 'payment' })",
      'TypeError: publicApiKey must be a string that is not empty',
    ],
    ['no element', 'client.cardForm.mount("#card")', 'TypeError: mount needs the element'],
    ['a second form', 'client.cardForm.mount(document.body)', 'TypeError: The card form is mounted already'],
    ['no intent', 'client.cardForm.pay()', 'TypeError: intentId must be a string'],
    [
      'saveCard as text',
      "client.cardForm.pay({ intentId: 'i', saveCard: 'true' })",
      'TypeError: saveCard must be true or false',
    ],
    [
      'no card data',
      "client.cardForm.createCardToken({ cardIntentId: 'i' })",
      'TypeError: cardData.id must be a string',
    ],
    [
      'no card form',
      "new Client({ type: 'payment', publicApiKey: 'k' }).cardForm.collect()",
      'TypeError: There is no card form yet',
    ],
  ])('says what to do instead of %s', async (_what, code, message) => {
    const service = await start()
    const { page } = await open(await startShop(service))
    await ready(page)
    await call(page, code)
    expect(await answer(page)).toContain(message)
  })

  it('can be taken away, and put back', async () => {
    const service = await start()
    const { page } = await open(await startShop(service))
    const frame = await ready(page)
    await fillIn(frame, CHALLENGED)
    const { id } = (await service.intent()).data
    await call(page, `client.cardForm.pay({ intentId: '${id}' })`)
    await frame.getByRole('button', { name: 'Pass the challenge' }).waitFor()
    await page.evaluate('client.cardForm.unmount()')
    expect(await answer(page)).toBe('Error: The card form was unmounted')
    await expect.poll(() => page.locator('iframe').count()).toBe(0)
    await page.evaluate("client.cardForm.mount(document.querySelector('#card'))")
    await fillIn(page.frameLocator('iframe'), CARD)
    await call(page, `client.cardForm.pay({ intentId: '${id}' })`)
    expect(await answer(page)).toMatchObject({ state: 'PROCESSED' })
  })

  it('is as high as what it shows, at 360 pixels too', async () => {
    const service = await start()
    const { page } = await open(await startShop(service), { viewport: { width: 360, height: 740 } })
    const frame = await ready(page)
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
