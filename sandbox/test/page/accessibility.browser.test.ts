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
  await service.post(`/_sandbox/deliveries/${delivery!}/check/`)
  const [transaction] = (await service.get('/_sandbox/newest/transactions/')).list
  const [agreed] = (await service.get('/_sandbox/newest/agreements/')).list
  const [request] = (await service.get('/_sandbox/newest/requests/?status=400')).list
  const pages = [
    ['/', 'Verdict'],
    ['/deliveries/', 'transaction.purchase.successful'],
    ['/deliveries/?status=lost', 'Nothing in deliveries matches these filters.'],
    [`/deliveries/${delivery!}/?check=tamper`, 'Your endpoint accepted a forgery'],
    [`/deliveries/${delivery!}/?view=request`, 'Other headers'],
    [`/deliveries/${delivery!}/?view=answer`, 'The answer has no body.'],
    ['/compose/', 'Recognized: transaction.purchase.successful'],
    ['/compose/?template=without-type', 'Not recognized'],
    ['/payments/new/', 'Create it only'],
    ['/payments/intents/', '10.00 EUR'],
    ['/payments/intents/?status=AWAITING_CVV', 'Nothing in intents matches these filters.'],
    [`/payments/intents/${intent}/`, '"Order 1001"'],
    ['/payments/transactions/', 'successful'],
    [`/payments/transactions/${transaction!.id}/`, 'Record'],
    ['/payments/customers/', 'Ada'],
    [`/payments/customers/${customer}/`, '"team"'],
    ['/payments/card-tokens/', 'Visa 4242'],
    [`/payments/card-tokens/${card}/`, 'Charge it'],
    ['/payments/card-token-intents/', cardIntent],
    [`/payments/card-token-intents/${cardIntent}/`, 'Open the hosted form'],
    ['/payments/agreements/', 'sub_2041'],
    [`/payments/agreements/${encodeURIComponent(agreed!.id)}/`, 'references'],
    ['/audit/', 'Audit an endpoint'],
    ['/settings/', 'Default endpoint'],
    ['/settings/keys/', 'Signing secret'],
    ['/settings/faults/', 'Signature-key endpoint'],
    ['/settings/requests/', '/api/v1.4/payments/intent/'],
    [`/settings/requests/${request!.id}/`, 'must be a number'],
    ['/no-such-page/', 'This page does not exist'],
  ] as const
  return { service, pages }
}

describeInBrowser('The page: accessibility', (open) => {
  it.each([1280, 1024, 390])('has no violation on any page in either theme at %i pixels', async (width) => {
    const { service, pages } = await filled()
    const options = { viewport: { width, height: 800 } }
    const workbench = await Workbench.at(open, service, '/', options)
    const { page } = workbench
    for (const [path, text] of pages) {
      await workbench.go(path)
      await page.getByText(text).filter({ visible: true }).first().waitFor()
      expect(await axeViolationsInBothThemes(page), path).toEqual([])
      expect(await page.evaluate(OVERFLOW), path).toBe(0)
      expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1)
      expect(await page.getByRole('main').count(), path).toBe(1)
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    expect(await axeViolationsInBothThemes(page)).toEqual([])
  })

  it('has no violation where nothing was sent yet, and in a form that was refused', async () => {
    const { workbench, page } = await Workbench.open(open, '/deliveries/')
    await page.getByText('Every event that the sandbox sends').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await workbench.go('/payments/new/')
    await page.getByText('Provider, agreement, account, reference').click()
    await page.getByLabel('Amount').fill('ten')
    await workbench.button('Pay').click()
    await page.getByText('This must be a number.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(workbench.problems.splice(0)).toEqual([expect.stringContaining('400')])
  })

  it('moves nothing where that is not wanted', async () => {
    const { page } = await Workbench.open(open, '/deliveries/', { reducedMotion: 'reduce' })
    const transition = 'getComputedStyle(document.querySelector(".button")).transitionDuration'
    expect(await page.evaluate(transition)).toBe('0s')
  })

  it('says what each row of a long list is, and where the list ends', async () => {
    const { service, endpoint, page } = await Workbench.open(open, '/payments/intents/')
    await pay(service, endpoint.url)
    const table = page.getByRole('table', { name: 'Intents' })
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('2')
    const columns = await table.getByRole('columnheader').allInnerTexts()
    expect(columns.slice(0, 3)).toEqual(['Intent', 'Reference', 'Status'])
    const rows = table.getByRole('row')
    await expect.poll(() => rows.nth(1).getAttribute('aria-rowindex')).toBe('2')
    await expect.poll(() => rows.nth(1).getByRole('cell').count()).toBe(columns.length)
  })

  it('opens the navigation on a narrow screen, and closes it after a choice', async () => {
    const { page, workbench } = await Workbench.open(open, '/deliveries/', {
      viewport: { width: 390, height: 800 },
    })
    const navigation = page.getByRole('navigation', { name: 'Pages' })
    await expect.poll(() => navigation.isVisible()).toBe(false)
    await workbench.button('Menu').click()
    await navigation.getByRole('link', { name: 'Payments' }).click()
    await page.getByRole('heading', { level: 1, name: 'Intents' }).waitFor()
    await expect.poll(() => navigation.isVisible()).toBe(false)
  })
})
