import { fetchSecret, memoryReplayStore } from '@service-signature/core'
import { expect, it, onTestFinished } from 'vitest'
import { describeInBrowser } from './support/browser.js'
import { fillIn, press, says } from './support/form.js'
import { guardedEndpoint } from './support/express-endpoints.js'
import { CHALLENGED, Service } from './support/service.js'
import { Workbench } from './support/workbench.js'

describeInBrowser('From the hosted form to the endpoint of a merchant', (open) => {
  it('a payment through 3DS arrives once, in both shapes, and the page shows it live', async () => {
    const service = await Service.start({}, 'real time')
    const { url, apiKeys } = service.sandbox
    const secret = fetchSecret({ baseUrl: url, apiKey: apiKeys.account })
    onTestFinished(() => {
      secret.close()
    })
    const endpoint = await guardedEndpoint({ secret, replay: memoryReplayStore() })
    const workbench = await Workbench.at(open, service, '/deliveries/')
    await workbench.page.getByText('Every event that the sandbox sends appears here.').waitFor()
    let loads = 0
    workbench.page.on('load', () => loads++)

    const { id, embed_url: form } = (await service.intent({ webhook_url: endpoint.url })).data
    const { page } = await open(form!)
    await says(page, 'Pay 10.00 EUR')
    await fillIn(page, CHALLENGED)
    await press(page, 'Pay 10.00 EUR')
    await page.getByText('3-D Secure for Visa ending in 3220').waitFor()
    expect(endpoint.handled).toEqual([])
    await press(page, 'Pass the challenge')
    await says(page, 'Paid')

    const rows = workbench.rows('Deliveries')
    await rows.getByText('delivered', { exact: true }).nth(1).waitFor()
    await service.sandbox.drained()
    expect(endpoint.handled).toMatchObject([
      { shape: 'transaction', payload: { intent: { id } } },
      { shape: 'intent', payload: { data: { intent_id: id } } },
    ])
    await rows.getByRole('link', { name: 'intent.processed' }).click()
    await workbench.page.getByText('Your endpoint accepted it: it answered 204.').waitFor()
    await workbench.page.getByRole('tab', { name: 'Answer' }).click()
    await workbench.page.getByRole('tabpanel').getByText('204').waitFor()
    expect(loads).toBe(0)
  })
})
