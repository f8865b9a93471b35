import { expect, it } from 'vitest'
import { axeViolations, axeViolationsInBothThemes } from '../support/axe.js'
import { describeInBrowser } from '../support/browser.js'
import { Endpoint, status } from '../support/endpoint.js'
import { Service } from '../support/service.js'
import { deliveryIds, pay, Workbench } from '../support/workbench.js'

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Each page of these sections as it is with data, and what must be seen before it is looked at. */
const PAGES: readonly (readonly [path: string, text: string])[] = [
  ['/', 'Forgeries accepted'],
  ['/deliveries/', 'transaction.purchase.successful'],
  ['/deliveries/?status=dead', 'No delivery fits these filters.'],
  ['/deliveries/:id/', 'Your endpoint accepted a forgery'],
  ['/deliveries/:id/?view=request', 'Other headers'],
  ['/deliveries/:id/?view=answer', 'The answer has no body.'],
  ['/compose/', 'Recognized: transaction.purchase.successful'],
  ['/compose/?template=without-type', 'Not recognized'],
  ['/no-such-page/', 'This page does not exist'],
]

describeInBrowser('The page: accessibility', (open) => {
  it.each([1280, 390])('has no violation on any page in either theme: %i pixels wide', async (width) => {
    const service = await Service.start({}, 'real time')
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500), status(204))
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await service.post(`/_sandbox/deliveries/${id!}/resend/`, { tamper: true })
    const options = { viewport: { width, height: 800 } }
    const workbench = await Workbench.at(open, service, '/deliveries/', options)
    const { page } = workbench
    for (const [path, text] of PAGES) {
      await workbench.go(path.replace(':id', id!))
      await page.getByText(text).filter({ visible: true }).first().waitFor()
      expect(await axeViolationsInBothThemes(page), path).toEqual([])
      expect(await page.evaluate(OVERFLOW), path).toBe(0)
      expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1)
      expect(await page.getByRole('main').count(), path).toBe(1)
    }
    // The browser writes to the console that the last page does not exist.
    expect(workbench.problems.splice(0)).toEqual([expect.stringContaining('404')])
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    expect(await axeViolationsInBothThemes(page)).toEqual([])
  })

  it('has no violation where nothing was sent yet', async () => {
    const { page } = await Workbench.open(open)
    await page.getByText('Every event that the sandbox sends').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  it('keeps the theme that was chosen, and follows the system until then', async () => {
    const { workbench, page } = await Workbench.open(open, '/deliveries/', { colorScheme: 'dark' })
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const dark = await ground()
    await page.getByRole('button', { name: 'Theme: system' }).click()
    await page.getByRole('button', { name: 'Theme: light' }).waitFor()
    const light = await ground()
    expect(light).not.toBe(dark)
    await page.reload()
    await workbench.isConnected()
    expect(await ground()).toBe(light)
    await page.getByRole('button', { name: 'Theme: light' }).click()
    expect(await ground()).toBe(dark)
    await page.getByRole('button', { name: 'Theme: dark' }).click()
    await page.getByRole('button', { name: 'Theme: system' }).waitFor()
  })

  it('moves nothing where that is not wanted', async () => {
    const { page } = await Workbench.open(open, '/deliveries/', { reducedMotion: 'reduce' })
    const transition = 'getComputedStyle(document.querySelector(".button")).transitionDuration'
    expect(await page.evaluate(transition)).toBe('0s')
  })

  it('says what each row of a long list is, and where the list ends', async () => {
    const { service, endpoint, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    const table = page.getByRole('table', { name: 'Deliveries' })
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('3')
    const columns = await table.getByRole('columnheader').allInnerTexts()
    expect(columns).toEqual(['Event', 'Payment', 'Endpoint', 'Last attempt', 'Status', 'Created'])
    const rows = table.getByRole('row')
    await expect.poll(() => rows.count()).toBe(3)
    await expect.poll(() => rows.nth(2).getAttribute('aria-rowindex')).toBe('3')
    await expect.poll(() => rows.nth(2).getByRole('cell').count()).toBe(6)
  })

  it('opens the navigation on a narrow screen, and closes it after a choice', async () => {
    const { page, workbench } = await Workbench.open(open, '/deliveries/', {
      viewport: { width: 390, height: 800 },
    })
    const link = page.getByRole('link', { name: 'Compose', exact: true }).first()
    await workbench.button('Menu').click()
    const navigation = page.getByRole('navigation', { name: 'Pages' })
    await navigation.getByRole('link', { name: 'Compose' }).click()
    await page.getByRole('heading', { level: 1, name: 'Compose' }).waitFor()
    await expect.poll(() => navigation.isVisible()).toBe(false)
    await expect.poll(() => link.count()).toBe(0)
  })
})
