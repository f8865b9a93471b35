import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { INTENTS } from '../support/service.js'
import { Workbench } from '../support/workbench.js'

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
