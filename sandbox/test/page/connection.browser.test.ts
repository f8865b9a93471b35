import { expect, it, onTestFinished } from 'vitest'
import { startSandbox, type Sandbox } from '../../server/index.js'
import { describeInBrowser } from '../support/browser.js'
import { Endpoint } from '../support/endpoint.js'
import { Service } from '../support/service.js'
import { pay, Workbench } from '../support/workbench.js'

describeInBrowser('The page: connection', (open) => {
  it('says when it is not connected, and shows what it missed once it is', async () => {
    const service = await Service.start({}, 'real time')
    const endpoint = await Endpoint.start()
    const others: Sandbox[] = []
    // They outlive the page, which would complain.
    onTestFinished(async () => {
      for (const other of others) await other.close()
    })
    const workbench = await Workbench.at(open, service, '/deliveries/')
    const { page, problems } = workbench
    await pay(service, endpoint.url)
    await workbench.rows('Deliveries').nth(1).waitFor()
    await service.sandbox.close()
    await page.getByText('Offline', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Test payment' }).isDisabled()).toBe(true)
    // What was loaded stays; what is asked for says why it fails.
    await expect.poll(() => workbench.rows('Deliveries').count()).toBe(2)
    await page.getByRole('link', { name: 'Payments' }).click()
    await page.getByText('The sandbox does not answer. Is it still running?').waitFor()
    await page.goBack()

    others.push(await startSandbox({ seed: 'test', port: Number(new URL(service.sandbox.url).port) }))
    await workbench.isConnected()
    await page.getByText('Every event that the sandbox sends appears here.').waitFor()
    // The browser writes every connection that fails to the console. A look for changes that was due meanwhile may reach the
    // new sandbox before the page knows that it is another one, and asks for a row that is gone.
    for (const problem of problems.splice(0)) {
      expect(problem).toMatch(
        /^Failed to load resource: (net::ERR_|the server responded with a status of 404)/,
      )
    }
  })

  it('uses no connection while its tab is in the background, and shows what it missed after that', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await page.evaluate(
      "Object.defineProperty(document, 'hidden', { value: true, configurable: true });" +
        "document.dispatchEvent(new Event('visibilitychange'))",
    )
    await page.getByText('Offline').waitFor()
    await pay(service, endpoint.url)
    await expect.poll(() => workbench.rows('Deliveries').count()).toBe(0)
    await page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    await workbench.isConnected()
    await workbench.rows('Deliveries').nth(1).waitFor()
  })

  it('loads nothing from elsewhere, and nothing inline', async () => {
    const { workbench, page } = await Workbench.open(open)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    for (const path of ['/deliveries/', '/compose/', '/settings/keys/']) await workbench.go(path)
    expect(requests.length).toBeGreaterThan(6)
    const { origin } = new URL(workbench.service.sandbox.url)
    for (const url of requests) expect(new URL(url).origin).toBe(origin)
    const html = await (await fetch(`${origin}/`)).text()
    expect(html).not.toMatch(/ style=| on[a-z]+=|<style|<script(?![^>]* src=)/)
  })
})
