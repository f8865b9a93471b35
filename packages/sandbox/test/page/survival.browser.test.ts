import { expect, it } from 'vitest'
import { axeViolationsInBothThemes } from '../support/axe.js'
import { describeInBrowser, type Open } from '../support/browser.js'
import { Service } from '../support/service.js'
import { MISTAKEN, survivingEndpoint, type SurvivingEndpoint } from '../support/surviving-endpoint.js'
import { pay, Workbench } from '../support/workbench.js'

/** Each test on the page, and the verdict about an endpoint that is right. */
const TESTS = [
  ['Another account', 'It refuses them.'],
  ['The other mode', 'It refuses them.'],
  ['Lost deliveries', 'It accepts the retry.'],
  ['Out of order', 'It accepts both.'],
  ['Ten copies at once', 'It handles one of them.'],
  ['A burst of 1,000', 'It accepts all.'],
  ['A slow provider', 'It accepts both.'],
] as const

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

function merchantOf({ sandbox, clock }: Service) {
  return { secret: sandbox.secret, account: sandbox.accountId, clock }
}

/** Lets the time pass that a test waits for, once it has so many answers. */
async function letPass(service: Service, url: string, test: string, done: number, milliseconds: number) {
  await expect
    .poll(async () => {
      const { list } = await service.get(`/_sandbox/survival/?url=${encodeURIComponent(url)}`)
      return list.find((each) => each['test'] === test)!['last_run']
    })
    .toMatchObject({ done })
  service.clock.advance(milliseconds)
}

/** The page of endpoints, with one that knows a payment. */
async function opened(open: Open, service: Service, { url }: SurvivingEndpoint, width = 1280) {
  await pay(service, url)
  const workbench = await Workbench.at(open, service, '/endpoints/', { viewport: { width, height: 800 } })
  const testOf = (title: string) =>
    workbench.page
      .getByRole('listitem')
      .filter({ has: workbench.page.getByRole('button', { name: `Test: ${title}` }) })
  return { workbench, page: workbench.page, testOf }
}

describeInBrowser('What an endpoint must survive', (open) => {
  it.each([1280, 390])('is tested with one click each, %i pixels wide', async (width) => {
    const service = await Service.start()
    const endpoint = await survivingEndpoint(merchantOf(service))
    const { workbench, page, testOf } = await opened(open, service, endpoint, width)
    for (const [title, verdict] of TESTS) {
      await workbench.button(`Test: ${title}`).click()
      if (title === 'Lost deliveries') await letPass(service, endpoint.url, 'lost', 1, 1000)
      if (title === 'A slow provider') await letPass(service, endpoint.url, 'slow-provider', 2, 5000)
      const status = testOf(title).getByRole('status')
      // A burst takes its time on a busy machine.
      await status.getByText('passed', { exact: true }).waitFor({ timeout: 60_000 })
      await status.getByText(verdict).waitFor()
    }
    expect(await axeViolationsInBothThemes(page)).toEqual([])
    expect(await page.evaluate(OVERFLOW)).toBe(0)
    await testOf('Out of order').getByRole('link').first().click()
    await expect.poll(() => workbench.address).toMatch(/^\/deliveries\/dlv_/)
    await page.goBack()
    await testOf('The other mode').getByRole('link', { name: 'The audit of it' }).click()
    await page.getByText('The endpoint answered all 1 case correctly.').waitFor()
  })

  it('is tested with the keyboard, and one test at a time', async () => {
    const service = await Service.start()
    const endpoint = await MISTAKEN['lost']!(merchantOf(service), false)
    const { workbench, page, testOf } = await opened(open, service, endpoint)
    const button = workbench.button('Test: Lost deliveries')
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('progressbar', { name: 'Answers: Lost deliveries' }).waitFor()
    await expect.poll(() => workbench.button('Test: Another account').isDisabled()).toBe(true)
    await letPass(service, endpoint.url, 'lost', 1, 1000)
    const status = testOf('Lost deliveries').getByRole('status')
    await status.getByText('failed', { exact: true }).waitFor()
    await status
      .getByText('Answer 2xx to a delivery that was handled already, and do nothing else.')
      .waitFor()
    await expect.poll(() => button.isEnabled()).toBe(true)
    await workbench.button('Test: Ten copies at once').click()
    const copies = testOf('Ten copies at once').getByRole('status')
    await copies
      .getByText('you decide')
      .or(copies.getByText('passed', { exact: true }))
      .waitFor()
    await page.getByText('What it must survive').click()
    await expect.poll(() => button.count()).toBe(0)
  })

  it('gets no burst elsewhere before that is allowed', async () => {
    const service = await Service.start({ allowRemote: true }, 'real time')
    const url = 'http://sandbox.invalid/webhooks'
    const { workbench, page } = await opened(open, service, { url, handled: [] })
    const button = workbench.button('Test: A burst of 1,000')
    await expect.poll(() => button.isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'It is not on this machine, and may get a burst' }).check()
    await button.click()
    await page.getByRole('status').getByText('failed', { exact: true }).waitFor()
    await page
      .getByText(/The name sandbox\.invalid is unknown/)
      .first()
      .waitFor()
  })
})
