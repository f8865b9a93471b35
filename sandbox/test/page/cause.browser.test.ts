import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { Endpoint, status } from '../support/endpoint.js'
import { guardedEndpoint } from '../support/guarded-endpoint.js'
import {
  earlyEndpoint,
  proxiedEndpoint,
  reprintingEndpoint,
  slowEndpoint,
} from '../support/mistaken-endpoints.js'
import { Service } from '../support/service.js'
import { Workbench } from '../support/workbench.js'

const MISTAKES = [
  [
    'JSON.stringify(req.body)',
    ({ sandbox }: Service) => reprintingEndpoint(sandbox.secret),
    'Your endpoint refused 2 deliveries.',
    'The body was printed again',
    'Verify the raw bytes',
  ],
  [
    'another secret',
    () => guardedEndpoint({ secret: 'of_another_start' }),
    'Your endpoint refused 2 deliveries.',
    'Probably another secret',
    'Give your endpoint the secret of this sandbox',
  ],
  [
    '200 to everything',
    async () => {
      const endpoint = await Endpoint.start()
      endpoint.replyWith(status(200))
      return endpoint
    },
    'Your endpoint accepted a forgery.',
    'Your endpoint accepts forgeries',
    'Verify first',
  ],
  [
    'a proxy that prints the body again',
    ({ sandbox }: Service) => proxiedEndpoint(sandbox.secret),
    'Your endpoint refused 2 deliveries.',
    'The body was printed again',
    'a proxy in front of it prints the body again',
  ],
  [
    'a clock that is an hour ahead',
    ({ sandbox }: Service) => earlyEndpoint(sandbox.secret),
    'Your endpoint refused 2 deliveries.',
    'Probably the clock of your endpoint',
    'Set the clock',
  ],
  [
    'a slow handler',
    ({ sandbox, clock }: Service) => slowEndpoint(sandbox.secret, clock),
    'Your endpoint accepted 2 deliveries.',
    'Your endpoint took 7.2 s',
    'Answer once the event is stored',
  ],
] as const

describeInBrowser('The page: the cause of a first failure', (open) => {
  it.each(MISTAKES)(
    '%s: it is in the list, in the delivery, its steps and the intent',
    async (_, endpoint, outcome, title, fix) => {
      const service = await Service.start({ checks: 'own' })
      const { url } = await endpoint(service)
      const workbench = await Workbench.at(open, service, '/deliveries/')
      const { page } = workbench
      await page.getByText(`WEBHOOK_SECRET=${service.sandbox.secret}`).waitFor()
      await page.getByLabel('Webhook URL').fill(url)
      await workbench.button('Pay a test payment').click()
      await page.getByText(outcome).waitFor()
      const rows = workbench.rows('Deliveries')
      await rows.locator('.cause-short:visible', { hasText: title }).first().waitFor()
      await page.getByRole('link', { name: 'transaction.purchase.successful' }).click()
      const verdict = page.locator('.verdict')
      await verdict.getByText(title).waitFor()
      await verdict.getByText(fix).waitFor()

      await page.getByRole('tab', { name: 'Step by step' }).click()
      const steps = page.getByRole('tabpanel').getByRole('status').first()
      await steps.getByText(title).waitFor()
      await expect
        .poll(() => page.getByLabel('Header: the value of Service-Signature').isVisible())
        .toBe(false)

      await page.getByRole('link', { name: /^10\.50 EUR/ }).click()
      await page.getByRole('list', { name: 'What happened' }).getByText(title).first().waitFor()
    },
  )

  it('shows the line for .env and the command where the secret is in question', async () => {
    const service = await Service.start({ checks: 'all' })
    const { url, handled } = await guardedEndpoint({ secret: 'of_another_start' })
    const { id } = (await service.intent({ webhook_url: url })).data
    await service.pay(id)
    await service.sandbox.idle()
    const workbench = await Workbench.at(open, service, '/deliveries/')
    const { page } = workbench
    const copied = await workbench.copied()
    await page.getByRole('link', { name: 'transaction.purchase.successful' }).click()
    await page.getByText('check: forgery refused: signed as printed again').waitFor()
    await page.getByText(`WEBHOOK_SECRET=${service.sandbox.secret}`).waitFor()
    await workbench.button('Copy the secret').click()
    await expect.poll(copied).toBe(`WEBHOOK_SECRET=${service.sandbox.secret}`)
    await workbench.button('Copy the command').click()
    await expect
      .poll(copied)
      .toMatch(/^npx service-signature explain --request http.*\/deliveries\/dlv_\w+\/$/)
    expect(handled).toEqual([])
  })

  it('ends in the steps as soon as the case is edited', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    endpoint.replyWith(status(401))
    const { id } = (await service.intent({ webhook_url: endpoint.url })).data
    await service.pay(id)
    await service.sandbox.idle()
    const [delivery] = (await service.get('/_sandbox/newest/deliveries/')).list
    await workbench.go(`/deliveries/${delivery!.id}/?view=steps`)
    const steps = page.getByRole('tabpanel').getByRole('status').first()
    await steps.getByText('Another secret, or a changed body?').waitFor()
    await page.getByText('Change the body, the header, the keys or the rules').click()
    await page.getByLabel('Tolerance in seconds').fill('299')
    await steps.getByText('This delivery verifies').waitFor()
    await expect.poll(() => steps.getByText('Another secret').count()).toBe(0)
  })
})
