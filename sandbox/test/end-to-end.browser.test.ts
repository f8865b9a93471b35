import { fetchSecret, memoryReplayStore, type WebhookEvent } from '@service-signature/core'
import { expect, it, onTestFinished } from 'vitest'
import { describeInBrowser } from './support/browser.js'
import { fillIn, press, says } from './support/form.js'
import { guardedEndpoint } from './support/guarded-endpoint.js'
import { CARD_TOKENS, CHALLENGED, CUSTOMERS, Service } from './support/service.js'
import { Workbench } from './support/workbench.js'

/** The intent that an event is about, and the shape in which it says so. */
function aboutOf(event: WebhookEvent): readonly [string, unknown] {
  const { shape } = event
  if (shape === 'transaction') return [shape, event.payload.intent.id]
  if (shape === 'intent') return [shape, event.payload.data.intent_id]
  return [shape, event.payload]
}

describeInBrowser('From the hosted form to the endpoint of a merchant', (open) => {
  it('a card is saved in a payment through 3DS, pays again, and is deleted; the page shows all of it live', async () => {
    const service = await Service.start({}, 'real time')
    const { url, apiKeys } = service.sandbox
    const secret = fetchSecret({ baseUrl: url, apiKey: apiKeys.account })
    onTestFinished(() => {
      secret.close()
    })
    const endpoint = await guardedEndpoint({ secret, replay: memoryReplayStore() })
    const workbench = await Workbench.at(open, service, '/deliveries/')
    await workbench.page.getByText('Every event that the sandbox sends appears here.').waitFor()
    const customers = await Workbench.at(open, service, '/customers/')
    let loads = 0
    workbench.page.on('load', () => loads++)
    /** Waits until the page shows both deliveries of an intent, and that each was accepted. */
    const showsBoth = async (id: string) => {
      const link = workbench.page.locator(`a[href="/intents/${id}/"]`)
      const rows = workbench.rows('Deliveries').filter({ has: link })
      for (const type of ['transaction.purchase.successful', 'intent.processed']) {
        await rows.filter({ hasText: type }).getByText('delivered', { exact: true }).waitFor()
      }
      await expect.poll(() => rows.count()).toBe(2)
    }

    const customer = await service.customer({ first_name: 'Jane' })
    const fields = { customer, show_save_card_checkbox: true, webhook_url: endpoint.url }
    const reference = { custom_fields: { reference: 'Order 1001' } }
    const first = (await service.intent({ ...fields, ...reference })).data
    const { page } = await open(first.embed_url!)
    await says(page, 'Pay 10.00 EUR')
    await expect.poll(() => page.getByText('Reference').textContent()).toBe('Reference: Order 1001')
    await expect.poll(() => page.getByLabel('Save this card').isChecked()).toBe(false)
    await fillIn(page, CHALLENGED)
    await page.getByLabel('Save this card').check()
    await press(page, 'Pay 10.00 EUR')
    await page.getByText('3-D Secure for Visa ending in 3220').waitFor()
    expect(endpoint.handled).toEqual([])
    await press(page, 'Pass the challenge')
    await says(page, 'Paid')
    await showsBoth(first.id)
    const row = customers.rows('Customers').first()
    await row.getByRole('cell', { name: 'Visa 3220', exact: true }).waitFor()

    const [card] = (await service.get(`${CUSTOMERS}${customer}/cards/`)).list
    const second = (await service.intent(fields)).data
    await page.goto(second.embed_url!)
    await page.getByRole('radio', { name: 'Visa ending in 3220', checked: true }).waitFor()
    await expect.poll(() => page.getByLabel('Card number').isVisible()).toBe(false)
    await press(page, 'Pay 10.00 EUR')
    await press(page, 'Pass the challenge')
    await says(page, 'Paid')
    await showsBoth(second.id)

    await service.post(`${CARD_TOKENS}delete/`, { customer, to_delete_customer_card_token: card!.id })
    await row.getByText('Visa 3220').first().waitFor({ state: 'detached' })
    expect((await service.get(`${CUSTOMERS}${customer}/cards/`)).list).toEqual([])
    await page.goto((await service.intent(fields)).data.embed_url!)
    await page.getByLabel('Card number').waitFor()
    await expect.poll(() => page.getByRole('radio').count()).toBe(0)

    await service.sandbox.drained()
    expect(endpoint.handled.map(aboutOf)).toEqual(
      [first, second].flatMap(({ id }) => [
        ['transaction', id],
        ['intent', id],
      ]),
    )
    for (const { attempts } of await service.deliveries()) {
      expect(attempts).toMatchObject([{ answer: { status: 204 } }])
    }
    await workbench.page.getByRole('link', { name: 'intent.processed' }).first().click()
    await workbench.page.getByText('It verifies').first().waitFor()
    await workbench.page.getByRole('tab', { name: 'Answer' }).click()
    await workbench.page.getByRole('tabpanel').getByText('204').waitFor()
    expect(loads).toBe(0)
  })
})
