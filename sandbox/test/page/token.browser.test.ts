import { networkInterfaces } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { startSandbox } from '../../server/index.js'
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

  it('says how to get in again once the sandbox has another token', async () => {
    const first = await startSandbox({ token: 'the-token-of-the-first-start' })
    const { page, problems } = await open(`${first.url}/?token=${first.token!}`)
    await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor()
    await first.close()
    const port = Number(new URL(first.url).port)
    const second = await startSandbox({ port, token: 'the-token-of-the-second-start' })
    onTestFinished(() => second.close())
    await page.getByRole('heading', { name: 'This page needs a token' }).waitFor()
    // The browser writes the connections that fail to the console.
    for (const problem of problems.splice(0)) expect(problem).toMatch(/net::ERR_|status of 401/)
  })
})
