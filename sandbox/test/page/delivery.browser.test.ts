import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { guardedEndpoint } from '../support/guarded-endpoint.js'
import { ok, status } from '../support/endpoint.js'
import { digestsOf, partsOf } from '../support/signature.js'
import { deliveryIds, pay, Workbench } from '../support/workbench.js'

const FORGERIES = [
  ['Tampered', 'the amount was changed after signing', 'tampered'],
  ['Stale', 'it was signed an hour ago', 'stale'],
  ['Wrong secret', 'it was signed with another secret', 'wrong secret'],
  ['No signature', 'it had no signature', 'no signature'],
] as const

describeInBrowser('The page: one delivery', (open) => {
  it('has an address of its own, and is found by following the row', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    const intent = await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await page.getByRole('link', { name: 'intent.processed' }).click()
    await page.getByRole('heading', { level: 1, name: 'intent.processed' }).waitFor()
    expect(workbench.address).toBe(`/deliveries/${id!}/`)
    await expect.poll(() => page.title()).toBe('intent.processed - Sandbox')
    await page.getByText('Your endpoint accepted it: it answered 204.').waitFor()
    await page.getByText('It verifies: v1, v2, v3 match').waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: intent }).getAttribute('href'))
      .toBe(`/intents/${intent}/`)
    await page.getByText('Delivered: it is not retried.').waitFor()

    await workbench.go('/deliveries/dlv_none/')
    await page.getByText('Delivery not found').waitFor()
    await expect.poll(() => workbench.button('Try again').count()).toBe(0)
    await page.getByRole('link', { name: 'Go to the list' }).click()
    await expect.poll(() => workbench.address).toBe('/deliveries/')
    // The browser writes every answer that is an error to the console.
    expect(workbench.problems.splice(0)).toEqual([expect.stringContaining('404')])
  })

  it.each(FORGERIES)('%s: a verifier refuses it, which is as it must be', async (button, reason, words) => {
    const { service, workbench, page } = await Workbench.open(open)
    const guarded = await guardedEndpoint({ secret: service.sandbox.secret })
    await pay(service, guarded.url)
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/`)
    await workbench.button(button).click()
    const verdict = page.getByText(`Refused, as it must: ${reason}, and your endpoint answered 401.`)
    await verdict.waitFor()
    await expect.poll(() => page.locator('.verdict').getAttribute('data-tone')).toBe('good')
    await page.getByText('A verifier refuses it with the code ERR_').waitFor()
    await page.getByText(`forgery refused: ${words}`).waitFor()
    expect(guarded.handled).toHaveLength(2)
  })

  it.each(FORGERIES)('%s: an endpoint that accepts it is in the wrong', async (button, reason, words) => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/`)
    await workbench.button(button).click()
    await page.getByText(`Your endpoint accepted a forgery: ${reason}, and it answered 204.`).waitFor()
    await expect.poll(() => page.locator('.verdict').getAttribute('data-tone')).toBe('bad')
    await page.getByText(`forgery accepted: ${words}`).waitFor()
    await page.getByRole('link', { name: 'Deliveries', exact: true }).last().click()
    await workbench.rows('Deliveries').getByText('forgery accepted').waitFor()
  })

  it('shows the attempts that are planned, and those that follow if they fail', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    endpoint.replyWith(status(500))
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/`)
    await page.getByText('Your endpoint refused a valid delivery: it answered 500.').waitFor()
    const timeline = page.getByRole('list', { name: 'Attempts' })
    await timeline.getByText('planned', { exact: true }).waitFor()
    await timeline.getByText('Attempt 6').waitFor()
    await expect.poll(() => timeline.getByText('if that fails').count()).toBeGreaterThan(0)
    // The next attempt appears by itself, with its verdict.
    endpoint.replyWith(ok)
    await page.getByText('Your endpoint accepted it: it answered 204.').waitFor()
    await timeline.getByText('Delivered: it is not retried.').waitFor()
    await workbench.button(/^Attempt 1/).click()
    await page.getByText('Your endpoint refused a valid delivery: it answered 500.').waitFor()
    expect(workbench.address).toBe(`/deliveries/${id!}/?attempt=1`)
  })

  it('shows the body as a tree, as it was sent, and byte by byte', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url, { custom_fields: { note: 'Zo\u00eb' } })
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/`)
    const { bytes } = endpoint.received[1]!
    const tree = page.getByRole('group', { name: 'Body as a tree' })
    await tree.getByText('"intent.processed"').waitFor()
    // As it is printed there, and not as JavaScript would print it.
    await tree.getByText('10.0', { exact: true }).waitFor()
    await tree.getByText('"Zo\\u00eb"').first().waitFor()
    await tree.getByText('"billing_data"').first().click()
    await expect.poll(() => tree.getByText('"first_name"').first().isVisible()).toBe(false)

    await workbench.button('Raw').click()
    await expect.poll(() => page.getByLabel('Body as it was sent').textContent()).toBe(bytes.toString('utf8'))
    await workbench.button('Hex').click()
    const lines = (await page.getByLabel('Bytes of the body').textContent())!.split('\n')
    const digits = lines.map((line) => line.slice(8, 8 + 47).replaceAll(' ', '')).join('')
    expect(digits).toBe(bytes.toString('hex'))
  })

  it('marks what was changed after signing', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/`)
    await workbench.button('Tampered').click()
    await page.getByText('Changed after signing: at character').waitFor()
    const tree = page.getByRole('group', { name: 'Body as a tree' })
    await expect.poll(() => tree.locator('mark').allInnerTexts()).toEqual(['20.0'])
    await expect.poll(() => tree.locator('mark').getAttribute('title')).toBe('Signed: 10.0')
    await workbench.button('Raw').click()
    const [signed, sent] = endpoint.received.slice(1).map(({ bytes }) => bytes.toString('utf8'))
    const text = await page.locator('mark').innerText()
    const at = Array.from(sent!).findIndex((letter, index) => letter !== signed![index])
    expect(text).toBe(sent!.slice(at, at + text.length))
  })

  it('says what each part of the signature is, and what the endpoint answered', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    endpoint.replyWith((response) => response.writeHead(202, { 'X-Trace': 'abc' }).end('{"taken": true}'))
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/`)
    await page.getByRole('tab', { name: 'Signature' }).click()
    await expect.poll(() => workbench.address).toBe(`/deliveries/${id!}/?view=signature`)
    const panel = page.getByRole('tabpanel', { name: 'Signature' })
    const shown = await panel.innerText()
    const { t, v1, v2, v3 } = partsOf({ headers: endpoint.received[1]!.headers })
    for (const text of [t, v1, v2, v3, 'when it was sent', 'old', 'canonical JSON', 'Base64', 'User-Agent']) {
      expect(shown).toContain(text)
    }
    await page.getByRole('tab', { name: 'Answer' }).click()
    const answer = page.getByRole('tabpanel', { name: 'Answer' })
    await answer.getByText('"taken"').waitFor()
    const answered = await answer.innerText()
    for (const text of ['202', 'x-trace', 'abc']) expect(answered).toContain(text)
  })

  it('shows step by step how the digests are made, and verifies what is edited', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/`)
    await expect.poll(() => page.locator('signature-playground').count()).toBe(0)
    await page.getByRole('tab', { name: 'Step by step' }).click()
    await page.locator('.verdict[data-outcome="verified"]', { hasText: 'v1, v2 and v3 match' }).waitFor()
    const body = page.getByLabel('Body', { exact: true })
    await page.getByText('Change the body, the header, the keys or the rules').click()
    await expect.poll(() => body.inputValue()).toBe(endpoint.received[1]!.bytes.toString('utf8'))
    await body.fill((await body.inputValue()).replace('EUR', 'USD'))
    await page.locator('.verdict[data-outcome="refused"]').waitFor()
    // The keys of the page, such as "r" for resending, do nothing while one types.
    await body.press('r')
    await body.press('e')
    expect(workbench.address).toBe(`/deliveries/${id!}/?view=steps`)
    expect(endpoint.received).toHaveLength(2)
  })

  it('explains why an attempt does not verify, and follows a rotation of the secret', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/?view=explanation`)
    const panel = page.getByRole('tabpanel', { name: 'Explanation' })
    await panel.getByText('It verifies').first().waitFor()
    await panel.getByText('event recognized', { exact: true }).waitFor()
    await service.post('/_sandbox/secret/rotate/')
    await page.locator('.verdict').getByText('other-secret').waitFor()
    await expect.poll(() => panel.getByLabel('Report').textContent()).toContain('other-secret')
  })

  it('compares attempts and deliveries field by field', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/?view=compare`)
    await page.getByText('The bodies are the same, byte for byte.').waitFor()
    await workbench.button('Tampered').click()
    await page.getByText('1 field differs.').waitFor()
    const table = page.getByRole('table')
    const cells = await table.locator('tbody tr').allInnerTexts()
    expect(cells).toHaveLength(1)
    expect(cells[0]).toMatch(/^data\.intent\.amount\s+10\.0\s+20\.0$/)
    await page.getByLabel('Show the fields that are the same').check()
    await expect.poll(() => table.locator('tbody tr').count()).toBeGreaterThan(10)

    const other = await pay(service, endpoint.url, { amount: 12 })
    const [otherId] = await deliveryIds(service)
    await page.getByLabel(/^Attempt 2 next to/).selectOption('another delivery')
    await page.getByLabel('Id or address of the other delivery').fill(`http://x/deliveries/${otherId!}/`)
    await page.keyboard.press('Enter')
    await table.getByText(other).first().waitFor()
    await page.getByLabel('Id or address of the other delivery').fill('dlv_none')
    await page.keyboard.press('Enter')
    await page.getByText('Delivery not found').waitFor()
    expect(workbench.problems.splice(0)).toEqual([expect.stringContaining('404')])
  })

  it('copies an attempt as a command, a fixture and a test vector', async () => {
    const { service, endpoint, workbench } = await Workbench.open(open)
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/`)
    const copied = await workbench.copied()
    const { bytes, headers } = endpoint.received[1]!
    for (const [button, text] of [
      ['curl', 'curl'],
      ['Fixture', 'service-signature-delivery'],
      ['Test vector', service.sandbox.secret],
      ['HAR', '"version": "1.2"'],
    ] as const) {
      await workbench.button(button).click()
      await expect.poll(copied).toContain(text)
    }
    await workbench.button('Copy').click()
    await expect.poll(copied).toBe(bytes.toString('utf8'))
    await workbench.page.getByRole('tab', { name: 'Signature' }).click()
    await workbench.button('Copy').click()
    await expect.poll(copied).toBe(headers['service-signature'])
  })

  it('sends the same bytes again, with a new signature', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    await pay(service, endpoint.url)
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/?attempt=1`)
    await workbench.button('Resend').click()
    await endpoint.until(3)
    await workbench.button(/^Attempt 2/).waitFor()
    const again = endpoint.received[2]!
    expect(again.bytes).toEqual(endpoint.received[1]!.bytes)
    const { t, ...digests } = partsOf(again)
    const { secret, apiKeys } = service.sandbox
    expect(digests).toEqual(digestsOf(again.bytes, t, secret, apiKeys.account))
    await expect.poll(() => workbench.button(/^Attempt 2/).getAttribute('aria-pressed')).toBe('true')
    await expect.poll(() => workbench.address).toBe(`/deliveries/${id!}/`)
    await expect.poll(() => page.getByRole('list', { name: 'Attempts' }).getByRole('button').count()).toBe(2)
  })

  it('shows what merchants and endpoints write as text, and runs none of it', async () => {
    const { service, endpoint, workbench, page } = await Workbench.open(open)
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    endpoint.replyWith((response) => response.writeHead(200, { 'X-Html': hostile }).end(hostile))
    await pay(service, endpoint.url, { custom_fields: { [hostile]: hostile } })
    const [id] = await deliveryIds(service)
    await workbench.go(`/deliveries/${id!}/`)
    await page.getByRole('group', { name: 'Body as a tree' }).getByText('onerror').first().waitFor()
    await workbench.button('Raw').click()
    await page.getByRole('tab', { name: 'Answer' }).click()
    await expect.poll(() => page.getByRole('tabpanel').innerText()).toContain(hostile)
    await expect.poll(() => page.locator('img:not([alt=""]), body script').count()).toBe(0)
    await expect.poll(() => page.title()).toBe('intent.processed - Sandbox')
  })
})
