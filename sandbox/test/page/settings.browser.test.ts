import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import type { Service } from '../support/service.js'
import { pay, Workbench } from '../support/workbench.js'

async function faults(service: Service): Promise<unknown> {
  return (await service.get('/_sandbox/overview/')).data['faults']
}

describeInBrowser('The page of settings', (open) => {
  it('sets faults at once, shows those that were set elsewhere, and ends all of them', async () => {
    const { service, page, workbench } = await Workbench.open(open, '/settings/')
    await page.getByRole('checkbox', { name: 'Stale' }).check()
    await expect.poll(() => faults(service)).toEqual({ deliveries: { stale: true } })
    await page.getByLabel('Signature-key endpoint').selectOption('slow')
    await page.getByLabel('How slow, in ms').fill('300')
    await page.getByLabel('How often each fault happens').selectOption('0.1')
    await expect
      .poll(() => faults(service))
      .toEqual({
        deliveries: { stale: true },
        secretEndpoint: { mode: 'slow', delayMs: 300 },
        chance: 0.1,
      })
    await service.faults({ vault: 'down', deliveries: { delayMs: 50 } })
    await expect.poll(() => page.getByRole('checkbox', { name: 'The vault is down' }).isChecked()).toBe(true)
    await expect.poll(() => page.getByRole('checkbox', { name: 'Stale' }).isChecked()).toBe(false)
    await expect.poll(() => page.getByLabel('Delay of each attempt, in ms').inputValue()).toBe('50')
    await page.getByRole('checkbox', { name: 'The vault is down' }).uncheck()
    await expect.poll(() => faults(service)).toEqual({ deliveries: { delayMs: 50 } })
    await workbench.button('End all faults').click()
    await page.getByText('Every fault has ended.').waitFor()
    expect(await faults(service)).toEqual({})
  })

  it('keeps a change of the faults while an older answer is on its way', async () => {
    const { service, page } = await Workbench.open(open, '/settings/')
    const stale = page.getByRole('checkbox', { name: 'Stale' })
    await stale.waitFor()
    const older: (() => Promise<void>)[] = []
    await page.route('**/_sandbox/overview/', async (route) => {
      const response = await route.fetch()
      older.push(() => route.fulfill({ response }))
    })
    await service.faults({})
    await expect.poll(() => older.length).toBeGreaterThan(0)
    await stale.check()
    await expect.poll(() => faults(service)).toEqual({ deliveries: { stale: true } })
    for (const arrive of older.splice(0)) await arrive()
    await page.getByRole('checkbox', { name: 'The vault is down' }).check()
    await expect.poll(() => faults(service)).toEqual({ deliveries: { stale: true }, vault: 'down' })
  })

  it('resets the sandbox after a question', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open, '/settings/')
    await pay(service, endpoint.url)
    await page.getByRole('link', { name: '1 intent' }).waitFor()
    await workbench.button('Reset the sandbox').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset the sandbox' }).click()
    await page.getByText('The sandbox is as it was at its start.').waitFor()
    await page.getByRole('link', { name: '0 intents' }).waitFor()
    expect(await service.deliveries()).toEqual([])
  })

  it('saves a default endpoint, to which intents without a webhook_url send, and removes it', async () => {
    const { service, endpoint, page, workbench } = await Workbench.open(open, '/settings/')
    await page.getByRole('textbox', { name: 'URL' }).fill('ftp://localhost')
    await workbench.button('Save').click()
    await page.getByText('This must be an address').waitFor()
    expect(workbench.problems.splice(0)).toEqual([expect.stringContaining('400')])
    await page.getByRole('textbox', { name: 'URL' }).fill(endpoint.url)
    await page.keyboard.press('Enter')
    await page.getByText(`Events go to ${endpoint.url}.`).waitFor()
    const { id } = (await service.intent()).data
    await service.pay(id)
    await service.sandbox.drained()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    await page.getByRole('textbox', { name: 'URL' }).fill('')
    await workbench.button('Save').click()
    await page.getByText('There is no default endpoint now.').waitFor()
    expect((await service.get('/_sandbox/settings/')).data['default_endpoint']).toBeNull()
  })
})
