import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeViolationsInBothThemes } from '../support/axe.js'
import { describeInBrowser } from '../support/browser.js'
import { fillIn, press, says } from '../support/form.js'
import {
  CARD,
  CARD_TOKENS,
  CHALLENGED,
  CHALLENGED_AND_DECLINED,
  CUSTOMERS,
  DECLINED,
  DECLINED_WHEN_SAVED,
  INTENTS,
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

async function expectFocus(page: Page, id: string) {
  await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe(id)
}

describeInBrowser('The hosted form in a browser', (open) => {
  /** The form of an intent, of a new customer if `saved` names a card of it. */
  async function openForm(
    options: {
      readonly fields?: object
      readonly isLive?: boolean
      readonly saved?: string
      readonly context?: Parameters<typeof open>[1]
    } = {},
  ) {
    const { fields = {}, isLive = false, saved, context } = options
    const service = await start()
    const key = service.composite(isLive)
    const customer = await service.customer({}, key)
    const card_token = saved && (await service.savedCard(customer, { card: saved, key }))
    const intent = async (more: object = {}) =>
      (await service.intent({ customer, ...fields, ...more }, key)).data
    const { id, embed_url } = await intent()
    const details = async () => (await service.get(`${INTENTS}${id}/`, key)).data
    const visit = await open(embed_url!, context)
    return { ...visit, service, customer, card_token, intent, id, url: embed_url!, details }
  }

  it('says why a card was declined or 3DS failed, and takes another card', async () => {
    const { page, details } = await openForm()
    for (const [card, reason] of [
      ['4000 0000 0000 9995', 'The card has insufficient funds'],
      [CHALLENGED, 'The challenge was not passed. Nothing was charged.'],
    ] as const) {
      await fillIn(page, card)
      await press(page, PAY)
      if (card === CHALLENGED) await press(page, 'Fail the challenge')
      await says(page, 'Declined')
      await expect.poll(() => page.getByRole('status').textContent()).toContain(reason)
      await expectFocus(page, 'result')
      await expect.poll(() => page.getByLabel('Card number').inputValue()).toBe('')
    }
    await fillIn(page, CHALLENGED)
    await press(page, PAY)
    await press(page, 'Use another card')
    await fillIn(page, CARD)
    await press(page, PAY)
    await says(page, 'Paid')
    const statuses = (await details()).transactions.map(({ status }) => status)
    expect(statuses).toEqual(['FAILED', 'FAILED', 'SUCCESSFUL'])
  })

  it.each([
    [10.5, 'EUR', '10.50', false, 'Test mode: no money moves'],
    [1000, 'JPY', '1,000', false, 'Test mode: no money moves'],
    [1.234, 'KWD', '1.234', true, 'Live mode of the sandbox: nothing is charged'],
  ])('says the amount of %d %s as %s, and the mode (live: %s)', async (...given) => {
    const [amount, amount_currency, shown, isLive, mode] = given
    const { page } = await openForm({ fields: { amount, amount_currency }, isLive })
    await says(page, `Pay ${shown} ${amount_currency}`)
    const button = page.getByRole('button', { name: `Pay ${shown} ${amount_currency}`, exact: true })
    await expect.poll(() => button.count()).toBe(1)
    await expect.poll(() => page.getByText(/mode/).allInnerTexts()).toEqual([mode])
    const title = `Pay ${shown}\u00a0${amount_currency}, ${isLive ? 'live mode of the sandbox' : 'test mode'}`
    await expect.poll(() => page.title()).toBe(title)
  })

  it('leads back to the return_url of the merchant, which is called by its host', async () => {
    const custom_fields = { return_url: 'https://shop.example:8443/orders/7?paid=1' }
    const { page } = await openForm({ fields: { custom_fields } })
    await page.getByRole('link', { name: 'Cancel and return to shop.example:8443', exact: true }).waitFor()
    await fillIn(page, CARD)
    await press(page, PAY)
    await says(page, 'Paid')
    const back = page.getByRole('link', { name: 'Return to shop.example:8443', exact: true })
    await expect.poll(() => back.getAttribute('href')).toBe(custom_fields.return_url)
  })

  it('asks for the CVV of a saved card, and for no other card where the intent names it', async () => {
    const { page, customer, service, card_token } = await openForm({ saved: NEEDS_CVV })
    const { id, embed_url } = (await service.intent({ customer, card_token })).data
    await page.goto(embed_url!)
    await page.getByText('The security code of Visa ending in 0127').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Use another card' }).count()).toBe(0)
    const cvv = page.locator('#cvv-again')
    await cvv.fill('12')
    await press(page, PAY)
    await expect.poll(() => page.getByText('Enter three or four digits').count()).toBe(1)
    await expect.poll(() => cvv.getAttribute('aria-invalid')).toBe('true')
    expect((await service.get(`${INTENTS}${id}/`)).data.status).toBe('AWAITING_CVV')
    await cvv.fill('123')
    await press(page, PAY)
    await says(page, 'Paid')
  })

  it('pays only with the box ticked where it is mandatory', async () => {
    const fields = { show_mandatory_save_card_checkbox: true }
    const { page, service, customer, details } = await openForm({ fields })
    await fillIn(page, CARD)
    await press(page, PAY)
    await page.getByText('Tick this box to pay').waitFor()
    await expectFocus(page, 'save-card-box')
    expect((await details()).status).toBe('CREATED')
    await page.getByLabel('Save this card').check()
    await press(page, PAY)
    await says(page, 'Paid')
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list).toHaveLength(1)
  })

  it('has no box where the card is saved anyway, or not at all', async () => {
    const { page, intent } = await openForm({ fields: { tokenize_card: true } })
    await page.getByText('This card will be saved for next time.').waitFor()
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
    await page.goto((await intent({ tokenize_card: false, allow_tokenize_card: true })).embed_url!)
    await page.getByLabel('Card number').waitFor()
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
    await expect.poll(() => page.getByText('This card will be saved for next time.').isVisible()).toBe(false)
  })

  it('saves a card without a payment', async () => {
    const service = await start()
    const { data } = await service.post(CARD_TOKENS, { customer: await service.customer() })
    const { page } = await open(data.embed_url!)
    await fillIn(page, CARD)
    await press(page, 'Save the card')
    await says(page, 'Saved')
    await page.reload()
    await says(page, 'Already saved')
  })

  it('notices that it was paid in another window, and then has nothing to pay with', async () => {
    const { page, problems, service, id, details } = await openForm()
    await fillIn(page, CARD)
    await service.pay(id)
    await press(page, PAY)
    await says(page, 'Already paid')
    expect((await details()).transactions).toHaveLength(1)
    // The browser itself notes every refusal.
    expect(problems.splice(0)).toEqual([expect.stringContaining('409')])
    await page.reload()
    await says(page, 'Already paid')
    await expect.poll(() => page.locator('button:visible, input:visible').count()).toBe(0)
  })

  it('says that there is no such payment, and that the service does not answer', async () => {
    const { page, problems, service } = await openForm()
    const missing = await open(`${service.sandbox.url}/vault/form/int_none/`)
    await missing.page.getByText('There is no such payment.').waitFor()
    await expect.poll(() => missing.page.locator('button:visible').count()).toBe(0)
    for (const problem of missing.problems.splice(0)) expect(problem).toContain('404')
    await fillIn(page, CARD)
    await service.sandbox.close()
    await press(page, PAY)
    await page.getByText('The payment service did not answer. Try again.').waitFor()
    await expect.poll(() => page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242')
    expect(problems.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_REFUSED')])
  })

  it('shows an error next to each wrong field, and focuses the first', async () => {
    const { page, details } = await openForm()
    const number = page.getByLabel('Card number')
    await number.waitFor()
    const wrong = async () => {
      await press(page, PAY)
      return page.locator('#card-fields .error').allTextContents()
    }
    const [cvv, holder] = ['Enter three or four digits', 'Enter the name on the card']
    const expiry = 'Enter month and year, such as 12/34'
    expect(await wrong()).toEqual(['Enter the card number', expiry, cvv, holder])
    await expectFocus(page, 'card')
    await fillIn(page, '4111 1111 1111 1111', { expiry: '1220', cvv: '12a', holder: ' ' })
    const noTest = 'This is not a test card number. Real cards are not accepted here'
    expect(await wrong()).toEqual([noTest, 'This date is in the past', cvv, holder])
    await expect.poll(() => number.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => number.getAttribute('aria-describedby')).toBe('card-error')
    expect((await details()).transactions).toEqual([])
  })

  it('lists every published number, fills each in, and does with it what the list says', async () => {
    const { page, intent } = await openForm()
    const list = page.locator('.test-cards')
    await page.getByRole('heading', { name: 'Test cards' }).waitFor()
    expect((await page.locator('.number').allTextContents()).map(digits)).toEqual(PUBLISHED_CARDS)
    for (const [number, said, ...course] of [
      [CARD, 'Paid', 'Paid'],
      ['5555555555554444', 'Paid', 'Paid'],
      ['378282246310005', 'Paid', 'Paid'],
      [DECLINED, 'Declined', 'Declined'],
      ['4000000000009995', 'Declined: insufficient funds', 'Declined'],
      [DECLINED_WHEN_SAVED, 'Paid, and declined once it is saved', 'Paid'],
      [NEEDS_CVV, 'Asks for the CVV each time', 'Paid'],
      [CHALLENGED, '3-D Secure, then paid', '3DS', 'Paid'],
      [CHALLENGED_AND_DECLINED, '3-D Secure, then declined', '3DS', 'Declined'],
    ] as const) {
      await page.goto((await intent()).embed_url!)
      const row = list.locator('li').nth(PUBLISHED_CARDS.indexOf(number))
      await expect.poll(() => row.locator('.hint').textContent()).toContain(`${said} (`)
      await row.getByRole('button', { name: `: ${said}` }).click()
      expect(digits(await page.getByLabel('Card number').inputValue())).toBe(number)
      await press(page, PAY)
      if (course[0] === '3DS') await press(page, 'Pass the challenge')
      await says(page, course.at(-1)!)
    }
  })

  it('works with the keyboard alone', async () => {
    const fields = { show_save_card_checkbox: true }
    const { page, details } = await openForm({ saved: CARD, fields })
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
    for (const key of ['Tab', 'Space', 'Tab']) await keyboard.press(key)
    expect(await styleOf(page, ':focus', 'outlineStyle')).toBe('solid')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Pass the challenge' }).waitFor()
    for (const key of ['Tab', 'Enter']) await keyboard.press(key)
    await says(page, 'Paid')
    expect((await details()).card_token).toMatch(/^tok_/)
  })

  it.each([360, 1280])(
    'has no violation that axe finds, at any step, in either theme, and fits: %i pixels wide',
    async (width) => {
      const custom_fields = { return_url: 'https://shop.example/' }
      const { page } = await openForm({
        saved: NEEDS_CVV,
        fields: { custom_fields, show_save_card_checkbox: true },
        context: { viewport: { width, height: 800 } },
      })
      const otherCard = () => page.getByRole('radio', { name: 'Another card' }).check()
      const payWith = (card: string) => fillIn(page, card).then(() => press(page, PAY))
      for (const [step, heading] of [
        [() => press(page, PAY), 'Enter the CVV again'],
        [() => press(page, PAY), 'Enter the CVV again'],
        [() => press(page, 'Use another card').then(otherCard), 'Test cards'],
        [() => press(page, PAY), 'Test cards'],
        [() => payWith(CHALLENGED), 'Confirm with your bank'],
        [() => press(page, 'Fail the challenge'), 'Declined'],
        [() => otherCard().then(() => payWith(CARD)), 'Paid'],
      ] as const) {
        await step()
        await says(page, heading)
        expect(await axeViolationsInBothThemes(page)).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      }
      // The dark one, without motion.
      expect(await styleOf(page, 'main', 'backgroundColor')).toMatch(/^rgb\((?:\d\d?(?:, )?){3}\)$/)
      expect(await styleOf(page, '#pay-step .primary', 'transitionDuration')).toBe('0s')
    },
  )

  it('sends a number to the vault alone, and stores it nowhere', async () => {
    const { page, service, id, url: embedUrl } = await openForm()
    const requests: { url: string; body: string | null }[] = []
    page.on('request', (request) => requests.push({ url: request.url(), body: request.postData() }))
    await fillIn(page, CHALLENGED, { cvv: '8642' })
    await press(page, PAY)
    await page.getByRole('button', { name: 'Pass the challenge' }).waitFor()
    // The browser asks for the page's icon when it likes.
    const sent = requests.filter(({ url, body }) => body !== null || !url.includes('/vault/assets/'))
    expect(sent.map(({ url }) => url)).toEqual([`${service.sandbox.url}/vault/form/${id}/pay/`])
    expect(sent[0]!.body).toContain(CHALLENGED)
    const stored: string = await page.evaluate(`(async () => JSON.stringify([
      location.href, document.cookie, localStorage, sessionStorage, history.state,
      await indexedDB.databases(), await caches.keys(),
      [...document.querySelectorAll('input')].map(({ value }) => value),
    ]))()`)
    expect(stored).toContain(embedUrl)
    // The address has a port and an id, which may have such digits by chance.
    expect(stored.replace(embedUrl, '')).not.toMatch(/3220|8642/)
  })
})
