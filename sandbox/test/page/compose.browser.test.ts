import { expect, it } from 'vitest'
import { axeViolations } from '../support/axe.js'
import { describeInBrowser } from '../support/browser.js'
import { guardedEndpoint } from '../support/guarded-endpoint.js'
import type { Data } from '../support/service.js'
import { digestsOf, partsOf } from '../support/signature.js'
import { deliveryIds, pay, Workbench } from '../support/workbench.js'

interface IntentEvent {
  readonly data: { readonly intent: Readonly<Record<string, unknown>> }
}

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
    await page.getByText('Your endpoint accepted it: it answered').waitFor()
    const { y } = (await page.getByText('Your endpoint accepted it: it answered').boundingBox())!
    expect(y).toBeLessThan(page.viewportSize()!.height)
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

  it('sends an event of another account in live mode, which v1 proves', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(
      open,
      '/compose/?template=intent-processed',
    )
    await page.getByText('Recognized: intent.processed').waitFor()
    await page.getByLabel('Webhook URL').fill(endpoint.url)
    await workbench.button('Send').click()
    await endpoint.until(1)
    await page.getByLabel('Account').selectOption('Another account')
    const other = async () => (await service.get('/_sandbox/overview/')).data['accounts'] as readonly Data[]
    await expect.poll(async () => (await other()).length).toBe(2)
    await page.getByLabel('Live', { exact: true }).focus()
    await page.keyboard.press('Space')
    const [, { id }] = (await other()) as [Data, Data]
    await expect.poll(() => page.getByLabel('Account').inputValue()).toBe(id)
    expect(await axeViolations(page)).toEqual([])
    await workbench.button('Send').click()
    await endpoint.until(2)

    const [own, foreign] = endpoint.received.map(({ bytes }) => JSON.parse(bytes.toString()) as IntentEvent)
    const { accountId, secret, apiKeys } = service.sandbox
    expect(own!.data.intent).toMatchObject({ account: accountId, is_live: false })
    const scope = { account: id, is_live: true }
    const expected = {
      ...scope,
      active_transaction: { account: id },
      transactions_history: [{ account: id }],
    }
    expect(foreign!.data.intent).toMatchObject(expected)
    const keys = (await service.post('/_sandbox/keys/reveal/')).data['keys'] as readonly Data[]
    const key = keys.find((one) => one['account'] === id && one.is_live)!
    const { bytes } = endpoint.received[1]!
    const { t, ...digests } = partsOf(endpoint.received[1]!)
    expect(digests).toEqual(digestsOf(bytes, t, secret, key.api_key))
    expect(digests.v1).not.toBe(digestsOf(bytes, t, secret, apiKeys.account).v1)
  })

  it('says that an address is missing', async () => {
    const { workbench, page } = await Workbench.open(open, '/compose/')
    await page.getByText('Recognized').waitFor()
    await workbench.button('Send').click()
    await page.getByText('This is missing, and there is no default endpoint.').waitFor()
    const field = page.getByLabel('Webhook URL')
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => workbench.focused.getAttribute('name')).toBe('url')
    expect(workbench.problems.splice(0)).toEqual([expect.stringContaining('400')])
  })
})
