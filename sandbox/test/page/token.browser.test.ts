import { networkInterfaces } from 'node:os'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { Endpoint } from '../support/endpoint.js'
import { Service } from '../support/service.js'

const LAN = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses!)
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

describeInBrowser('The page with a token', (open) => {
  it('says how to get in, and with ?token= pays, follows and exports as on this machine', async () => {
    const service = await Service.start({ host: '0.0.0.0' }, 'real time')
    const { url, token } = service.sandbox
    const address = LAN === undefined ? url : `http://${LAN}:${new URL(url).port}`
    const endpoint = await Endpoint.start()
    const { page, problems } = await open(`${address}/`)
    await page.getByRole('heading', { name: 'This page needs a token' }).waitFor()
    await page.getByText('?token=').first().waitFor()
    expect(problems.splice(0)).toEqual([expect.stringContaining('401')])

    await page.goto(`${address}/?token=${token!}`)
    await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor()
    expect(page.url()).toBe(`${address}/`)
    expect(await page.evaluate('document.cookie')).toBe('')
    await page.getByLabel('Webhook URL').fill(endpoint.url)
    await page.getByRole('button', { name: 'Pay a test payment', exact: true }).click()
    await page.getByRole('row').getByText('accepted', { exact: true }).waitFor()
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])

    const downloading = page.waitForEvent('download')
    const [delivery] = await service.deliveries()
    const href = `/_sandbox/deliveries/${delivery!.id}/export/?format=har`
    await page.evaluate(
      `Object.assign(document.createElement('a'), { href: '${href}', download: '' }).click()`,
    )
    expect((await downloading).suggestedFilename()).toBe(`${delivery!.id}.har`)
    await page.reload()
    await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor()
  })
})
