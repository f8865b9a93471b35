import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { never, status } from '../support/endpoint.js'
import { INTENTS } from '../support/service.js'
import { deliveryIds, pay, Workbench } from '../support/workbench.js'

describeInBrowser('The page of requests', (open) => {
  it('shows calls as they are made, with their answers, and filters them', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/requests/')
    await page.getByText('Every call to the API appears here').waitFor()
    await service.post(INTENTS, { amount: '10', amount_currency: 'EUR' })
    await service.intent({ custom_fields: { reference: 'Order 1001' } })
    const rows = workbench.rows('Requests')
    await expect.poll(() => rows.count()).toBe(2)
    await expect
      .poll(() => rows.nth(1).innerText())
      .toMatch(/POST[^]*\/api\/v1\.4\/payments\/intent\/[^]*400/)
    await page.getByLabel('Answer').selectOption('4xx')
    await expect.poll(() => rows.count()).toBe(1)
    expect(workbench.address).toBe('/requests/?status=4xx')
    await workbench.button('Clear').click()
    await page.getByLabel('Search requests').fill('order 1001')
    await expect.poll(() => rows.count()).toBe(1)
    await rows.getByRole('link').click()
    await page.getByRole('heading', { name: 'POST /api/v1.4/payments/intent/' }).waitFor()
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByText('"Order 1001"').waitFor()
    const headers = page.getByRole('region', { name: 'Headers of the request' })
    const key = service.sandbox.apiKeys.account
    await headers.getByText(`account_key_...${key.slice(-4)}`).waitFor()
    expect(await page.content()).not.toContain(key)
    await page.keyboard.press('Escape')
    await expect.poll(() => workbench.address).toBe('/requests/')
  })
})

describeInBrowser('The page of endpoints', (open) => {
  it('shows how each address has answered, and leads to what went wrong', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open, '/endpoints/')
    await page.getByText('Each address that gets an event appears here').waitFor()
    await pay(service, endpoint.url)
    const panel = page.getByRole('region', { name: endpoint.url.replace('http://', '') })
    await panel.getByText('100 %').waitFor()
    endpoint.replyWith(status(500))
    const [id] = await deliveryIds(service)
    await service.post(`/_sandbox/deliveries/${id}/resend/`)
    await panel.getByText('66.6 %').waitFor()
    endpoint.replyWith(status(204))
    await service.post(`/_sandbox/deliveries/${id}/resend/`, { tamper: true })
    await panel.getByText('1 forgery accepted').waitFor()
    await panel.getByRole('link', { name: 'It answered 500.' }).click()
    await expect.poll(() => workbench.address).toBe(`/deliveries/${id}/`)
    await page.goBack()
    await panel.getByRole('link', { name: 'Deliveries' }).click()
    await expect.poll(() => workbench.rows('Deliveries').count()).toBe(2)
    await page.goBack()
    await panel.getByRole('link', { name: 'Audit it' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Endpoint' }).inputValue()).toBe(endpoint.url)
  })
})

describeInBrowser('The page of audits', (open) => {
  it('audits an endpoint live, and says of each failure what it costs and how to fix it', async () => {
    const { endpoint, page, workbench } = await Workbench.open(open, '/audits/')
    await page.getByText('An audit sends valid and hostile deliveries').waitFor()
    await page.getByRole('textbox', { name: 'Endpoint' }).fill(endpoint.url)
    await page.getByText('All groups of cases').click()
    for (const group of ['genuine', 'keys', 'time', 'downgrade', 'header', 'body', 'odd', 'answers']) {
      await page.getByRole('checkbox', { name: group }).uncheck()
    }
    await page.getByText('2 groups of cases').waitFor()
    await workbench.button('Start the audit').click()
    const result = page.locator('.verdict')
    await result.getByText(/The endpoint got \d+ of \d+ cases wrong/).waitFor()
    const group = page.getByRole('region', { name: 'Valid deliveries that were changed after signing' })
    const failed = group.locator('[data-outcome="failed"]').first()
    for (const text of ['Expected', 'Got', 'What it costs', 'Fix']) {
      await expect.poll(() => failed.getByText(text, { exact: true }).isVisible()).toBe(true)
    }
    const { pathname } = new URL(page.url())
    expect(pathname).toMatch(/^\/audits\/aud_/)
    await page.getByRole('link', { name: 'Audit', exact: true }).first().click()
    await page
      .getByRole('table', { name: 'Audits' })
      .getByText(/\d+ failed/)
      .waitFor()
  })

  it('shows the progress, and cancels', async () => {
    const { endpoint, page, workbench } = await Workbench.open(open, '/audits/')
    endpoint.replyWith(never)
    await page.getByRole('textbox', { name: 'Endpoint' }).fill(endpoint.url)
    await page.keyboard.press('Enter')
    await page.getByRole('progressbar', { name: 'Cases that have run' }).waitFor()
    await page.getByText(/^\d+ of \d+ cases ran so far/).waitFor()
    await workbench.button('Cancel').click()
    await page.getByText(/The audit was cancelled/).waitFor()
    await page.getByRole('link', { name: 'Audit again' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Endpoint' }).inputValue()).toBe(endpoint.url)
  })

  it('says why an audit cannot start', async () => {
    const { page, workbench } = await Workbench.open(open, '/audits/')
    await page.getByRole('textbox', { name: 'Endpoint' }).fill('ftp://localhost')
    await workbench.button('Start the audit').click()
    await page
      .getByRole('status')
      .getByText(/url must be an address/)
      .waitFor()
    expect(workbench.problems.splice(0)).toEqual([expect.stringContaining('400')])
  })
})
