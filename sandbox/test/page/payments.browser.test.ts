import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { CARD, CARD_TOKENS, CHALLENGED, CUSTOMERS, DECLINED, type Service } from '../support/service.js'
import { pay, Workbench } from '../support/workbench.js'

/** A customer with a saved card, which is charged under an agreement. */
async function subscription(service: Service, url: string) {
  const customer = await service.customer({ first_name: 'Ada', last_name: 'Berger' })
  const card = await service.savedCard(customer)
  const agreement = { recurring_data: { agreement_id: 'sub_2041' }, payment_type: 'UNSCHEDULED' }
  const fields = { customer, card_token: card, webhook_url: url, ...agreement }
  const intent = (await service.intent({ ...fields, custom_fields: { reference: 'Order 1001' } })).data.id
  await service.sandbox.idle()
  return { customer, card, intent }
}

describeInBrowser('The page of payments', (open) => {
  it('links what belongs together: delivery, intent, customer, card, agreement and transaction', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open, '/deliveries/')
    const { card, intent } = await subscription(service, endpoint.url)
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    await workbench.rows('Deliveries').first().getByRole('link').first().click()
    await page.getByRole('link', { name: intent }).click()
    await heading('10.00 EUR')
    await page.getByText('"Order 1001"').waitFor()
    await page.getByRole('link', { name: 'Ada Berger' }).click()
    await heading('Ada Berger')
    await page.getByRole('link', { name: 'card tokens' }).click()
    await workbench.rows('Cards').getByRole('link', { name: 'Visa 4242' }).click()
    await heading('Visa 4242')
    expect(workbench.address).toBe(`/payments/card-tokens/${card}/`)
    await page.getByRole('link', { name: 'agreements', exact: true }).click()
    await workbench.rows('Agreements').getByRole('link', { name: 'sub_2041' }).click()
    await heading('sub_2041')
    await page.getByRole('link', { name: 'intents', exact: true }).click()
    await workbench.rows('Intents').getByRole('link', { name: '10.00 EUR' }).click()
    const history = page.getByRole('list', { name: 'What happened' })
    await history.getByText('Agreement sub_2041 established at north').waitFor()
    await history.getByRole('link', { name: 'Charge of 10.00 EUR at north succeeded' }).click()
    await page.getByText('Provider', { exact: true }).waitFor()
    expect(workbench.address).toMatch(/^\/payments\/transactions\//)
    await page.getByRole('link', { name: intent }).click()
    await history.getByRole('link', { name: 'intent.processed, attempt 1.' }).click()
    await heading('intent.processed')
  })

  it('has a list for each kind, which can be searched and filtered by an address', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open, '/payments/')
    await expect.poll(() => workbench.address).toBe('/payments/intents/')
    await subscription(service, endpoint.url)
    await pay(service, endpoint.url, { amount: 1234.5 })
    await service.pay((await service.intent()).data.id, { card: DECLINED })
    await service.customer()
    for (const [path, list, texts] of [
      ['intents/', 'Intents', ['10.00 EUR', '1,234.50 EUR', '10.00 EUR']],
      ['intents/?search=1%2C234', 'Intents', ['1,234.50 EUR']],
      ['intents/?status=FAILED', 'Intents', ['The card was declined']],
      ['intents/?is_live=true', 'Intents', []],
      ['transactions/?status=SUCCESSFUL', 'Transactions', ['1,234.50 EUR', '10.00 EUR']],
      ['customers/', 'Customers', ['Customer without a name', 'Ada Berger']],
      ['customers/?search=ADA', 'Customers', ['Ada Berger']],
      ['card-tokens/?search=Visa', 'Cards', ['Ada Berger']],
      ['card-token-intents/', 'Card token intents', ['Ada Berger']],
      ['agreements/?search=sub', 'Agreements', ['Ada Berger']],
    ] as const) {
      await workbench.go(`/payments/${path}`)
      const rows = workbench.rows(list)
      await expect.poll(() => rows.count(), { message: path }).toBe(texts.length)
      for (const [index, text] of texts.entries()) expect(await rows.nth(index).innerText()).toContain(text)
    }
    await workbench.go('/payments/intents/?is_live=true')
    await workbench.button('Clear the filters').click()
    await expect.poll(() => workbench.rows('Intents').count()).toBe(3)
    expect(workbench.address).toBe('/payments/intents/')
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Customers' }).click()
    await expect.poll(() => workbench.rows('Customers').count()).toBe(2)
  })

  it('shows a hundred rows, and more of them if that is wished', async () => {
    const { service, workbench, page } = await Workbench.open(open, '/payments/intents/')
    for (let count = 0; count < 103; count++) await service.intent({ amount: count + 1 })
    const rows = workbench.rows('Intents')
    await expect.poll(() => rows.first().innerText()).toContain('103.00 EUR')
    await page.getByText('The newest 100 of 103.').waitFor()
    await workbench.button('Show more').click()
    await expect.poll(() => rows.count()).toBe(103)
    expect(workbench.address).toBe('/payments/intents/?limit=200')
  })

  it('shows the intent to save a card, also at the address that its events have', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open)
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer, webhook_url: endpoint.url })).data
    await workbench.go(`/payments/card-token-intents/${id}/`)
    await service.pay(id, { card: CARD })
    await page.getByText('processed', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'deliveries', exact: true }).click()
    await workbench.rows('Deliveries').getByRole('link', { name: 'card_token.created' }).click()
    await page.getByRole('link', { name: id }).click()
    await page.getByRole('heading', { level: 1, name: id }).waitFor()
  })

  it('says that an id does not exist', async () => {
    const { page, workbench } = await Workbench.open(open)
    for (const path of ['payments/intents', 'payments/agreements', 'settings/requests', 'deliveries']) {
      await workbench.go(`/${path}/none/`)
      await page
        .getByRole('alert')
        .getByText(/not found/i)
        .waitFor()
    }
    await page.getByRole('link', { name: 'Go to the list' }).click()
    await expect.poll(() => workbench.address).toBe('/deliveries/')
    // The browser writes every answer that is an error to the console.
    for (const problem of workbench.problems.splice(0)) expect(problem).toContain('404')
  })
})

