import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { Endpoint, status } from '../support/endpoint.js'
import { reprintingEndpoint } from '../support/express-endpoints.js'
import { Service } from '../support/service.js'
import { deliveryIds, pay, Workbench } from '../support/workbench.js'

describeInBrowser('The page: home', (open) => {
  it('leads in three steps to the first delivery', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open, '/')
    await page.getByText(`WEBHOOK_SECRET=${service.sandbox.secret}`).waitFor()
    await expect.poll(() => workbench.button('Pay a test payment').isDisabled()).toBe(true)
    await page.getByLabel('Webhook URL').fill(endpoint.url)
    await workbench.button('Pay a test payment').click()
    await page.getByRole('row').getByText('accepted', { exact: true }).waitFor()
    await page.getByText('100 %').waitFor()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    await page.getByRole('link', { name: 'Paid 10.50 EUR.' }).click()
    await page.getByRole('list', { name: 'What happened' }).waitFor()
  })

  it('shows of each endpoint how it answered, and leads to what went wrong', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open, '/')
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await service.post(`/_sandbox/deliveries/${id}/resend/`, { tamper: true })
    endpoint.replyWith(status(500))
    await service.post(`/_sandbox/deliveries/${id}/resend/`)
    const row = page.getByRole('row').filter({ hasText: new URL(endpoint.url).host })
    for (const text of ['500', 'refused', '66.6 %']) await row.getByText(text, { exact: true }).waitFor()

    await row.getByRole('link', { name: '1', exact: true }).click()
    await expect.poll(() => workbench.rows('Deliveries').count()).toBe(1)
    await page.goBack()
    await row.getByRole('link', { name: 'refused' }).click()
    await expect.poll(() => workbench.address).toBe(`/deliveries/${id}/`)
    await page.goBack()
  })

  it.each([
    ['JSON.stringify(req.body)', 'refused', 'The body was re-serialized', 'Verify the raw bytes'],
    ['200 to everything', 'accepts forgeries', 'Your endpoint accepts forgeries', 'Verify first'],
  ])('names the cause in the table, and the fix in the delivery: %s', async (name, verdict, title, fix) => {
    const service = await Service.start({ checks: 'own' })
    const isLax = name === '200 to everything'
    const { url } = await (isLax ? Endpoint.start() : reprintingEndpoint(service.sandbox.secret))
    const { page } = await Workbench.at(open, service, '/')
    await page.getByLabel('Webhook URL').fill(url)
    await page.getByLabel('Webhook URL').press('Enter')
    const row = page.getByRole('row').filter({ hasText: new URL(url).host })
    await row.getByText(title).waitFor()
    await row.getByRole('link', { name: verdict }).click()
    const shown = page.locator('.verdict')
    await shown.getByText(title).waitFor()
    await shown.getByText(fix).waitFor()
  })
})
