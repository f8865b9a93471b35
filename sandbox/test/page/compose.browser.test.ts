import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { guardedEndpoint } from '../support/express-endpoints.js'
import { deliveryIds, pay, Workbench } from '../support/workbench.js'

describeInBrowser('The page: composer', (open) => {
  it('sends an event of an unknown family, which a verifier lets through', async () => {
    const { service, workbench, page } = await Workbench.open(open, '/compose/')
    const guarded = await guardedEndpoint({ secret: service.sandbox.secret })
    await page.getByText('Recognized: transaction.purchase.successful').waitFor()
    await page.getByLabel('Begin with').selectOption('Unknown: An unknown family')
    await page.getByText('Not recognized: the type is unknown.').waitFor()
    expect(workbench.address).toBe('/compose/?template=unknown-family')
    await page.getByLabel('Webhook URL').fill(guarded.url)
    await workbench.button('Send').click()
    const sent = page.getByRole('table', { name: 'Sent' })
    await sent.getByText('204', { exact: true }).waitFor()
    expect((await sent.boundingBox())!.y).toBeLessThan(page.viewportSize()!.height)
    expect(guarded.handled).toMatchObject([{ shape: 'unrecognized', receivedType: 'dispute.opened' }])
    await sent.getByRole('link', { name: 'dispute.opened' }).click()
    await page.getByRole('heading', { level: 1, name: 'dispute.opened' }).waitFor()
    // What was typed is kept while other pages are looked at.
    await page.goBack()
    await page.getByText('Not recognized: the type is unknown.').waitFor()
    await expect.poll(() => page.getByLabel('Webhook URL').inputValue()).toBe(guarded.url)
  })

  it('says what is wrong with what is typed, and where', async () => {
    const { endpoint, workbench, page } = await Workbench.open(open, '/compose/')
    const payload = page.getByLabel('Payload', { exact: true }).and(page.getByRole('textbox'))
    await page.getByText('Recognized').waitFor()
    await payload.fill('{\n  "type": "intent.processed",\n  amount: 1\n}')
    await page.getByText(/^Not JSON: .* It can be sent as it is\.$/).waitFor()
    await expect.poll(() => workbench.button('Format').isDisabled()).toBe(true)
    await workbench.button('Send').click()
    await page.getByText('This is missing, and there is no default endpoint.').waitFor()
    await expect.poll(() => workbench.focused.getAttribute('name')).toBe('url')
    expect(workbench.problems.splice(0)).toEqual([expect.stringContaining('400')])
    await page.getByLabel('Webhook URL').fill(endpoint.url)
    await workbench.button('Send').click()
    await endpoint.until(1)
    expect(endpoint.received[0]!.bytes.toString()).toBe('{\n  "type": "intent.processed",\n  amount: 1\n}')

    await payload.fill('{"type":"intent.processed","amount":1.50}')
    await page.getByText('Not recognized: the payload is not what the type promises.').waitFor()
    await workbench.button('Format').click()
    const formatted = '{\n  "type": "intent.processed",\n  "amount": 1.50\n}'
    await expect.poll(() => payload.inputValue()).toBe(formatted)
    await page.getByLabel('Byte for byte').check()
    await workbench.button('Send').click()
    await endpoint.until(2)
    expect(endpoint.received[1]!.bytes.toString()).toBe(formatted)
  })

  it('sends events out of order', async () => {
    const { endpoint, workbench, page } = await Workbench.open(open, '/compose/')
    await page.getByText('Recognized').waitFor()
    await page.getByLabel('Webhook URL').fill(endpoint.url)
    await page.getByLabel('Sequence').selectOption('out-of-order')
    await workbench.button('Send').click()
    await expect.poll(() => page.getByRole('table', { name: 'Sent' }).getByText('204').count()).toBe(2)
    expect(endpoint.types).toEqual(['intent.processed', 'transaction.purchase.successful'])
  })

  it('edits a delivery and sends it to the same address', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/`)
    await workbench.button('Edit').click()
    await page.getByText('Recognized: intent.processed').waitFor()
    await expect.poll(() => page.getByLabel('Webhook URL').inputValue()).toBe(endpoint.url)
    const payload = page.getByLabel('Payload', { exact: true }).and(page.getByRole('textbox'))
    await payload.fill((await payload.inputValue()).replace('"amount": 10.0', '"amount": 99.0'))
    await workbench.button('Send').click()
    await endpoint.until(3)
    const [, before, after] = endpoint.received.map(({ bytes }) => bytes.toString())
    expect(after).toBe(before!.replace('"amount":10.0', '"amount":99.0'))
  })
})