describeInBrowser('The page of a test payment', (open) => {
  it('saves the card of a new customer, and charges it again under an agreement', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/payments/new/')
    await expect.poll(() => page.getByLabel('Save the card').count()).toBe(0)
    await page.getByLabel('Customer').selectOption('new')
    await page.getByLabel('Save the card').check()
    await workbench.button('Pay').click()
    await page.getByText('Card saved: Visa that ends in 4242').waitFor()
    const [customer] = (await service.get('/_sandbox/newest/customers/')).list
    const [card] = (await service.get(`${CUSTOMERS}${customer!.id}/cards/`)).list

    await workbench.go(`/payments/card-tokens/${card!.id}/`)
    await page.getByRole('link', { name: 'Charge it' }).click()
    await expect.poll(() => page.getByLabel('Card', { exact: true }).inputValue()).toBe(card!.id)
    await page.getByText('Provider, agreement, account, reference').click()
    await page.getByLabel('Agreement id').fill('sub_2041')
    await page.getByLabel('Reference').fill('Order 1001')
    await workbench.button('Pay').click()
    await page.getByText('Agreement sub_2041 established at north').waitFor()
    const [second] = (await service.get('/_sandbox/newest/intents/')).list
    expect(second).toMatchObject({ card_token: card!.id, custom_fields: { reference: 'Order 1001' } })
  })

  it('leads to the hosted form for a step of the customer', async () => {
    const { page, workbench } = await Workbench.open(open, '/payments/new/')
    await page.getByLabel('Card', { exact: true }).selectOption(CHALLENGED)
    await workbench.button('Pay').click()
    const form = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Open the hosted form' }).click()
    await (await form).getByRole('button', { name: 'Pass the challenge' }).click()
    await page.getByText('Charge of 10.50 EUR at north succeeded').waitFor()
  })

  it('makes an intent alone, in live mode, for another account, in another currency', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/payments/new/')
    const account = await service.account('Shop in Lisbon')
    await page.getByLabel('Amount').fill('1,234')
    await page.getByLabel('Currency').fill('KWD')
    await page.getByLabel('Mode').selectOption('true')
    await page.getByText('Provider, agreement, account, reference').click()
    await page.getByLabel('Account').selectOption('Shop in Lisbon')
    await workbench.button('Create it only').click()
    await page.getByRole('heading', { level: 1, name: '1.234 KWD' }).waitFor()
    const [intent] = (await service.get('/_sandbox/newest/intents/')).list
    expect(intent).toMatchObject({ is_live: true, account: account.id, status: 'CREATED' })
    const form = page.getByRole('link', { name: 'Open the hosted form' })
    expect(await form.getAttribute('href')).toBe(intent!.embed_url)
  })

  it('shows what the sandbox refuses next to the field: an amount, a currency, an address', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/payments/new/')
    for (const [label, wrong, right, problem] of [
      ['Amount', '10.555', '10.5', /^This must have at most 2 decimals/],
      ['Currency', 'XXX', 'EUR', /^This must be/],
      ['Webhook URL', 'ftp://localhost', '', /^This must be an address with http: or https:/],
    ] as const) {
      const field = page.getByLabel(label)
      await field.fill(wrong)
      await workbench.button('Pay').click()
      await page.getByText(problem).waitFor()
      expect(await field.getAttribute('aria-describedby')).toBe(
        await page.getByText(problem).getAttribute('id'),
      )
      await expect
        .poll(() => field.evaluate('document.activeElement.name'))
        .toBe(await field.getAttribute('name'))
      await field.fill(right)
      await expect.poll(() => page.getByText(problem).count()).toBe(0)
    }
    expect((await service.get('/_sandbox/newest/intents/')).list).toEqual([])
    for (const { id } of (await service.state())['keys']!) await service.post(`/_sandbox/keys/${id}/revoke/`)
    await workbench.button('Pay').click()
    await page.getByText('There is no test key that is not revoked.').waitFor()
    expect(workbench.problems.splice(0)).toHaveLength(3)
  })
})
