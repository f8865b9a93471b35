import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { status } from '../support/endpoint.js'
import { deliveryIds, pay, Workbench } from '../support/workbench.js'

const PHONE = { viewport: { width: 390, height: 844 } }

describeInBrowser('The page: deliveries', (open) => {
  it('shows new deliveries and their retries as they happen', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    endpoint.replyWith(status(500))
    await pay(service, endpoint.url)
    const rows = workbench.rows('Deliveries')
    await rows.getByText('retry in').nth(1).waitFor()
    await rows.getByText('500').nth(1).waitFor()
    endpoint.replyWith(status(204))
    await rows.getByText('delivered', { exact: true }).nth(1).waitFor()
    await rows.getByText('2 attempts').first().waitFor()
    await service.post('/_sandbox/reset')
    await page.getByText('Every event that the sandbox sends appears here.').waitFor()
    await expect.poll(() => rows.count()).toBe(0)
  })

  it('keeps the filters in the address, which shows the same to others', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    const other = endpoint.url.replace('/webhooks', '/other')
    const intent = await pay(service, endpoint.url)
    await pay(service, other)
    const rows = workbench.rows('Deliveries')
    await expect.poll(() => rows.count()).toBe(4)

    await page.getByLabel('Event').selectOption('intent.*')
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByLabel('Endpoint').selectOption(other)
    await expect.poll(() => rows.count()).toBe(1)
    expect(workbench.address).toBe(`/deliveries/?type=intent.*&endpoint=${encodeURIComponent(other)}`)
    const shared = await Workbench.at(open, service, workbench.address)
    await expect.poll(() => shared.rows('Deliveries').count()).toBe(1)
    await expect.poll(() => shared.page.getByLabel('Endpoint').inputValue()).toBe(other)

    await workbench.button('Clear').click()
    await expect.poll(() => rows.count()).toBe(4)
    await page.getByLabel('Search deliveries').fill(intent.toUpperCase())
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByLabel('Answer').selectOption('no answer')
    await page.getByText('Nothing in deliveries matches these filters.').waitFor()
    await workbench.button('Clear the filters').click()
    await expect.poll(() => workbench.address).toBe('/deliveries/')
  })

  it('shows on a phone what each endpoint did, and filters by it', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open, '/deliveries/', PHONE)
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await service.post(`/_sandbox/deliveries/${id!}/resend/`, { tamper: true })
    endpoint.replyWith(status(401))
    await service.post(`/_sandbox/deliveries/${(await deliveryIds(service))[1]!}/resend/`)
    const rows = workbench.rows('Deliveries')
    await rows.getByText('forgery accepted').filter({ visible: true }).waitFor()
    await rows.getByText('401').filter({ visible: true }).waitFor()
    await page.getByLabel('Answer').selectOption('forgery accepted')
    await expect.poll(() => rows.count()).toBe(1)
    expect(workbench.address).toBe('/deliveries/?verdict=accepted-forgery')
    await rows.getByRole('link').first().click()
    // What can be done comes before the body.
    const yOf = async (each: Locator) => (await each.boundingBox())!.y
    const button = await yOf(workbench.button('Find the cause'))
    expect(await yOf(page.locator('.verdict'))).toBeLessThan(button)
    expect(await yOf(page.getByRole('tab', { name: 'Body' }))).toBeGreaterThan(button)
    // The list is not next to it.
    await expect.poll(() => page.getByRole('table', { name: 'Deliveries' }).isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
    await expect.poll(() => workbench.address).toBe('/deliveries/?verdict=accepted-forgery')
    await expect.poll(() => rows.count()).toBe(1)
  })

  it('shows a delivery next to the list, which keeps its filters, and walks from one to the next by key', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    await pay(service, endpoint.url)
    const ids = await deliveryIds(service)
    await page.getByLabel('Event').selectOption('intent.*')
    const rows = workbench.rows('Deliveries')
    await expect.poll(() => rows.count()).toBe(2)
    await rows.nth(0).getByRole('link').first().click()
    for (const [key, id, index] of [
      [undefined, ids[0], 0],
      ['j', ids[2], 1],
      ['j', ids[2], 1],
      ['k', ids[0], 0],
    ] as const) {
      if (key !== undefined) await page.keyboard.press(key)
      await expect.poll(() => workbench.address).toBe(`/deliveries/${id!}/?type=intent.*`)
      await page.getByText(id!, { exact: true }).waitFor()
      expect(await rows.count()).toBe(2)
      expect(await rows.nth(index).getByRole('link').first().getAttribute('aria-current')).toBe('page')
    }
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => workbench.focused.innerText()).toBe('intent.processed')
    const tab = workbench.focused.and(page.getByRole('tab', { name: 'Body' }))
    while ((await tab.count()) === 0) await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => workbench.focused.innerText()).toBe('Request')
    await page.keyboard.press('r')
    await endpoint.until(5)
    await page.keyboard.press('Escape')
    await expect.poll(() => workbench.address).toBe('/deliveries/?type=intent.*')
  })
})
