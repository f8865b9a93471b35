import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from './support/browser.js'
import { Dashboard, guardedEndpoint } from './support/dashboard.js'
import { ok, status, type Reply } from './support/endpoint.js'
import { digestsOf, partsOf } from './support/signature.js'

/** The tone and the text of the newest attempt, or of the oldest. */
async function outcomeOf(rows: Locator, which: 'first' | 'last' = 'first') {
  const badge = rows[which]().locator('.badge')
  return [await badge.getAttribute('data-tone'), await badge.innerText()]
}

const hangUp: Reply = (response) => response.destroy()

describeInBrowser('The page at /: payments and deliveries', (open) => {
  it('a test payment sends two deliveries, which appear without a reload', async () => {
    const { service, endpoint, dashboard, page } = await Dashboard.open(open)
    await page.getByText('Nothing was sent yet.').waitFor()
    let loads = 0
    page.on('load', () => loads++)
    await dashboard.pay(endpoint.url)
    const rows = await dashboard.rows('Deliveries', 2)
    await page.getByText('delivered', { exact: true }).nth(1).waitFor()
    expect(await rows.nth(0).innerText()).toContain('intent.processed')
    expect(await rows.nth(1).innerText()).toContain('transaction.purchase.successful')
    expect(await page.getByText('Nothing was sent yet.').isVisible()).toBe(false)
    expect(loads).toBe(0)

    const { secret, apiKeys } = service.sandbox
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'intent.processed'])
    for (const received of endpoint.received) {
      const { t, ...digests } = partsOf(received)
      expect(digests).toEqual(digestsOf(received.bytes, t, secret, apiKeys.account))
    }
    expect(await (await dashboard.rows('Intents', 1)).innerText()).toContain('10.5 EUR')
  })

  it('what others do appears as well', async () => {
    const { service, endpoint, dashboard, page } = await Dashboard.open(open)
    const customer = await service.customer({ first_name: 'Jane', last_name: 'Doe' })
    await service.savedCard(customer)
    const { id } = (await service.intent({ customer, webhook_url: endpoint.url })).data
    await service.pay(id)
    await page.getByText('delivered', { exact: true }).nth(1).waitFor()
    const customers = await dashboard.rows('Customers and cards', 1)
    await customers.getByText('Visa 4242, UNIVERSAL').waitFor()
    expect(await customers.innerText()).toContain('Jane Doe')
  })

  it('a new customer is made with the payment, and chosen for the next one; the card is saved', async () => {
    const { service, endpoint, dashboard, page } = await Dashboard.open(open)
    await page.getByRole('combobox', { name: 'Customer' }).selectOption('new')
    await page.getByLabel('Save the card').check()
    await dashboard.pay(endpoint.url)
    await page.getByText('Visa 4242, UNIVERSAL').waitFor()
    const [customer] = (await service.state())['customers']!
    expect(await page.getByRole('combobox', { name: 'Customer' }).inputValue()).toBe(customer!.id)
  })

  it('a declined payment, one that waits for 3DS, and one that is refused say so', async () => {
    const { service, endpoint, page, dashboard } = await Dashboard.open(open)
    const card = page.getByRole('combobox', { name: 'Card' })
    await page.getByLabel('Webhook URL').fill(endpoint.url)
    await card.selectOption('4000000000000002')
    await dashboard.button('Pay').click()
    await page.getByText(/^Declined: int_\w+\. The card was declined\.$/).waitFor()

    await card.selectOption('4000000000003220')
    await dashboard.button('Pay').click()
    await page.getByText(/^int_\w+ waits for its customer\. Open the form$/).waitFor()
    const form = await page.getByRole('link', { name: 'Open the form' }).first().getAttribute('href')
    expect(form).toMatch(/^\/vault\/form\/int_\w+\/$/)

    const before = (await service.state())['intents']!.length
    await page.getByLabel('Webhook URL').fill('http://192.0.2.1/')
    await dashboard.button('Pay').click()
    await page.getByText('webhook_url must lead to this machine').waitFor()
    expect((await service.state())['intents']).toHaveLength(before)
    // The browser writes every answer that is an error to the console.
    expect(dashboard.problems.splice(0)).toEqual([expect.stringContaining('400')])
  })

  it('the webhook URL is remembered', async () => {
    const { dashboard, endpoint, page } = await Dashboard.open(open)
    await dashboard.pay(endpoint.url)
    await page.reload()
    await dashboard.isConnected()
    expect(await page.getByLabel('Webhook URL').inputValue()).toBe(endpoint.url)
  })

  it('a delivery shows its header, its bytes, the answer and the report', async () => {
    const { dashboard, endpoint, page } = await Dashboard.open(open)
    endpoint.replyWith((response) => response.writeHead(202, { 'X-Trace': 'abc' }).end('taken'))
    await dashboard.pay(endpoint.url)
    await endpoint.until(2)
    await dashboard.openDelivery('intent.processed')
    const { bytes, headers } = endpoint.received[1]!
    const { t, v1, v2, v3 } = partsOf({ headers })
    await page.getByText('It verifies').first().waitFor()

    const header = await page.locator('table.header').innerText()
    for (const text of [
      t,
      v1,
      v2,
      v3,
      'Base64 of the bytes',
      'Canonical JSON',
      'Body without white space',
      'as it was sent',
    ]) {
      expect(header).toContain(text)
    }
    const shown = page.getByLabel('Bytes as sent')
    expect(await shown.textContent()).toBe(bytes.toString('utf8'))
    await dashboard.button('Hex').click()
    const lines = (await shown.textContent())!.split('\n')
    const digits = lines.map((line) => line.slice(8, 8 + 47).replaceAll(' ', '')).join('')
    expect(digits).toBe(bytes.toString('hex'))
    const answer = await page.getByLabel('Answer', { exact: true }).last().innerText()
    for (const text of ['HTTP 202', 'x-trace: abc', 'taken']) expect(answer).toContain(text)
    expect(await page.getByLabel('Explain report').innerText()).toContain('v1, v2, v3 match')
  })

  it('Resend sends the same bytes once more, with a signature that is right', async () => {
    const { service, dashboard, endpoint, page } = await Dashboard.open(open)
    await dashboard.pay(endpoint.url)
    await endpoint.until(2)
    await dashboard.openDelivery('transaction.purchase.successful')
    await dashboard.button('Resend').click()
    await page.getByText('Sent once more: the answer was 204.').waitFor()
    await dashboard.rows('Attempts', 2)
    expect(endpoint.received).toHaveLength(3)
    const again = endpoint.received[2]!
    expect(again.bytes).toEqual(endpoint.received[0]!.bytes)
    const { t, ...digests } = partsOf(again)
    const { secret, apiKeys } = service.sandbox
    expect(digests).toEqual(digestsOf(again.bytes, t, secret, apiKeys.account))
    expect(await dashboard.button('Attempt 2').getAttribute('aria-pressed')).toBe('true')
    await dashboard.button('Attempt 1').click()
    expect(await dashboard.button('Attempt 1').getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor()
  })

  it.each([
    [
      'Tamper and send',
      'Sent with another amount: your endpoint refused it with 401, as it should.',
      'Changed after signing (tamper)',
    ],
    [
      'Send stale',
      'Sent with a time an hour old: your endpoint refused it with 401, as it should.',
      'an hour old (stale)',
    ],
  ])('%s: the middleware answers 401, and the report says why', async (button, outcome, reason) => {
    const { service, dashboard, page } = await Dashboard.open(open)
    const guarded = await guardedEndpoint({ secret: service.sandbox.secret })
    await dashboard.pay(guarded.url)
    await page.getByText('delivered', { exact: true }).nth(1).waitFor()
    expect(guarded.handled).toHaveLength(2)

    await dashboard.openDelivery('intent.processed')
    await dashboard.button(button).click()
    await page.getByText(outcome).waitFor()
    expect(await page.locator('#delivery-notice').getAttribute('data-tone')).toBe('good')
    expect(await outcomeOf(await dashboard.rows('Attempts', 2))).toEqual(['good', '401'])
    const finding = page.locator('.finding')
    await finding.getByText(reason).waitFor()
    expect(await finding.getAttribute('data-tone')).toBe('wait')
    expect(await page.getByLabel('Explain report').innerText()).toMatch(/^On purpose\n/)
    expect(guarded.handled).toHaveLength(2)
  })

  it.each([
    ['Tamper and send', ok, 'Your endpoint accepted a forgery: it answered 204.', '204'],
    [
      'Send stale',
      ok,
      'Your endpoint accepted a delivery that was signed an hour ago: it answered 204.',
      '204',
    ],
    [
      'Tamper and send',
      status(500),
      'Sent with another amount: the answer was 500, which is not a refusal.',
      '500',
    ],
    ['Resend', status(401), 'Sent once more: the answer was 401.', '401'],
    ['Tamper and send', hangUp, 'Sent with another amount: socket hang up.', 'socket hang up'],
  ] as const)('%s: a wrong reaction of the endpoint is red', async (button, reply, words, outcome) => {
    const { dashboard, endpoint, page } = await Dashboard.open(open)
    await dashboard.pay(endpoint.url)
    await page.getByText('delivered', { exact: true }).nth(1).waitFor()
    endpoint.replyWith(reply)
    await dashboard.openDelivery('intent.processed')
    await dashboard.button(button).click()
    await page.getByText(words).waitFor()
    expect(await page.locator('#delivery-notice').getAttribute('data-tone')).toBe('bad')
    expect(await outcomeOf(await dashboard.rows('Attempts', 2))).toEqual(['bad', outcome])
  })

  it('a delivery shows its own attempts, and never those of the delivery that was open before', async () => {
    const { dashboard, endpoint, page } = await Dashboard.open(open)
    endpoint.replyWith(ok, status(500))
    await dashboard.pay(endpoint.url)
    await endpoint.until(2)
    for (const [type, outcome] of [
      ['transaction.purchase.successful', '204'],
      ['intent.processed', '500'],
      ['transaction.purchase.successful', '204'],
    ] as const) {
      await dashboard.openDelivery(type)
      const rows = await dashboard.rows('Attempts', 1)
      expect((await outcomeOf(rows, 'last'))[1], type).toBe(outcome)
      expect(await page.getByLabel('Answer', { exact: true }).innerText()).toContain(`HTTP ${outcome}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: type }).waitFor({ state: 'hidden' })
      await expect.poll(() => page.locator('#attempts tr').count()).toBe(0)
    }
  })

  it('marks what was changed after signing', async () => {
    const { service, dashboard, endpoint, page } = await Dashboard.open(open)
    await dashboard.pay(endpoint.url)
    await endpoint.until(2)
    await dashboard.openDelivery('intent.processed')
    await dashboard.button('Tamper and send').click()
    const mark = page.locator('mark')
    await mark.waitFor()
    const [signed, sent] = endpoint.received.slice(1).map(({ bytes }) => bytes.toString('utf8'))
    const text = await mark.innerText()
    const at = Array.from(sent!).findIndex((letter, index) => letter !== signed![index])
    expect(text).toBe(sent!.slice(at, at + text.length))
    expect(await page.getByLabel('Bytes as sent').textContent()).toBe(sent)
    expect((await service.deliveries())[1]!.attempts[1]!.faults).toEqual(['tamper'])
  })
})
