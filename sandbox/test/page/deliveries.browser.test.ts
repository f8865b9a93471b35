import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { status } from '../support/endpoint.js'
import { deliveryIds, pay, scrolledTo, scrollTo, Workbench } from '../support/workbench.js'

const PHONE = { viewport: { width: 390, height: 844 } }

describeInBrowser('The page: deliveries', (open) => {
  it('leads to the deliveries, and teaches how to send the first ones', async () => {
    const { endpoint, workbench, page } = await Workbench.open(open, '/')
    await expect.poll(() => workbench.address).toBe('/deliveries/')
    await page.getByText('Pay a test payment to send the first two').waitFor()
    await page.getByLabel('Webhook URL').fill(endpoint.url)
    await workbench.button('Pay a test payment').click()
    await page.getByText('Paid 10.50 EUR').waitFor()
    const rows = workbench.rows('Deliveries')
    await rows.getByText('delivered', { exact: true }).nth(1).waitFor()
    const texts = await rows.allInnerTexts()
    expect(texts[0]).toContain('intent.processed')
    expect(texts[0]).toContain('10.50 EUR')
    expect(texts[1]).toContain('transaction.purchase.successful')
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
  })

  it('shows new deliveries and their retries as they happen, without a reload', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    let loads = 0
    page.on('load', () => loads++)
    endpoint.replyWith(status(500))
    await pay(service, endpoint.url)
    const rows = workbench.rows('Deliveries')
    await rows
      .getByText(/retry in \d+ s/)
      .nth(1)
      .waitFor()
    await rows.getByText('500').nth(1).waitFor()
    endpoint.replyWith(status(204))
    await rows.getByText('delivered', { exact: true }).nth(1).waitFor()
    await rows.getByText('2 attempts').first().waitFor()
    expect(loads).toBe(0)
  })

  it('asks once for each list, and once for the endpoints of all', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    await service.sandbox.idle()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const count = (path: string) => asked.filter((each) => each === path).length
    const rows = workbench.rows('Deliveries')
    // After a change, a list is asked for again, also before the reload.
    page.once('framenavigated', () => (asked.length = 0))
    await page.addInitScript('globalThis.EventSource = class extends EventTarget { close() {} }')
    await page.reload()
    await expect.poll(() => rows.count()).toBe(2)
    await expect.poll(() => count('/_sandbox/endpoints/')).toBe(1)
    await page.getByLabel('Event').selectOption('intent.*')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByLabel('Status').selectOption('dead')
    await page.getByText('No delivery fits these filters.').waitFor()
    expect(count('/_sandbox/newest/deliveries/')).toBe(3)
    expect(count('/_sandbox/endpoints/')).toBe(1)
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
    await expect.poll(() => shared.page.getByLabel('Event').inputValue()).toBe('intent.*')
    await expect.poll(() => shared.page.getByLabel('Endpoint').inputValue()).toBe(other)

    await workbench.button('Clear').click()
    await expect.poll(() => rows.count()).toBe(4)
    await page.getByLabel('Search deliveries').fill(intent.toUpperCase())
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByLabel('Mode').selectOption('true')
    await page.getByText('No delivery fits these filters.').waitFor()
    await workbench.button('Clear the filters').click()
    await expect.poll(() => rows.count()).toBe(4)
    await expect.poll(() => page.getByLabel('Search deliveries').inputValue()).toBe('')
    expect(workbench.address).toBe('/deliveries/')
  })

  it('keeps the deliveries of one payment together, unless that is turned off', async () => {
    const { service, endpoint, workbench } = await Workbench.open(open)
    const first = await pay(service, endpoint.url)
    await pay(service, endpoint.url)
    // The newest delivery is one of the older payment.
    const [, , oldest] = await deliveryIds(service)
    await service.post(`/_sandbox/deliveries/${oldest!}/resend/`, {})
    const rows = workbench.rows('Deliveries')
    await expect.poll(() => rows.count()).toBe(4)
    const links = () => rows.locator('.amount').count()
    expect(await links()).toBe(4)
    await expect.poll(() => rows.locator('span.cut .amount').count()).toBe(2)
    await workbench.button('Group by payment').click()
    await expect.poll(() => workbench.address).toBe('/deliveries/?group=none')
    await expect.poll(() => rows.locator('.group-next').count()).toBe(0)
    await workbench.go(`/deliveries/?intent=${first}`)
    await workbench.button(`Intent ${first}`).waitFor()
    await expect.poll(() => rows.count()).toBe(2)
    await workbench.button(`Intent ${first}`).click()
    await expect.poll(() => rows.count()).toBe(4)
  })

  it('shows on a phone what each endpoint did, and filters by it', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open, '/deliveries/', PHONE)
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await service.post(`/_sandbox/deliveries/${id!}/resend/`, { tamper: true })
    await service.post(`/_sandbox/deliveries/${id!}/resend/`)
    endpoint.replyWith(status(401))
    await service.post(`/_sandbox/deliveries/${(await deliveryIds(service))[1]!}/resend/`)
    const rows = workbench.rows('Deliveries')
    await rows.getByText('forgery accepted').waitFor()
    await rows.getByText('401').waitFor()
    await page.getByLabel('Attempts').selectOption('forgery accepted')
    await expect.poll(() => rows.count()).toBe(1)
    expect(workbench.address).toBe('/deliveries/?verdict=accepted-forgery')
    await rows.getByRole('link').first().click()
    // What can be done comes before the body, and the tabs are not cut.
    const places = await Promise.all(
      [
        page.locator('.verdict'),
        workbench.button('Tampered'),
        page.getByRole('tab', { name: 'Compare' }),
      ].map((each) => each.boundingBox()),
    )
    const [verdict, forgery, tab] = places.map((box) => box!)
    expect(verdict!.y).toBeLessThan(forgery!.y)
    expect(forgery!.y).toBeLessThan(tab!.y)
    expect(tab!.x + tab!.width).toBeLessThan(390)
  })

  it('sends several again', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    await pay(service, endpoint.url)
    const rows = workbench.rows('Deliveries')
    await expect.poll(() => rows.count()).toBe(4)
    await page
      .getByRole('checkbox', { name: /^Select intent.processed/ })
      .first()
      .check()
    await page
      .getByRole('checkbox', { name: /^Select transaction/ })
      .first()
      .check()
    await page.getByText('2 selected').waitFor()
    await workbench.button('Resend').click()
    await page.getByText('Sending 2 deliveries again.').waitFor()
    await endpoint.until(6)
    await rows.getByText('2 attempts').nth(1).waitFor()
    await expect.poll(() => page.getByText('selected').count()).toBe(0)

    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByText('4 selected').waitFor()
    await workbench.button('Clear selection').click()
    await page.getByRole('link', { name: 'Test payment' }).last().waitFor()
    expect(endpoint.received).toHaveLength(6)
  })

  it('keeps its place while new deliveries arrive, and says how many there are', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    for (let count = 0; count < 30; count++) await pay(service, endpoint.url)
    const table = page.getByRole('table', { name: 'Deliveries' })
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('61')
    const row = page.locator('[data-index="25"] .select-box')
    const id = await row.getAttribute('data-id')

    // The page asks for the newest rows while it still follows them; when the answer comes, the list was scrolled.
    let release!: () => void
    const newestRows = /_sandbox\/newest\/deliveries\/\?.*limit=100/
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(newestRows, async (route) => {
      await released
      await route.continue()
    })
    const asked = page.waitForRequest(newestRows)
    await pay(service, endpoint.url)
    await asked
    await scrollTo(table, 800)
    await page.locator('[data-index="0"]').waitFor({ state: 'detached' })
    release()
    await workbench.button('2 new').waitFor()
    await expect.poll(() => row.getAttribute('data-id')).toBe(id)
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('61')
    await workbench.button('2 new').click()
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('63')
    expect(await scrolledTo(table)).toBe(0)
    await expect.poll(() => workbench.button('2 new').count()).toBe(0)

    // The way back from a delivery leads to the same place.
    await scrollTo(table, 400)
    await page.locator('[data-index="16"] a').first().click()
    await page.getByRole('heading', { level: 1, name: /processed|successful/ }).waitFor()
    await page.goBack()
    await page.locator('[data-index="16"]').waitFor()
    expect(await scrolledTo(table)).toBe(400)
  })

  it('is empty after a reset', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    await workbench.rows('Deliveries').nth(1).waitFor()
    await service.post('/_sandbox/reset')
    await page.getByText('Every event that the sandbox sends appears here.').waitFor()
    await expect.poll(() => workbench.rows('Deliveries').count()).toBe(0)
  })
})
