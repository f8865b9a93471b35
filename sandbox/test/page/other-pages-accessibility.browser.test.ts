import { expect, it } from 'vitest'
import { axeViolations, axeViolationsInBothThemes } from '../support/axe.js'
import { describeInBrowser } from '../support/browser.js'
import { Endpoint, status } from '../support/endpoint.js'
import { CARD_TOKENS, DECLINED, INTENTS, Service } from '../support/service.js'
import { deliveryIds, pay, Workbench } from '../support/workbench.js'

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** A sandbox in which there is something to see on every page: each page, and what is seen there. */
async function filled() {
  const service = await Service.start({}, 'real time')
  const endpoint = await Endpoint.start()
  endpoint.replyWith(status(500), status(204))
  const customer = await service.customer({ first_name: 'Ada', custom_fields: { plan: 'team' } })
  const card = await service.savedCard(customer)
  const { id: cardIntent } = (await service.post(CARD_TOKENS, { customer })).data
  const agreement = { recurring_data: { agreement_id: 'sub_2041' }, payment_type: 'UNSCHEDULED' }
  await service.intent({ customer, card_token: card, webhook_url: endpoint.url, ...agreement })
  const intent = await pay(service, endpoint.url, { custom_fields: { reference: 'Order 1001' } })
  await service.pay((await service.intent()).data.id, { card: DECLINED })
  await service.post(INTENTS, { amount: '10' })
  const [delivery] = await deliveryIds(service)
  await service.post(`/_sandbox/deliveries/${delivery!}/resend/`, { tamper: true })
  const [transaction] = (await service.get('/_sandbox/newest/transactions/')).list
  const [agreed] = (await service.get('/_sandbox/newest/agreements/')).list
  const [request] = (await service.get('/_sandbox/requests/?status=400')).list
  const pages = [
    ['/payments/', 'What happens'],
    ['/intents/', '10.00 EUR'],
    ['/intents/?status=AWAITING_CVV', 'Nothing in intents fits these filters.'],
    [`/intents/${intent}/`, '"Order 1001"'],
    [`/intents/${cardIntent}/`, 'No event was sent'],
    ['/transactions/', 'successful'],
    [`/transactions/${transaction!.id}/`, 'What happened'],
    ['/customers/', 'Ada'],
    [`/customers/${customer}/`, 'sub_2041'],
    ['/cards/', 'Visa 4242'],
    [`/cards/${card}/`, 'Card saved'],
    ['/cards/?view=intents', cardIntent],
    ['/agreements/', 'sub_2041'],
    [`/agreements/${String(agreed!['key'])}/`, 'established'],
    ['/providers/', 'Covered agreements'],
    ['/requests/', '/api/v1.4/payments/intent/'],
    [`/requests/${request!.id}/`, 'must be a number'],
    ['/audit/', 'Start the audit'],
    ['/keys/', 'Signing secret'],
    ['/settings/', 'Default endpoint'],
  ] as const
  return { service, pages }
}

describeInBrowser('The other pages: accessibility', (open) => {
  it.each([1280, 390])('has no violation on any page in either theme: %i pixels wide', async (width) => {
    const { service, pages } = await filled()
    const options = { viewport: { width, height: 800 } }
    const workbench = await Workbench.at(open, service, '/payments/', options)
    const { page } = workbench
    for (const [path, text] of pages) {
      await workbench.go(path)
      await page.getByText(text).filter({ visible: true }).first().waitFor()
      expect(await axeViolationsInBothThemes(page), path).toEqual([])
      expect(await page.evaluate(OVERFLOW), path).toBe(0)
      expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1)
    }
  })

  it('has no violation in dialogs and in forms that are open', async () => {
    const { workbench, page } = await Workbench.open(open, '/keys/')
    await workbench.button('Create a key').click()
    expect(await axeViolations(page)).toEqual([])
    await workbench.button('Create the key').click()
    await page.getByRole('dialog', { name: 'The new key' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await workbench.button('Done').click()
    await workbench.button('Show the keys').click()
    await page.getByRole('button', { name: 'Copy the key' }).first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    await workbench.go('/payments/')
    await page.getByLabel('Customer').selectOption('new')
    await page.getByText('Provider, agreement, account, reference').click()
    await page.getByLabel('Amount').fill('ten')
    await page.getByText('Enter an amount, such as 10.50.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await workbench.go('/audit/')
    await page.getByRole('combobox', { name: 'Endpoint' }).fill('http://127.0.0.1:1/')
    await workbench.button('Start the audit').click()
    await page.getByText(/^The audit stopped early/).waitFor()
    expect(await axeViolations(page)).toEqual([])
  })
})
