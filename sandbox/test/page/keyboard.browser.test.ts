import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { pay, Workbench } from '../support/workbench.js'

describeInBrowser('The page: by the keyboard alone', (open) => {
  it('pays, opens a delivery, sends it again, breaks it, and goes back', async () => {
    const { endpoint, workbench, page } = await Workbench.open(open)
    const { keyboard } = page
    const address = workbench.focused.and(page.getByLabel('Webhook URL'))
    while ((await address.count()) === 0) await keyboard.press('Tab')
    await keyboard.type(endpoint.url)
    await keyboard.press('Enter')
    const rows = workbench.rows('Deliveries')
    await rows.getByText('delivered', { exact: true }).nth(1).waitFor()

    await keyboard.press('j')
    await expect.poll(() => workbench.focused.innerText()).toBe('intent.processed')
    await keyboard.press('ArrowDown')
    await expect.poll(() => workbench.focused.innerText()).toBe('transaction.purchase.successful')
    await keyboard.press('k')
    await expect.poll(() => workbench.focused.innerText()).toBe('intent.processed')
    await keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'intent.processed' }).waitFor()
    await expect.poll(() => workbench.focused.innerText()).toBe('intent.processed')

    await keyboard.press('r')
    await page.getByText('Attempt 2').first().waitFor()
    expect(endpoint.received).toHaveLength(3)
    const tampered = workbench.focused.and(workbench.button('Tampered'))
    while ((await tampered.count()) === 0) await keyboard.press('Tab')
    await keyboard.press('Space')
    await page.getByText('Your endpoint accepted a forgery').waitFor()
    await keyboard.press('k')
    await expect.poll(() => workbench.button(/^Attempt 2/).getAttribute('aria-pressed')).toBe('true')
    const body = workbench.focused.and(page.getByRole('tab', { name: 'Body' }))
    while ((await body.count()) === 0) await keyboard.press('Tab')
    await keyboard.press('ArrowRight')
    await page.getByText('Does it verify?').waitFor()
    await expect.poll(() => workbench.focused.innerText()).toBe('Request')
    await keyboard.press('ArrowLeft')
    await keyboard.press('ArrowLeft')
    await expect.poll(() => workbench.focused.innerText()).toBe('Answer')

    await keyboard.press('Escape')
    await rows.nth(1).waitFor()
    expect(workbench.address).toBe('/deliveries/')
  })

  it('searches', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    const { keyboard } = page
    const intent = await pay(service, endpoint.url)
    await pay(service, endpoint.url)
    const rows = workbench.rows('Deliveries')
    await expect.poll(() => rows.count()).toBe(4)
    await keyboard.press('/')
    await keyboard.type(intent)
    await expect.poll(() => workbench.address).toBe(`/deliveries/?search=${intent}`)
    await page.locator('.table[aria-busy="false"]').waitFor()
    await expect.poll(() => rows.count()).toBe(2)
  })

  it('composes an event of an unknown family, and audits an endpoint', async () => {
    const { endpoint, workbench, page } = await Workbench.open(open)
    const { keyboard } = page
    const tabTo = async (target: Locator) => {
      const focused = workbench.focused.and(target)
      while ((await focused.count()) === 0) await keyboard.press('Tab')
    }
    await keyboard.press('g')
    await keyboard.press('c')
    await tabTo(page.getByLabel('Begin with'))
    await keyboard.type('Unknown: An unknown family')
    await page.getByText('Not recognized: the type is unknown.').waitFor()
    await tabTo(page.getByLabel('Webhook URL'))
    await keyboard.type(endpoint.url)
    await keyboard.press('Tab')
    await keyboard.press('s')
    await page.getByRole('table', { name: 'Sent' }).getByText('204').waitFor()
    expect(endpoint.events[0]).toMatchObject({ type: 'dispute.opened' })

    await tabTo(page.getByRole('link', { name: 'dispute.opened' }))
    await keyboard.press('g')
    await keyboard.press('a')
    await tabTo(page.getByRole('combobox', { name: 'Endpoint' }))
    await keyboard.type(endpoint.url)
    await keyboard.press('Enter')
    await page.getByText('It does not verify signatures.').waitFor()
  })

  it('goes from page to page, and shows the keys', async () => {
    const { workbench, page } = await Workbench.open(open)
    const { keyboard } = page
    for (const [key, path] of [
      ['c', '/compose/'],
      ['k', '/keys/'],
      ['d', '/deliveries/'],
    ] as const) {
      await keyboard.press('g')
      await keyboard.press(key)
      await expect.poll(() => workbench.address).toBe(path)
    }
    await keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard' })
    await dialog.getByText('Next row').waitFor()
    await dialog.getByText('Go to Compose').waitFor()
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

  it('reaches every row of a list that is longer than the screen', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    for (let count = 0; count < 25; count++) await pay(service, endpoint.url)
    const table = page.getByRole('table', { name: 'Deliveries' })
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('51')
    for (let presses = 0; presses < 50; presses++) await page.keyboard.press('j')
    const row = workbench.focused.locator('xpath=ancestor::*[@data-index]')
    await expect.poll(() => row.getAttribute('data-index')).toBe('49')
  })

  it('keeps the focus where it is while new rows arrive', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    await workbench.rows('Deliveries').nth(1).waitFor()
    await page.keyboard.press('j')
    const link = await workbench.focused.getAttribute('href')
    await pay(service, endpoint.url)
    await workbench.button('2 new').waitFor()
    await expect.poll(() => workbench.focused.getAttribute('href')).toBe(link)
    await expect.poll(() => workbench.rows('Deliveries').count()).toBe(2)
    const fresh = workbench.focused.and(workbench.button('2 new'))
    while ((await fresh.count()) === 0) await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => workbench.rows('Deliveries').count()).toBe(4)
  })
})
