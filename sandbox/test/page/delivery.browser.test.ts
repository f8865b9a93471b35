import { expect, it } from 'vitest'
import { describeInBrowser, type Open } from '../support/browser.js'
import { guardedEndpoint } from '../support/express-endpoints.js'
import { ok, status } from '../support/endpoint.js'
import { Service } from '../support/service.js'
import { partsOf } from '../support/signature.js'
import { deliveryIds, pay, Workbench } from '../support/workbench.js'

const FORGERIES = [
  ['Tampered', 'the amount was changed after signing', 'Changed after signing (tamper): at character'],
  ['Stale', 'it was signed an hour ago', 'Signed with a time that was an hour old'],
  ['Wrong secret', 'it was signed with another secret', 'Signed with another secret and another API key'],
  ['No signature', 'it had no signature', 'Sent without Service-Signature'],
] as const

/** The page of a delivery, which the endpoint has answered. */
async function deliveryPage(open: Open, reply = ok, fields = {}) {
  const opened = await Workbench.open(open)
  const { service, endpoint, workbench } = opened
  endpoint.replyWith(reply)
  await pay(service, endpoint.url, fields)
  const path = `/deliveries/${(await deliveryIds(service))[0]!}/`
  await workbench.go(path)
  return { ...opened, path }
}

