import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { status } from '../support/endpoint.js'
import { CARD, CARD_TOKENS, DECLINED, type Service } from '../support/service.js'
import { pay, Workbench } from '../support/workbench.js'

/** A customer with a saved card, which is charged under an agreement. */
async function subscription(service: Service, url: string) {
  const customer = await service.customer({
    first_name: 'Ada',
    last_name: 'Berger',
    email: 'ada@example.com',
  })
  const card = await service.savedCard(customer)
  const agreement = { recurring_data: { agreement_id: 'sub_2041' }, payment_type: 'UNSCHEDULED' }
  const fields = { customer, card_token: card, webhook_url: url, ...agreement }
  const intent = (await service.intent({ ...fields, custom_fields: { reference: 'Order 1001' } })).data.id
  await service.sandbox.idle()
  return { customer, card, intent }
}

describeInBrowser('The pages of what there is', (open) => {
  it('are all linked: from a delivery to its intent, customer, card, agreement and transaction', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open)
    const { card, intent } = await subscription(service, endpoint.url)
    await workbench.rows('Deliveries').first().getByRole('link').first().click()
    await page.getByRole('link', { name: intent }).click()
    await page.getByRole('heading', { level: 1, name: '10.00 EUR' }).waitFor()
    await page.getByText('"Order 1001"').waitFor()
    await page.getByRole('list', { name: 'What happened' }).getByText('Intent of 10.00 EUR created').waitFor()
    await page.getByRole('link', { name: 'Ada Berger' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada Berger' }).waitFor()
    await page.getByRole('table', { name: 'Saved cards' }).getByRole('link', { name: 'Visa 4242' }).click()
    await page.getByRole('heading', { level: 1, name: 'Visa 4242' }).waitFor()
    expect(workbench.address).toBe(`/cards/${card}/`)
    await page.goBack()
    await page.getByRole('table', { name: 'Agreements' }).getByRole('link', { name: 'sub_2041' }).click()
    await page.getByRole('heading', { level: 1, name: 'sub_2041' }).waitFor()
    await page.getByText('Agreement sub_2041 established at north').waitFor()
    await page.getByRole('link', { name: 'Charge of 10.00 EUR at north succeeded' }).click()
    await page.getByText('transaction.purchase.successful, attempt 1.').waitFor()
    expect(workbench.address).toMatch(/^\/transactions\//)
    await page.getByRole('link', { name: intent }).click()
    await page
      .getByRole('table', { name: 'Deliveries' })
      .getByRole('link', { name: 'intent.processed' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'intent.processed' }).waitFor()
  })

  it('have a list each, which can be searched and filtered by an address', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open)
    const { card } = await subscription(service, endpoint.url)
    await pay(service, endpoint.url, { amount: 1234.5 })
    const failed = (await service.intent()).data.id
    await service.pay(failed, { card: DECLINED })
    await service.customer()

    for (const [path, list, texts] of [
      ['/intents/', 'Intents', ['10.00 EUR', '1,234.50 EUR', '10.00 EUR']],
      ['/intents/?search=1%2C234', 'Intents', ['1,234.50 EUR']],
      ['/intents/?status=FAILED', 'Intents', ['The card was declined']],
      ['/intents/?is_live=true', 'Intents', []],
      ['/transactions/?status=SUCCESSFUL', 'Transactions', ['1,234.50 EUR', '10.00 EUR']],
      ['/customers/', 'Customers', ['Customer without a name', 'Ada Berger']],
      [`/customers/?search=ADA`, 'Customers', ['Visa 4242']],
      ['/cards/', 'Cards', [card]],
      ['/cards/?search=Visa', 'Cards', ['Ada Berger']],
      ['/cards/?view=intents', 'Card token intents', ['Ada Berger']],
      ['/agreements/', 'Agreements', ['sub_2041']],
      ['/agreements/?search=sub', 'Agreements', ['Ada Berger']],
    ] as const) {
      await workbench.go(path)
      const rows = workbench.rows(list)
      await expect.poll(() => rows.count(), { message: path }).toBe(texts.length)
      for (const [index, text] of texts.entries()) expect(await rows.nth(index).innerText()).toContain(text)
    }
    await workbench.go('/intents/?status=AWAITING_CVV')
    await page.getByText('Nothing in intents fits these filters.').waitFor()
    await workbench.button('Clear the filters').click()
    await expect.poll(() => workbench.rows('Intents').count()).toBe(3)
    expect(workbench.address).toBe('/intents/')
  })

  it('follow what happens: an intent as it is paid, and its retries', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open)
    endpoint.replyWith(status(500), status(204))
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await workbench.go(`/intents/${id}/`)
    await page.getByText('No provider was asked for this payment yet.').waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: 'Open the hosted form' }).getAttribute('href'))
      .toContain(id)
    await service.pay(id, { card: CARD })
    await page.getByText('transaction.purchase.successful, attempt 1.').waitFor()
    await page.getByText('transaction.purchase.successful, attempt 2.').waitFor()
    await page.getByText('processed', { exact: true }).waitFor()
  })

  it('show the intent to save a card, with what is left to do', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/cards/')
    const customer = await service.customer()
    const { id } = (await service.post(CARD_TOKENS, { customer })).data
    await workbench.button('Card token intents').click()
    await expect.poll(() => workbench.address).toBe('/cards/?view=intents')
    await workbench.rows('Card token intents').getByRole('link', { name: id }).click()
    await page.getByRole('heading', { level: 1, name: 'Card token intent' }).waitFor()
    await service.pay(id, { card: CARD })
    await page.getByText('Card saved: Visa that ends in 4242').waitFor()
    await workbench.go(`/intents/${id}/`)
    await page.getByRole('heading', { level: 1, name: 'Card token intent' }).waitFor()
  })

  it('are used by keyboard: search, go to a row, open it, go back', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open, '/intents/')
    await pay(service, endpoint.url, { amount: 25 })
    await pay(service, endpoint.url, { amount: 26 })
    await expect.poll(() => workbench.rows('Intents').count()).toBe(2)
    await page.keyboard.press('/')
    await page.keyboard.type('25.00')
    await expect.poll(() => workbench.rows('Intents').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: '25.00 EUR' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1, name: 'Intents' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('u')
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
  })

  it('say that an id does not exist', async () => {
    const { page, workbench } = await Workbench.open(open)
    for (const path of ['intents', 'transactions', 'customers', 'cards', 'agreements', 'requests']) {
      await workbench.go(`/${path}/none/`)
      await page
        .getByRole('alert')
        .getByText(/not found/i)
        .waitFor()
    }
    for (const problem of workbench.problems.splice(0)) expect(problem).toContain('404')
  })
})

describeInBrowser('The page of providers', (open) => {
  it('sets the fault of a provider, shows its counts, and what it covers', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open, '/providers/')
    const north = page.getByRole('region', { name: 'north' })
    await north.getByText('works', { exact: true }).waitFor()
    await subscription(service, endpoint.url)
    await north.getByRole('link', { name: 'sub_2041' }).waitFor()
    await page.getByLabel('Behavior of north').selectOption('down')
    await north.getByText('down', { exact: true }).waitFor()
    await expect
      .poll(async () => (await service.get('/_sandbox/overview/')).data['faults'])
      .toEqual({ providers: { north: 'down' } })
    await pay(service, endpoint.url)
    await expect.poll(() => north.getByRole('definition').allInnerTexts()).toContain('1')
    await page.getByLabel('Behavior of north').selectOption('')
    await north.getByText('works', { exact: true }).waitFor()
    expect((await service.get('/_sandbox/overview/')).data['faults']).toEqual({})
    await north.getByRole('link', { name: 'sub_2041' }).click()
    await page.getByRole('heading', { level: 1, name: 'sub_2041' }).waitFor()
    expect(workbench.address).toMatch(/^\/agreements\/acc_/)
  })
})
