import { text } from 'node:stream/consumers'
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
      .toMatch(/POST[^]*\/api\/v1\.4\/payments\/intent\/[^]*400 amount must be a number/)
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
    const copied = await workbench.copied()
    await workbench.button('Copy as curl').click()
    await expect
      .poll(copied)
      .toMatch(/^curl -X POST 'http:[^']*\/intent\/' -H "X-Api-Key: \$API_KEY" .*--data-raw '\{"amount":10,/)
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
    await panel.getByRole('link', { name: '1 forgery accepted' }).click()
    await expect.poll(() => workbench.rows('Deliveries').count()).toBe(1)
    await page.goBack()
    await panel.getByRole('link', { name: 'intent.processed' }).click()
    await expect.poll(() => workbench.address).toBe(`/deliveries/${id}/`)
    await page.goBack()
    await panel.getByRole('link', { name: 'Deliveries' }).click()
    await expect.poll(() => workbench.rows('Deliveries').count()).toBe(2)
    await page.goBack()
    await panel.getByRole('link', { name: 'Audit it' }).click()
    await expect.poll(() => page.getByRole('combobox', { name: 'Endpoint' }).inputValue()).toBe(endpoint.url)
  })
})

describeInBrowser('The page of audits', (open) => {
  it('audits an endpoint live, and says of each failure what it costs and how to fix it', async () => {
    const { endpoint, page, workbench } = await Workbench.open(open, '/audits/')
    await page.getByText('An audit sends valid and hostile deliveries').waitFor()
    await page.getByRole('combobox', { name: 'Endpoint' }).fill(endpoint.url)
    const groups = page.getByRole('region', { name: 'What is sent' }).getByRole('checkbox')
    for (const group of await groups.all()) await group.uncheck()
    await page.getByRole('checkbox', { name: 'Deliveries without a signature' }).check()
    await page.getByRole('checkbox', { name: 'Valid deliveries that were changed after signing' }).check()
    await workbench.button('Start the audit of 2 groups').click()
    const result = page.locator('.verdict')
    await result.getByText('It accepts deliveries without a signature.').waitFor()
    await result.getByText(/The endpoint got \d+ of \d+ cases wrong/).waitFor()
    // One fix for each cause, with all its cases.
    const fixes = page.getByRole('region', { name: 'What to fix' })
    const fix = fixes.getByRole('listitem').filter({ hasText: 'Verify the bytes of the body' })
    await fix.getByText('4 cases').click()
    await fix.getByText('spaces, or a line break at the end: got 204, expected 4xx').waitFor()
    const group = page.getByRole('region', { name: 'Valid deliveries that were changed after signing' })
    const failed = group.locator('[data-outcome="failed"]').first()
    await failed.locator('summary').click()
    for (const text of ['Expected', 'Got', 'A failure costs']) {
      await expect.poll(() => failed.getByText(text, { exact: true }).isVisible()).toBe(true)
    }
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'JUnit' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('audit.xml')
    const junit = await text(await download.createReadStream())
    expect(junit).toMatch(/^<\?xml version="1\.0"(?:.|\n)*<\/testsuites>\n$/)
    // Another page of the workbench does not take the result away.
    await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
    await page.getByRole('link', { name: 'Audit', exact: true }).first().click()
    await page.getByText('It accepts deliveries without a signature.').waitFor()
  })

  it('shows the progress, and cancels', async () => {
    const { endpoint, page, workbench } = await Workbench.open(open, '/audits/')
    endpoint.replyWith(never)
    await page.getByRole('combobox', { name: 'Endpoint' }).fill(endpoint.url)
    await page.keyboard.press('Enter')
    await page.getByRole('progressbar', { name: 'Cases that have run' }).waitFor()
    await page.getByText(/^\d+ of \d+ cases ran so far/).waitFor()
    await workbench.button('Cancel').click()
    await page.getByText(/The audit was cancelled/).waitFor()
    expect(endpoint.received).toHaveLength(1)
    await expect.poll(() => workbench.button('Start the audit').isEnabled()).toBe(true)
  })

  it('says why an audit cannot start', async () => {
    const { page, workbench } = await Workbench.open(open, '/audits/')
    await page.getByRole('combobox', { name: 'Endpoint' }).fill('ftp://localhost')
    await workbench.button('Start the audit').click()
    await page.getByText('This must be an address with http: or https:.').waitFor()
    await expect.poll(() => workbench.focused.getAttribute('name')).toBe('url')
    expect(workbench.problems.splice(0)).toEqual([expect.stringContaining('400')])
  })
})
