import { expect, it } from 'vitest'
import { systemClock } from '../../server/store/clock.js'
import { describeInBrowser } from '../support/browser.js'
import { Endpoint } from '../support/endpoint.js'
import { temporaryFolder } from '../support/folder.js'
import { DECLINED, Service } from '../support/service.js'
import { deliveryIds, Workbench } from '../support/workbench.js'

describeInBrowser('The page: after a restart with a data folder', (open) => {
  it('shows everything at the same addresses', async () => {
    const dataFolder = temporaryFolder()
    const service = await Service.inFolder(dataFolder, { clock: systemClock })
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    const paid = (await service.intent({ customer, card_token, webhook_url: endpoint.url })).data.id
    const failed = (await service.intent({ webhook_url: endpoint.url })).data.id
    await service.pay(failed, { card: DECLINED })
    await service.sandbox.idle()
    const [newest] = await deliveryIds(service)
    await service.post(`/_sandbox/deliveries/${newest}/resend/`, { tamper: true })
    await service.sandbox.idle()

    const workbench = await Workbench.at(open, service, '/deliveries/')
    const { page } = workbench
    const contents = async (path: string) => {
      await workbench.go(path)
      await page.locator('main [aria-busy="true"]').waitFor({ state: 'detached' })
      // How long ago something was changes by the second.
      return (await page.locator('main').innerText()).replaceAll(/\d+ (s|min) ago|\bnow\b/g, 'ago')
    }
    const addresses: readonly (readonly [path: string, shown: string])[] = [
      ['/deliveries/?type=intent.processed', 'delivered'],
      [`/deliveries/?search=${failed}`, 'transaction.purchase'],
      [`/deliveries/${newest}/`, 'Your endpoint accepted a forgery'],
      [`/intents/${paid}/`, 'PROCESSED'],
      ['/transactions/', 'Failed'],
      [`/customers/${customer}/`, customer],
      ['/cards/', customer],
      ['/keys/', 'account_key_'],
      ['/', 'forgery accepted'],
    ]
    const before: string[] = []
    for (const [path, shown] of addresses) {
      await workbench.go(path)
      await page.locator('main').getByText(shown).filter({ visible: true }).first().waitFor()
      before.push(await contents(path))
    }

    await service.sandbox.close()
    await page.getByText('Offline: trying again').waitFor()
    workbench.problems.splice(0)
    const port = Number(new URL(service.sandbox.url).port)
    await Service.inFolder(dataFolder, { clock: systemClock, port })
    for (const [index, [path]] of addresses.entries()) {
      await expect.poll(() => contents(path), { timeout: 10_000 }).toBe(before[index])
    }
    // Before the sandbox ends, because the page would complain.
    await page.goto('about:blank')
  })
})