describeInBrowser('The page: one delivery', (open) => {
  it('finds the cause with copies, which are not attempts, and says of each what differs', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    const guarded = await guardedEndpoint({ secret: service.sandbox.secret })
    const attempts = page.getByRole('list', { name: 'Attempts' })
    const copies = page.getByRole('list', { name: 'Diagnostic copies' })
    const verdict = page.locator('.verdict')
    for (const [url, outcome, tone] of [
      [guarded.url, 'refused', 'good'],
      [endpoint.url, 'accepted', 'bad'],
    ] as const) {
      await pay(service, url)
      const [id] = await deliveryIds(service)
      await workbench.go(`/deliveries/${id!}/`)
      await workbench.button('Find the cause').click()
      await expect.poll(() => copies.getByText(outcome).count()).toBe(5)
      expect(await attempts.getByText(/^Attempt \d/).count()).toBe(1)
      for (const [button, reason, difference] of FORGERIES) {
        await copies.getByRole('button', { name: button }).click()
        await verdict.getByText(reason).first().waitFor()
        await verdict.getByText(difference).waitFor()
        await expect.poll(() => verdict.getAttribute('data-tone')).toBe(tone)
      }
    }
    expect(guarded.handled).toHaveLength(2)
  })

  it('shows the attempts that are planned, and those that follow if they fail', async () => {
    const { endpoint, workbench, page, path } = await deliveryPage(open, status(500))
    await page.getByText('Your endpoint refused a valid delivery: it answered 500.').waitFor()
    const timeline = page.getByRole('list', { name: 'Attempts' })
    await timeline.getByText('if that fails').last().waitFor()
    // Copies do not count: the last of six attempts stays the sixth.
    await workbench.button('Find the cause').click()
    await workbench.button(/^Re-serialized/).waitFor()
    expect(await timeline.getByText('Attempt 6').count()).toBe(1)
    expect(await timeline.getByText('Attempt 7').count()).toBe(0)
    // The next attempt appears by itself, with its verdict.
    endpoint.replyWith(ok)
    await page.getByText('Your endpoint accepted it: it answered 204.').waitFor()
    await page.getByRole('heading', { level: 1 }).locator('..').getByText('delivered').waitFor()
    await workbench.button(/^Attempt 1/).click()
    await page.getByText('Your endpoint refused a valid delivery: it answered 500.').waitFor()
    expect(workbench.address).toBe(`${path}?attempt=1`)
  })

  it('shows the body as it was sent, and marks what was changed after signing', async () => {
    const fields = { custom_fields: { note: 'Zo\u00eb' } }
    const { endpoint, workbench, page } = await deliveryPage(open, ok, fields)
    await workbench.button('Raw').click()
    const body = page.getByLabel('Body as it was sent')
    await expect.poll(() => body.textContent()).toBe(endpoint.received[1]!.bytes.toString())
    await workbench.button('Find the cause').click()
    await workbench.button(/^Tampered/).click()
    await expect.poll(() => body.textContent()).toBe(endpoint.received[2]!.bytes.toString())
    await expect.poll(() => body.locator('mark').innerText()).toBe('2')
    await expect.poll(() => body.locator('mark').getAttribute('title')).toBe('Signed: 1')
  })

  it('shows the request with its signature and what "explain" says, and follows a rotation', async () => {
    const { service, endpoint, workbench, page, path } = await deliveryPage(open)
    await page.getByRole('tab', { name: 'Request' }).click()
    expect(workbench.address).toBe(`${path}?view=request`)
    const panel = page.getByRole('tabpanel', { name: 'Request' })
    const { t, v1, v2, v3 } = partsOf(endpoint.received[1]!)
    for (const text of [t, v1, v2, v3, 'service-signature-sandbox']) {
      await panel.getByText(text, { exact: true }).waitFor()
    }
    await panel.getByText('It verifies: v1, v2, v3 match').waitFor()
    await service.post('/_sandbox/secret/rotate/')
    await expect.poll(() => panel.getByLabel('Report').textContent()).toContain('other-secret')
  })

  it('shows the cause, and how to answer what is still in question', async () => {
    const service = await Service.start({ checks: 'all' })
    const { url, handled } = await guardedEndpoint({ secret: 'of_another_start' })
    await pay(service, url)
    const [, id] = await deliveryIds(service)
    const workbench = await Workbench.at(open, service, `/deliveries/${id!}/`)
    const { page } = workbench
    const copied = await workbench.copied()
    await page.locator('.verdict').getByText('Probably another secret').waitFor()
    await page.getByRole('list', { name: 'Diagnostic copies' }).getByText('401 refused').waitFor()
    await workbench.button('Copy the secret').click()
    await expect.poll(copied).toBe(`WEBHOOK_SECRET=${service.sandbox.secret}`)
    await workbench.button('Copy the command').click()
    await expect
      .poll(copied)
      .toMatch(/^npx service-signature explain --request http.*\/deliveries\/dlv_\w+\/$/)
    expect(handled).toEqual([])
  })

  it('copies an attempt as a command, a fixture and a test vector', async () => {
    const { service, endpoint, workbench, page } = await deliveryPage(open)
    const copied = await workbench.copied()
    const { bytes, headers } = endpoint.received[1]!
    for (const [button, text] of [
      ['curl', 'curl'],
      ['Fixture', 'service-signature-delivery'],
      ['Test vector', service.sandbox.secret],
      ['HAR', '"version": "1.2"'],
      ['Copy', bytes.toString('utf8')],
    ] as const) {
      await workbench.button(button).click()
      await expect.poll(copied).toContain(text)
    }
    await page.getByRole('tab', { name: 'Request' }).click()
    await workbench.button('Copy the header').click()
    await expect.poll(copied).toBe(headers['service-signature'])
  })

  it('sends the same bytes again, and shows that attempt', async () => {
    const { endpoint, workbench, page, path } = await deliveryPage(open)
    await workbench.go(`${path}?attempt=1`)
    await workbench.button('Resend').click()
    await page.getByRole('button', { name: /^Attempt 2/, pressed: true }).waitFor()
    expect(workbench.address).toBe(path)
    const [, first, again] = endpoint.received
    expect(again!.bytes).toEqual(first!.bytes)
  })

  it('shows what merchants and endpoints write as text, and runs none of it', async () => {
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    const fields = { custom_fields: { [hostile]: hostile } }
    const { page } = await deliveryPage(
      open,
      (response) => response.writeHead(202, { 'X-Html': hostile }).end(hostile),
      fields,
    )
    await page.getByRole('tabpanel').getByText('onerror').first().waitFor()
    await page.locator('.verdict').getByText(`It says: ${hostile}`).waitFor()
    await page.getByRole('tab', { name: 'Answer' }).click()
    for (const text of ['202', 'x-html', hostile]) {
      await expect.poll(() => page.getByRole('tabpanel').innerText()).toContain(text)
    }
    await expect.poll(() => page.locator('img:not([alt=""]), body script').count()).toBe(0)
    expect(await page.title()).toBe('intent.processed - Sandbox')
  })
})
