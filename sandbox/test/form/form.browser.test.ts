import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeViolationsInBothThemes } from '../support/axe.js'
import { describeInBrowser } from '../support/browser.js'
import { fillIn, press, says, startPage } from '../support/form.js'
import {
  CARD,
  CARD_TOKENS,
  CHALLENGED,
  CHALLENGED_AND_DECLINED,
  CUSTOMERS,
  DECLINED,
  DECLINED_WHEN_SAVED,
  NEEDS_CVV,
  PUBLISHED_CARDS,
  Service,
} from '../support/service.js'

const PAY = 'Pay 10.00 EUR'

/** The browser's clock is real, so the sandbox's is, too. */
const start = () => Service.start({}, 'real time')

function digits(text: string): string {
  return text.replace(/\D/g, '')
}

/** How the browser draws the element of a selector. */
function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`)
}

/** Of a colour, such as rgb(27, 33, 43): its brightest part. */
function brightness(colour: string): number {
  return Math.max(...colour.match(/\d+/g)!.map(Number))
}

describeInBrowser('The hosted form in a browser', (open) => {
  it('says that 3DS failed, and takes another card', async () => {
    const service = await start()
    const { id, embed_url } = (await service.intent()).data
    const { page } = await open(embed_url!)
    await fillIn(page, CHALLENGED)
    await press(page, PAY)
    await press(page, 'Fail the challenge')
    await says(page, 'Declined')
    const text = await page.getByRole('status').textContent()
    expect(text).toContain('The challenge was not passed. Nothing was charged.')
    await expect.poll(() => page.getByLabel('Card number').inputValue()).toBe('')
    await fillIn(page, CHALLENGED)
    await press(page, PAY)
    await press(page, 'Use another card')
    await fillIn(page, CARD)
    await press(page, PAY)
    await says(page, 'Paid')
    const { transactions } = (await service.get(`/api/v1.4/payments/intent/${id}/`)).data
    expect(transactions.map(({ status }) => status)).toEqual(['FAILED', 'SUCCESSFUL'])
  })

  it.each([
    [false, 'Test mode: no money moves', 'Pay 10.00\u00a0EUR, test mode'],
    [true, 'Live mode of the sandbox: nothing is charged', 'Pay 10.00\u00a0EUR, live mode of the sandbox'],
  ])('says which mode an intent is of (live: %s)', async (isLive, mode, title) => {
    const service = await start()
    const { page } = await open((await service.intent({}, service.composite(isLive))).data.embed_url!)
    await page.getByText(mode, { exact: true }).waitFor()
    await expect.poll(() => page.title()).toBe(title)
    await expect.poll(() => page.getByText(/mode/).count()).toBe(1)
  })

  it.each([
    [{ amount: 10.5 }, 'Pay 10.50 EUR'],
    [{ amount: 1000, amount_currency: 'JPY' }, 'Pay 1,000 JPY'],
    [{ amount: 1.234, amount_currency: 'KWD' }, 'Pay 1.234 KWD'],
  ])('has the amount on its title and its button: %j', async (fields, text) => {
    const service = await start()
    const { page } = await open((await service.intent(fields)).data.embed_url!)
    await says(page, text)
    await expect.poll(() => page.getByRole('button', { name: text, exact: true }).count()).toBe(1)
  })

  it('leads back to the return_url of the merchant, which is called by its host', async () => {
    const service = await start()
    const custom_fields = { return_url: 'https://shop.example:8443/orders/7?paid=1' }
    const { page } = await open((await service.intent({ custom_fields })).data.embed_url!)
    const cancel = page.getByRole('link', { name: 'Cancel and return to shop.example:8443', exact: true })
    await cancel.waitFor()
    await fillIn(page, CARD)
    await press(page, PAY)
    await says(page, 'Paid')
    const back = page.getByRole('link', { name: 'Return to shop.example:8443', exact: true })
    await expect.poll(() => back.getAttribute('href')).toBe(custom_fields.return_url)
  })

  it('leads back to the site that linked to it, where the merchant names no return_url', async () => {
    const service = await start()
    const { embed_url } = (await service.intent()).data
    const shop = await startPage(`<a href="${embed_url!}">Pay</a>`)
    const { page } = await open(`${shop}cart/?step=3`)
    await page.getByRole('link', { name: 'Pay' }).click()
    const back = page.getByRole('link', { name: `Cancel and return to ${new URL(shop).host}` })
    await back.click()
    await page.waitForURL(shop)
    // Opened without a link, there is no way back that the form could know.
    await page.goto(embed_url!)
    await page.getByLabel('Card number').waitFor()
    await expect.poll(() => page.getByRole('link').count()).toBe(0)
  })

  it('has no way back to the site that shows it in a frame: the customer has not left it', async () => {
    const service = await start()
    const { embed_url } = (await service.intent()).data
    const { page } = await open(await startPage(`<iframe src="${embed_url!}" title="Payment"></iframe>`))
    const frame = page.frameLocator('iframe')
    await frame.getByLabel('Card number').waitFor()
    await expect.poll(() => frame.getByRole('link').count()).toBe(0)
  })

  it('says why a card was declined', async () => {
    const service = await start()
    const { page } = await open((await service.intent()).data.embed_url!)
    await fillIn(page, '4000 0000 0000 9995')
    await press(page, PAY)
    await says(page, 'Declined')
    await expect
      .poll(() => page.getByRole('status').textContent())
      .toContain('The card has insufficient funds')
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('result')
  })

  it('asks for the CVV of a saved card, and for no other card where the intent names it', async () => {
    const service = await start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer, { card: NEEDS_CVV })
    const { id, embed_url } = (await service.intent({ customer, card_token })).data
    const { page } = await open(embed_url!)
    await page.getByText('The security code of Visa ending in 0127').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Use another card' }).count()).toBe(0)
    const cvv = page.locator('#cvv-again')
    await cvv.fill('12')
    await press(page, PAY)
    await expect.poll(() => page.getByText('Enter three or four digits').count()).toBe(1)
    await expect.poll(() => cvv.getAttribute('aria-invalid')).toBe('true')
    expect((await service.get(`/api/v1.4/payments/intent/${id}/`)).data.status).toBe('AWAITING_CVV')
    await cvv.fill('123')
    await press(page, PAY)
    await says(page, 'Paid')
  })

  it('lets the customer choose between saved cards and another one', async () => {
    const service = await start()
    const customer = await service.customer()
    await service.savedCard(customer, { card: NEEDS_CVV })
    const { page } = await open((await service.intent({ customer })).data.embed_url!)
    await page.getByRole('radio', { name: 'Visa ending in 0127', checked: true }).waitFor()
    await press(page, PAY)
    await says(page, 'Enter the CVV again')
    await press(page, 'Use another card')
    await page.getByRole('radio', { name: 'Another card' }).check()
    await fillIn(page, '5555 5555 5555 4444')
    await press(page, PAY)
    await says(page, 'Paid')
  })

  it('pays only with the box ticked where it is mandatory', async () => {
    const service = await start()
    const customer = await service.customer()
    const intent = await service.intent({ customer, show_mandatory_save_card_checkbox: true })
    const { page } = await open(intent.data.embed_url!)
    await fillIn(page, CARD)
    await press(page, PAY)
    await page.getByText('Tick this box to pay').waitFor()
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('save-card-box')
    const { id } = intent.data
    expect((await service.get(`/api/v1.4/payments/intent/${id}/`)).data.status).toBe('CREATED')
    await page.getByLabel('Save this card').check()
    await press(page, PAY)
    await says(page, 'Paid')
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list).toHaveLength(1)
  })

  it('has no box where the card is saved anyway, or not at all', async () => {
    const service = await start()
    const customer = await service.customer()
    const { page } = await open((await service.intent({ customer, tokenize_card: true })).data.embed_url!)
    await page.getByText('This card will be saved for next time.').waitFor()
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
    await page.goto((await service.intent({ customer, allow_tokenize_card: true })).data.embed_url!)
    await page.getByLabel('Card number').waitFor()
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
    await expect.poll(() => page.getByText('This card will be saved for next time.').isVisible()).toBe(false)
  })

  it('keeps a card without a payment', async () => {
    const service = await start()
    const { data } = await service.post(CARD_TOKENS, { customer: await service.customer() })
    const { page } = await open(data.embed_url!)
    await fillIn(page, CARD)
    await press(page, 'Save the card')
    await says(page, 'Saved')
    await page.reload()
    await says(page, 'Already saved')
  })

  it('shows of a paid intent that it is paid, and nothing to pay with', async () => {
    const service = await start()
    const { id, embed_url } = (await service.intent()).data
    const { page } = await open(embed_url!)
    await page.getByLabel('Card number').waitFor()
    await service.pay(id)
    await page.reload()
    await says(page, 'Already paid')
    await expect.poll(() => page.locator('button:visible, input:visible').count()).toBe(0)
  })

  it('notices that it was paid in another window', async () => {
    const service = await start()
    const { id, embed_url } = (await service.intent()).data
    const { page, problems } = await open(embed_url!)
    await fillIn(page, CARD)
    await service.pay(id)
    await press(page, PAY)
    await says(page, 'Already paid')
    expect((await service.get(`/api/v1.4/payments/intent/${id}/`)).data.transactions).toHaveLength(1)
    // The browser itself takes every refusal down.
    expect(problems.splice(0)).toEqual([expect.stringContaining('409')])
  })

  it('says that there is no such payment, and that the service does not answer', async () => {
    const service = await start()
    const missing = await open(`${service.sandbox.url}/vault/form/int_none/`)
    await missing.page.getByText('There is no such payment.').waitFor()
    await expect.poll(() => missing.page.locator('button:visible').count()).toBe(0)
    for (const problem of missing.problems.splice(0)) expect(problem).toContain('404')

    const { page, problems } = await open((await service.intent()).data.embed_url!)
    await fillIn(page, CARD)
    await service.sandbox.close()
    await press(page, PAY)
    await page.getByText('The payment service did not answer. Try again.').waitFor()
    await expect.poll(() => page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242')
    expect(problems.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_REFUSED')])
  })

  it('shows an error next to each wrong field, and focuses the first', async () => {
    const service = await start()
    const { id, embed_url } = (await service.intent()).data
    const { page } = await open(embed_url!)
    await page.getByLabel('Card number').waitFor()
    const wrong = async () => {
      await press(page, PAY)
      return page.locator('#card-fields .error').allTextContents()
    }
    expect(await wrong()).toEqual([
      'Enter the card number',
      'Enter month and year, such as 12/34',
      'Enter three or four digits',
      'Enter the name on the card',
    ])
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('card')
    await fillIn(page, '4111 1111 1111 1111', { expiry: '1220', cvv: '12a', holder: ' ' })
    expect(await wrong()).toEqual([
      'This is not a test card number. Real cards are not accepted here',
      'This date is in the past',
      'Enter three or four digits',
      'Enter the name on the card',
    ])
    await expect.poll(() => page.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true')
    await expect
      .poll(() => page.getByLabel('Card number').getAttribute('aria-describedby'))
      .toBe('card-error')
    expect((await service.get(`/api/v1.4/payments/intent/${id}/`)).data.transactions).toEqual([])
  })

  it('lists every published number with what it does, and fills each in', async () => {
    const service = await start()
    const { page } = await open((await service.intent()).data.embed_url!)
    await page.getByRole('heading', { name: 'Test cards' }).waitFor()
    expect((await page.locator('.number').allTextContents()).map(digits)).toEqual(PUBLISHED_CARDS)
    for (const [index, number] of PUBLISHED_CARDS.entries()) {
      await page.locator('.test-cards button').nth(index).click()
      expect(digits(await page.getByLabel('Card number').inputValue())).toBe(number)
    }
    await page.getByRole('button', { name: 'Fill in 3782 822463 10005: Paid' }).click()
    await press(page, PAY)
    await says(page, 'Paid')
  })

  it.each([
    [CARD, 'Paid', ['Paid']],
    ['5555555555554444', 'Paid', ['Paid']],
    ['378282246310005', 'Paid', ['Paid']],
    [DECLINED, 'Declined', ['Declined']],
    ['4000000000009995', 'Declined: insufficient funds', ['Declined']],
    [DECLINED_WHEN_SAVED, 'Paid, and declined once it is saved', ['Paid']],
    [NEEDS_CVV, 'Asks for the CVV each time', ['Paid']],
    [CHALLENGED, '3-D Secure, then paid', ['3DS', 'Paid']],
    [CHALLENGED_AND_DECLINED, '3-D Secure, then declined', ['3DS', 'Declined']],
  ])('does with %s what the list says of it: %s', async (number, said, course) => {
    const service = await start()
    const { page } = await open((await service.intent()).data.embed_url!)
    await page.getByRole('heading', { name: 'Test cards' }).waitFor()
    const row = page.locator('li').nth(PUBLISHED_CARDS.indexOf(number))
    await expect.poll(() => row.locator('.hint').textContent()).toContain(`${said} (`)
    await row.getByRole('button').click()
    await press(page, PAY)
    if (course[0] === '3DS') await press(page, 'Pass the challenge')
    await says(page, course.at(-1)!)
  })

  it('works with the keyboard alone', async () => {
    const service = await start()
    const customer = await service.customer()
    await service.savedCard(customer)
    const { id, embed_url } = (await service.intent({ customer, show_save_card_checkbox: true })).data
    const { page } = await open(embed_url!)
    await page.getByRole('radio', { name: 'Visa ending in 4242', checked: true }).waitFor()
    const { keyboard } = page
    await keyboard.press('Tab')
    await keyboard.press('ArrowDown')
    for (const text of [CHALLENGED, '1234', '123', 'Jane Doe']) {
      await keyboard.press('Tab')
      await keyboard.type(text)
    }
    await expect.poll(() => page.getByLabel('Card number').inputValue()).toBe('4000 0000 0000 3220')
    await expect.poll(() => page.getByLabel('Expiry').inputValue()).toBe('12/34')
    await keyboard.press('Tab')
    await keyboard.press('Space')
    await keyboard.press('Tab')
    expect(await styleOf(page, ':focus', 'outlineStyle')).toBe('solid')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Pass the challenge' }).waitFor()
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await says(page, 'Paid')
    expect((await service.get(`/api/v1.4/payments/intent/${id}/`)).data.card_token).toMatch(/^tok_/)
  })

  it.each(['light', 'dark'] as const)(
    'fits 360 pixels, in %s colours that can be read',
    async (colorScheme) => {
      const service = await start()
      const customer = await service.customer()
      await service.savedCard(customer)
      const intent = await service.intent({
        customer,
        show_mandatory_save_card_checkbox: true,
        amount: 123456.78,
      })
      const viewport = { width: 360, height: 740 }
      const { page } = await open(intent.data.embed_url!, { viewport, colorScheme, reducedMotion: 'reduce' })
      await page.getByRole('radio', { name: 'Another card' }).check()
      await press(page, 'Pay 123,456.78 EUR')
      await page.getByText('Enter the card number').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      const title = (await page.locator('#title').boundingBox())!
      expect(title.height).toBeLessThan(40)
      const ground = brightness(await styleOf(page, 'main', 'backgroundColor'))
      const ink = brightness(await styleOf(page, 'main', 'color'))
      expect(colorScheme === 'light' ? ground > 200 && ink < 80 : ground < 80 && ink > 200).toBe(true)
      expect(await styleOf(page, '#pay-step .primary', 'transitionDuration')).toBe('0s')
    },
  )

  it.each([390, 1280])(
    'has no violation that axe finds, at any step, in either theme: %i pixels wide',
    async (width) => {
      const service = await start()
      const customer = await service.customer()
      await service.savedCard(customer, { card: NEEDS_CVV })
      const custom_fields = { return_url: 'https://shop.example/' }
      const intent = await service.intent({ customer, custom_fields, show_save_card_checkbox: true })
      const { page } = await open(intent.data.embed_url!, { viewport: { width, height: 800 } })
      await press(page, PAY)
      await says(page, 'Enter the CVV again')
      await press(page, PAY)
      expect(await axeViolationsInBothThemes(page)).toEqual([])
      await press(page, 'Use another card')
      await page.getByRole('radio', { name: 'Another card' }).check()
      await press(page, PAY)
      expect(await axeViolationsInBothThemes(page)).toEqual([])
      await fillIn(page, CHALLENGED)
      await press(page, PAY)
      await says(page, 'Confirm with your bank')
      expect(await axeViolationsInBothThemes(page)).toEqual([])
      await press(page, 'Fail the challenge')
      await says(page, 'Declined')
      expect(await axeViolationsInBothThemes(page)).toEqual([])
      await page.getByRole('radio', { name: 'Another card' }).check()
      await fillIn(page, CARD)
      await press(page, PAY)
      await says(page, 'Paid')
      expect(await axeViolationsInBothThemes(page)).toEqual([])
    },
  )

  it('sends a number to the vault alone, and keeps it nowhere', async () => {
    const service = await start()
    const { id, embed_url } = (await service.intent()).data
    const { page } = await open(embed_url!)
    const requests: { url: string; body: string | null }[] = []
    page.on('request', (request) => requests.push({ url: request.url(), body: request.postData() }))
    await fillIn(page, CHALLENGED, { cvv: '8642' })
    await press(page, PAY)
    await page.getByRole('button', { name: 'Pass the challenge' }).waitFor()
    // The browser asks for the page's icon when it likes.
    const sent = requests.filter(({ url, body }) => body !== null || !url.includes('/vault/assets/'))
    expect(sent.map(({ url }) => url)).toEqual([`${service.sandbox.url}/vault/form/${id}/pay/`])
    expect(sent[0]!.body).toContain(CHALLENGED)
    const kept: string = await page.evaluate(`(async () => JSON.stringify([
      location.href, document.cookie, localStorage, sessionStorage, history.state,
      await indexedDB.databases(), await caches.keys(),
      [...document.querySelectorAll('input')].map(({ value }) => value),
    ]))()`)
    expect(kept).toContain(embed_url!)
    // The address has a port and an id, which may have such digits by chance.
    expect(kept.replace(embed_url!, '')).not.toMatch(/3220|8642/)
  })
})
