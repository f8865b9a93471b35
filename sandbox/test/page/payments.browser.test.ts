import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { CHALLENGED, CUSTOMERS, DECLINED, NEEDS_CVV } from '../support/service.js'
import { Workbench } from '../support/workbench.js'

/** What is shown of the payment that was made last. */
function outcome(page: Page) {
  return page.getByRole('list', { name: 'What happened' })
}

describeInBrowser('The page of a test payment', (open) => {
  it('makes and pays a payment by one press, and shows what comes of it', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open, '/payments/')
    await page.getByLabel('Webhook URL').fill(endpoint.url)
    await workbench.button('Pay 10.50 EUR').click()
    await outcome(page).getByText('Charge of 10.50 EUR at north succeeded').waitFor()
    const deliveries = page.getByRole('table', { name: 'Deliveries' })
    await expect.poll(() => deliveries.getByText('delivered', { exact: true }).count()).toBe(2)
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    await page.getByRole('link', { name: 'Open the intent' }).click()
    await page.getByRole('heading', { level: 1, name: '10.50 EUR' }).waitFor()
    const [intent] = (await service.get('/_sandbox/newest/intents/')).list
    expect(workbench.address).toBe(`/intents/${intent!.id}/`)
    // The address is remembered for the next payment.
    await workbench.go('/payments/')
    await expect.poll(() => page.getByLabel('Webhook URL').inputValue()).toBe(endpoint.url)
  })

  it('pays by keyboard alone', async () => {
    const { page } = await Workbench.open(open, '/payments/')
    await page.getByLabel('Amount').focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('25')
    await page.keyboard.press('Tab')
    await page.keyboard.type('USD')
    await page.keyboard.press('Tab')
    for (let count = 0; count < 3; count++) await page.keyboard.press('ArrowDown')
    await page.getByRole('button', { name: 'Pay 25.00 USD' }).press('Enter')
    await outcome(page).getByText('Charge of 25.00 USD at north failed: The card was declined').waitFor()
  })

  it('knows the decimals of each currency', async () => {
    const { page, workbench } = await Workbench.open(open, '/payments/')
    const amount = page.getByLabel('Amount')
    await amount.fill('10.5')
    await page.getByLabel('Currency').selectOption('JPY')
    await expect.poll(() => amount.inputValue()).toMatch(/^1[01]$/)
    await amount.fill('10.5')
    await page.getByText('JPY has no decimals.').waitFor()
    await expect.poll(() => workbench.button('Pay').isDisabled()).toBe(true)
    await page.getByLabel('Currency').selectOption('KWD')
    await amount.fill('1.2345')
    await page.getByText('KWD has 3 decimals.').waitFor()
    for (const [text, problem] of [
      ['', 'Enter an amount, such as 10.50.'],
      ['ten', 'Enter an amount, such as 10.50.'],
      ['-1', 'The amount must be above 0.'],
    ] as const) {
      await amount.fill(text)
      await page.getByText(problem).waitFor()
    }
    await amount.fill('1,234')
    await workbench.button('Pay 1.234 KWD').click()
    await outcome(page).getByText('Charge of 1.234 KWD at north succeeded').waitFor()
  })

  it('saves the card of a new customer, and charges it again without and with an agreement', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/payments/')
    await expect.poll(() => page.getByLabel('Save the card').count()).toBe(0)
    await page.getByLabel('Customer').selectOption('new')
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Berger')
    await page.getByLabel('Save the card').check()
    await workbench.button('Pay 10.50 EUR').click()
    await outcome(page).getByText('Card saved: Visa that ends in 4242').waitFor()
    const [customer] = (await service.get('/_sandbox/newest/customers/')).list
    expect(customer).toMatchObject({ first_name: 'Ada', last_name: 'Berger' })
    const [card] = (await service.get(`${CUSTOMERS}${customer!.id}/cards/`)).list

    await workbench.go(`/payments/?customer=${customer!.id}&card=${card!.id}`)
    await expect.poll(() => page.getByLabel('Card', { exact: true }).inputValue()).toBe(card!.id)
    await expect.poll(() => page.getByLabel('Save the card').count()).toBe(0)
    await page.getByText('Provider, agreement, account, reference').click()
    await page.getByLabel('Agreement id').fill('sub_2041')
    await page.getByLabel('Reference').fill('Order 1001')
    await workbench.button('Pay 10.50 EUR').click()
    await outcome(page).getByText('Agreement sub_2041 established at north').waitFor()
    await page.getByLabel('Initiated by the merchant').check()
    await workbench.button('Pay 10.50 EUR').click()
    await expect
      .poll(async () => (await service.get('/_sandbox/newest/intents/')).list[0]!['merchant_initiated'])
      .toBe(true)
    const [second] = (await service.get('/_sandbox/newest/intents/')).list
    expect(second).toMatchObject({
      status: 'PROCESSED',
      agreement_id: 'sub_2041',
      card_token: card!.id,
      custom_fields: { reference: 'Order 1001' },
    })
  })

  it.each([
    ['Pass the challenge', 'succeeded'],
    ['Fail the challenge', 'failed: The challenge was not passed'],
  ])('asks for 3-D Secure: %s', async (button, result) => {
    const { page, workbench } = await Workbench.open(open, '/payments/')
    await page.getByLabel('Card', { exact: true }).selectOption(CHALLENGED)
    await workbench.button('Pay 10.50 EUR').click()
    await workbench.button(button).click()
    await outcome(page).getByText(`Charge of 10.50 EUR at north ${result}`).waitFor()
    await expect
      .poll(() => page.getByRole('heading', { name: 'The bank asks for 3-D Secure' }).count())
      .toBe(0)
  })

  it('asks for the CVV where the card needs it', async () => {
    const { page, workbench } = await Workbench.open(open, '/payments/')
    await page.getByLabel('Card', { exact: true }).selectOption(NEEDS_CVV)
    await workbench.button('Pay 10.50 EUR').click()
    await workbench.button('Enter 123').click()
    await outcome(page).getByText('Charge of 10.50 EUR at north succeeded').waitFor()
  })

  it('makes an intent alone, and leads to its hosted form', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/payments/')
    await workbench.button('Create it only').click()
    const address = await page.getByRole('link', { name: 'hosted form' }).getAttribute('href')
    const [intent] = (await service.get('/_sandbox/newest/intents/')).list
    expect(address).toBe(intent!.embed_url)
    expect(intent!.status).toBe('CREATED')
  })

  it('pays in live mode, for another account, at a provider', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/payments/')
    const account = (await service.post('/_sandbox/accounts/', { name: 'Shop in Lisbon' })).data
    await page.getByRole('radio', { name: 'Live' }).check({ force: true })
    await page.getByText('Provider, agreement, account, reference').click()
    await page.getByLabel('Account').selectOption('Shop in Lisbon')
    await page.getByLabel('Provider').selectOption('south')
    await workbench.button('Pay 10.50 EUR').click()
    await outcome(page).getByText('Charge of 10.50 EUR at south succeeded').waitFor()
    const [intent] = (await service.get('/_sandbox/newest/intents/')).list
    expect(intent).toMatchObject({ is_live: true, account: account.id })
  })

  it('says what is wrong: a declined card, an address that events cannot be sent to, a key that is missing', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/payments/')
    await page.getByLabel('Card', { exact: true }).selectOption(DECLINED)
    await workbench.button('Pay 10.50 EUR').click()
    await page.getByText('The card was declined.', { exact: true }).waitFor()
    await page.getByLabel('Webhook URL').fill('ftp://localhost')
    await workbench.button('Pay 10.50 EUR').click()
    const address = page.getByLabel('Webhook URL')
    const problem = page.getByText('This must be an address with http: or https:.')
    await problem.waitFor()
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true')
    expect(await address.getAttribute('aria-describedby')).toBe(await problem.getAttribute('id'))
    await expect.poll(() => workbench.focused.getAttribute('name')).toBe('webhook_url')
    expect(workbench.problems.splice(0)).toEqual([expect.stringContaining('400')])
    // An address that was refused is not offered again.
    const other = await Workbench.at(open, service, '/payments/')
    await expect.poll(() => other.page.getByLabel('Webhook URL').inputValue()).toBe('')
    await address.fill('')
    await expect.poll(() => problem.count()).toBe(0)
    const { keys } = await service.state()
    await service.post('/_sandbox/keys/revoke/', { ids: keys!.map(({ id }) => id) })
    await workbench.button('Pay 10.50 EUR').click()
    await page.getByText(/This account has no test key that is not revoked/).waitFor()
  })
})
