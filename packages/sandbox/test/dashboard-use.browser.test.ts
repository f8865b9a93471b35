import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startSandbox, type Sandbox } from '../src/index.js'
import { describeInBrowser } from './support/browser.js'
import { Dashboard } from './support/dashboard.js'
import { Service } from './support/service.js'

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  const wanted = page.locator(':focus').and(page.getByRole('button', { name, exact: true }))
  for (let presses = 0; presses < 100; presses++) {
    await page.keyboard.press(key)
    if ((await wanted.count()) === 1) return
  }
  throw new Error(`Tab does not reach "${name}"`)
}

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

describeInBrowser('The page at /: whoever uses it, and however', (open) => {
  it('the keyboard alone: pay, open a delivery, resend it, close it, and be back where one was', async () => {
    const { endpoint, page } = await Dashboard.open(open)
    const address = page.locator(':focus').and(page.getByLabel('Webhook URL'))
    while ((await address.count()) === 0) await page.keyboard.press('Tab')
    await page.keyboard.type(endpoint.url)
    await tabTo(page, 'Pay')
    await page.keyboard.press('Enter')
    await page.getByText('delivered', { exact: true }).nth(1).waitFor()

    await tabTo(page, 'intent.processed')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'intent.processed' })
    await dialog.waitFor()
    await tabTo(page, 'Resend')
    await page.keyboard.press('Space')
    await page.getByText('Sent once more: the answer was 204.').waitFor()
    expect(endpoint.received).toHaveLength(3)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('intent.processed')
  })

  it('the focus stays where it is when a list changes', async () => {
    const { service, dashboard, endpoint, page } = await Dashboard.open(open)
    await dashboard.pay(endpoint.url)
    await page.getByText('delivered', { exact: true }).nth(1).waitFor()
    const button = dashboard.button('intent.processed')
    await button.focus()
    await page.evaluate('globalThis.focused = document.activeElement')
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id)
    await dashboard.rows('Deliveries', 4)
    await page.getByText('delivered', { exact: true }).nth(3).waitFor()
    expect(await page.evaluate('globalThis.focused === document.activeElement')).toBe(true)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('intent.processed')
  })

  it('has landmarks, one heading of the first level, and names for all that can be used', async () => {
    const { dashboard, endpoint, page } = await Dashboard.open(open)
    await dashboard.pay(endpoint.url)
    await dashboard.rows('Deliveries', 2)
    for (const role of ['banner', 'main'] as const) expect(await page.getByRole(role).count()).toBe(1)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    for (const name of ['Test payment', 'Deliveries', 'Intents', 'Customers and cards']) {
      expect(await page.getByRole('region', { name }).count(), name).toBe(1)
    }
    const columns = page.getByRole('table', { name: 'Deliveries' }).getByRole('columnheader')
    expect(await columns.allInnerTexts()).toEqual(['Event', 'To', 'Attempts', 'Status', 'Created'])
    for (const role of ['button', 'textbox', 'combobox', 'checkbox', 'spinbutton'] as const) {
      const nameless = await page.getByRole(role, { name: /^$/ }).count()
      expect(nameless, role).toBe(0)
    }
    const status = await page.getByRole('status').allInnerTexts()
    expect(status.some((text) => text.startsWith('Paid: '))).toBe(true)
  })

  it.each([360, 768, 1024, 1440])('%i pixels wide: nothing is to be scrolled sideways', async (width) => {
    const { service, dashboard, endpoint, page } = await Dashboard.open(open, {
      viewport: { width, height: 740 },
    })
    expect(await page.evaluate(overflow)).toBe(0)
    await service.savedCard(await service.customer({ first_name: 'Maximiliane'.repeat(10) }))
    await dashboard.pay(endpoint.url)
    await dashboard.rows('Deliveries', 2)
    const closed = page.locator('details:not([open]) > summary')
    while ((await closed.count()) > 0) await closed.first().click()
    await dashboard.button('Show in full').click()
    await page.getByText(service.sandbox.secret).waitFor()
    expect(await page.evaluate(overflow)).toBe(0)
    await dashboard.openDelivery('intent.processed')
    await page.getByText('It verifies').first().waitFor()
    await dashboard.button('Hex').click()
    expect(await page.evaluate(overflow)).toBe(0)
    expect(
      await page.evaluate(
        overflow.replaceAll('document.documentElement', 'document.querySelector("#delivery")'),
      ),
    ).toBe(0)
  })

  it('is dark where that is asked for', async () => {
    const colors: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await Dashboard.open(open, { colorScheme })
      colors.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
    }
    const [light, dark] = colors.map((color) => Number(/\d+/.exec(color)![0]))
    expect(light).toBeGreaterThan(200)
    expect(dark).toBeLessThan(60)
  })

  it('nothing moves where that is not wanted', async () => {
    const duration = "getComputedStyle(document.getElementById('reset')).transitionDuration"
    const moving = await Dashboard.open(open, { reducedMotion: 'no-preference' })
    expect(await moving.page.evaluate(duration)).not.toBe('0s')
    const { page } = await Dashboard.open(open, { reducedMotion: 'reduce' })
    expect(await page.evaluate(duration)).toBe('0s')
    expect(await page.evaluate('document.getAnimations().length')).toBe(0)
  })

  it('lists are in pages; the button that ends has no focus to lose', async () => {
    const { service, dashboard, page } = await Dashboard.open(open)
    for (let i = 0; i < 25; i++) await service.intent({ amount: i + 1 })
    await page.getByText('1 to 20 of 25').waitFor()
    const rows = await dashboard.rows('Intents', 20)
    expect(await rows.count()).toBe(20)
    expect(await rows.first().innerText()).toContain('25 EUR')
    await dashboard.button('Older').click()
    await page.getByText('21 to 25 of 25').waitFor()
    expect(await rows.last().innerText()).toContain('1 EUR')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Newer')
    expect(await dashboard.button('Older').isDisabled()).toBe(true)
    await service.post('/_sandbox/reset')
    await page.getByText('There are no intents.').waitFor()
    await service.intent()
    expect(await (await dashboard.rows('Intents', 1)).count()).toBe(1)
  })

  it('shows what merchants and endpoints write as text, and runs none of it', async () => {
    const { service, dashboard, endpoint, page } = await Dashboard.open(open)
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    endpoint.replyWith((response) => response.writeHead(200, { 'X-Html': hostile }).end(hostile))
    const customer = await service.customer({ first_name: hostile })
    const fields = { customer, webhook_url: endpoint.url, custom_fields: { [hostile]: hostile } }
    const { id } = (await service.intent(fields)).data
    await service.pay(id)
    await page.getByText('delivered', { exact: true }).nth(1).waitFor()
    await dashboard.rows('Customers and cards', 1)
    await dashboard.openDelivery('intent.processed')
    await page.getByText('It verifies').first().waitFor()
    expect(await page.getByLabel('Answer', { exact: true }).last().innerText()).toContain(hostile)
    expect(await page.locator('img, body script').count()).toBe(0)
    expect(await page.title()).toBe('Sandbox of the payment service')
  })

  it('says when it is not connected, and comes back by itself with what it missed', async () => {
    const service = await Service.start({}, 'real time')
    const others: Sandbox[] = []
    // They outlive the page, which would complain.
    onTestFinished(async () => {
      for (const other of others) await other.close()
    })
    const dashboard = new Dashboard(await open(`${service.sandbox.url}/dashboard/`))
    const { page, problems } = dashboard
    await dashboard.isConnected()
    await service.intent()
    await dashboard.rows('Intents', 1)
    await service.sandbox.close()
    await page.getByText('Not connected: trying again').waitFor()
    await dashboard.button('Pay').click()
    await page.getByText('The sandbox does not answer. Is it still running?').waitFor()

    others.push(await startSandbox({ seed: 'test', port: Number(new URL(service.sandbox.url).port) }))
    await dashboard.isConnected()
    await page.getByText('There are no intents.').waitFor()
    // The browser tells of every connection that fails.
    for (const problem of problems.splice(0)) expect(problem).toMatch(/^Failed to load resource: net::ERR_/)
  })
})
