import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { pay, Workbench } from '../support/workbench.js'

describeInBrowser('The page: by the keyboard alone', (open) => {
  it('pays, opens a delivery of the payment, sends it again, and goes back', async () => {
    const { endpoint, workbench, page } = await Workbench.open(open, '/payments/new/')
    const { keyboard } = page
    const address = workbench.focused.and(page.getByLabel('Webhook URL'))
    while ((await address.count()) === 0) await keyboard.press('Tab')
    await keyboard.type(endpoint.url)
    await keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: '10.50 EUR' }).waitFor()
    const delivery = page.getByRole('link', { name: /^intent\.processed for / })
    await delivery.waitFor()
    while ((await workbench.focused.and(delivery).count()) === 0) await keyboard.press('Tab')
    await keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'intent.processed' }).waitFor()
    // A screen reader goes on from the heading.
    await expect.poll(() => workbench.focused.innerText()).toBe('intent.processed')
    await keyboard.press('r')
    await endpoint.until(3)
    await keyboard.press('Escape')
    await workbench.rows('Deliveries').nth(1).waitFor()
    expect(workbench.address).toBe('/deliveries/')
    // The address is remembered for the next payment.
    await workbench.go('/payments/new/')
    await expect.poll(() => page.getByLabel('Webhook URL').inputValue()).toBe(endpoint.url)
  })

  it('searches a list, goes from row to row, opens one, and goes back', async () => {
    const { service, workbench, page } = await Workbench.open(open, '/payments/intents/')
    for (const amount of [1, 2, 3]) await service.intent({ amount, custom_fields: { order: 'A B' } })
    await service.intent({ amount: 4 })
    const rows = workbench.rows('Intents')
    await expect.poll(() => rows.count()).toBe(4)
    await page.keyboard.press('/')
    await page.keyboard.type('a b')
    await expect.poll(() => rows.count()).toBe(3)
    expect(workbench.address).toBe('/payments/intents/?search=a+b')
    await page.keyboard.press('Escape')
    for (const [key, text] of [
      ['j', '3.00 EUR'],
      ['ArrowDown', '2.00 EUR'],
      ['j', '1.00 EUR'],
      ['j', '1.00 EUR'],
      ['k', '2.00 EUR'],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => workbench.focused.innerText()).toBe(text)
    }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: '2.00 EUR' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1, name: 'Intents' }).waitFor()
  })

  it('goes from page to page, and shows the keys', async () => {
    const { workbench, page } = await Workbench.open(open, '/settings/')
    const { keyboard } = page
    for (const [key, path] of [
      ['h', '/'],
      ['c', '/compose/'],
      ['p', '/payments/intents/'],
      ['d', '/deliveries/'],
    ] as const) {
      await keyboard.press('g')
      await keyboard.press(key)
      await expect.poll(() => workbench.address).toMatch(new RegExp(`^${path}`))
    }
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor()
    await keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard' })
    await dialog.getByText('Go to Payments').waitFor()
    // Keys of the page do nothing while a dialog is open.
    await keyboard.press('g')
    await keyboard.press('c')
    expect(workbench.address).toBe('/deliveries/')
    await keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  it('skips to the content', async () => {
    const { workbench, page } = await Workbench.open(open)
    await page.keyboard.press('Tab')
    await expect.poll(() => workbench.focused.innerText()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
    expect(workbench.address).toBe('/deliveries/')
  })

  it('keeps the focus and the place in a long list while new rows arrive, and on the way back to it', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    for (let count = 0; count < 20; count++) await pay(service, endpoint.url)
    const table = page.getByRole('table', { name: 'Deliveries' })
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('41')
    await table.evaluate('(table) => void (table.scrollTop = 400)')
    const row = workbench.rows('Deliveries').nth(15).locator('.row-link')
    await row.focus()
    const address = await row.getAttribute('href')
    const top = async () => (await workbench.focused.boundingBox())!.y
    const before = await top()
    await pay(service, endpoint.url)
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('43')
    expect(await workbench.focused.getAttribute('href')).toBe(address)
    await expect.poll(top).toBe(before)
    const scrolled = () => table.evaluate('({ scrollTop }) => scrollTop')
    const place = await scrolled()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /processed|successful/ }).waitFor()
    await page.goBack()
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('43')
    await expect.poll(scrolled).toBe(place)
  })
})
