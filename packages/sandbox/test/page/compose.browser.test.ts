import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { guardedEndpoint } from '../support/guarded-endpoint.js'
import { deliveryIds, pay, Workbench } from '../support/workbench.js'

describeInBrowser('The page: composer', (open) => {
  it('sends an event of an unknown family, which a verifier lets through', async () => {
    const { service, workbench, page } = await Workbench.open(open, '/compose/')
    const guarded = await guardedEndpoint({ secret: service.sandbox.secret })
    await page.getByText('Recognized: transaction.purchase.successful').waitFor()
    await page.getByRole('link', { name: 'An unknown family' }).click()
    await expect.poll(() => workbench.address).toBe('/compose/?template=unknown-family')
    await page.getByText('Not recognized: the type is unknown.').waitFor()
    await page.getByLabel('Webhook URL').fill(guarded.url)
    await workbench.button('Send').click()
    await page.getByText('Sending 1 delivery.').waitFor()
    await page.getByText('Your endpoint accepted it: it answered').waitFor()
    expect(guarded.handled).toMatchObject([{ shape: 'unrecognized', receivedType: 'dispute.opened' }])
    await page.getByRole('link', { name: 'dispute.opened' }).click()
    await page.getByRole('heading', { level: 1, name: 'dispute.opened' }).waitFor()
    await page.getByText('composed', { exact: true }).waitFor()
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
    await page.getByText('Not JSON: Expected a name in double quotes, got "a" in line 3, column 3.').waitFor()
    await expect.poll(() => page.locator('[data-marked="true"]').innerText()).toBe('3')
    await expect.poll(() => workbench.button('Format').isDisabled()).toBe(true)
    await page.getByLabel('Webhook URL').fill(endpoint.url)
    await workbench.button('Send').click()
    await endpoint.until(1)
    expect(endpoint.received[0]!.bytes.toString()).toBe('{\n  "type": "intent.processed",\n  amount: 1\n}')

    await payload.fill('{"type":"intent.processed","amount":1.50}')
    await page.getByText('Not recognized: the payload is not what the type promises.').waitFor()
    await workbench.button('Format').click()
    await expect
      .poll(() => payload.inputValue())
      .toBe('{\n  "type": "intent.processed",\n  "amount": 1.50\n}')
    await page.getByLabel('Byte for byte').check()
    await workbench.button('Send').click()
    await endpoint.until(2)
    expect(endpoint.received[1]!.bytes.toString()).toBe(await payload.inputValue())
  })

  it.each([
    ['Twice', {}, 2],
    ['Out of order', {}, 2],
    ['Burst', { 'How many': '5' }, 5],
    ['Delayed', { Seconds: '1' }, 1],
  ])('sends a sequence: %s', async (sequence, fields, count) => {
    const { endpoint, workbench, page } = await Workbench.open(open, '/compose/')
    await page.getByText('Recognized').waitFor()
    await page.getByLabel('Webhook URL').fill(endpoint.url)
    await page.getByRole('combobox', { name: 'Sequence' }).selectOption(sequence)
    for (const [name, value] of Object.entries(fields)) await page.getByLabel(name).fill(value)
    await workbench.button('Send').click()
    await endpoint.until(count)
    const verdicts = page.getByText('Your endpoint accepted it: it answered 204.')
    await expect.poll(() => verdicts.count()).toBe(count)
    if (sequence === 'Out of order') {
      expect(endpoint.types).toEqual(['intent.processed', 'transaction.purchase.successful'])
    }
  })

  it('sends an event with a broken signature, and shows the verdict', async () => {
    const { endpoint, workbench, page } = await Workbench.open(open, '/compose/')
    await page.getByText('Recognized').waitFor()
    await page.getByLabel('Webhook URL').fill(endpoint.url)
    await page.getByLabel('Leave out the signature').check()
    await workbench.button('Send').click()
    await page.getByText('Your endpoint accepted a forgery: it had no signature').waitFor()
    expect(endpoint.received[0]!.headers['service-signature']).toBeUndefined()
  })

  it('edits a delivery and sends it to the same address', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    const intent = await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/`)
    await workbench.button('Edit and send').click()
    await page.getByText('Recognized: intent.processed').waitFor()
    await expect.poll(() => page.getByLabel('Webhook URL').inputValue()).toBe(endpoint.url)
    await expect.poll(() => page.getByRole('link', { name: intent }).count()).toBe(1)
    const payload = page.getByLabel('Payload', { exact: true }).and(page.getByRole('textbox'))
    await payload.fill((await payload.inputValue()).replace('"amount": 10.0', '"amount": 99.0'))
    await workbench.button('Send').click()
    await endpoint.until(3)
    const { bytes } = endpoint.received[2]!
    expect(bytes.toString()).toBe(
      endpoint.received[1]!.bytes.toString().replace('"amount":10.0', '"amount":99.0'),
    )
  })

  it('says that an address is missing', async () => {
    const { workbench, page } = await Workbench.open(open, '/compose/')
    await page.getByText('Recognized').waitFor()
    await workbench.button('Send').click()
    await page.getByText('There is no default endpoint.').waitFor()
    expect(workbench.problems.splice(0)).toEqual([expect.stringContaining('400')])
  })
})
