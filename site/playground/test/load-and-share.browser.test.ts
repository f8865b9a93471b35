import { sign } from '@service-signature/core/testing'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../../../sandbox/test/support/browser.js'
import { completeCase } from '../src/playground-case.js'
import { fragmentOf } from '../src/share-address.js'
import { PlaygroundPage, PlaygroundSite } from './support/playground-page.js'

const site = PlaygroundSite.forTests()

const secret = 'test_signature_key'
const body = '{"type": "intent.processed", "name": "Zo\u00eb"}'
const header = sign(body, { secret, timestamp: 1743090080 })
const headers = { 'Service-Signature': header }

function entry(url: string, text: string) {
  const list = Object.entries(headers).map(([name, value]) => ({ name, value }))
  return {
    startedDateTime: '2025-03-27T15:41:32Z',
    request: { method: 'POST', url, headers: list, postData: { text } },
  }
}

const har = (...urls: readonly string[]) =>
  JSON.stringify({ log: { entries: urls.map((url, index) => entry(url, index === 0 ? body : '{}')) } })

describeInBrowser('A delivery from elsewhere', (open) => {
  it.each([
    ['a HAR', har('https://shop.example/webhooks')],
    ['a saved delivery', JSON.stringify({ format: 'service-signature-delivery', version: 1, headers, body })],
    ['a raw request', `POST /webhooks HTTP/1.1\nService-Signature: ${header}\n\n${body}`],
    ['a curl command', `curl -H 'Service-Signature: ${header}' --data-raw '${body}' https://shop.example/`],
  ])('%s is pasted, and the keys that are entered are kept', async (_, text) => {
    const playground = await PlaygroundPage.open(open, site.url)
    const { page } = playground
    await playground.setCase({ secret, versions: ['v2', 'v3'] })
    await playground.unfold('Load a HAR or request')
    await page.getByLabel('A HAR, a raw request').fill(text)
    await page.getByRole('button', { name: 'Load the pasted text' }).click()
    await playground.expectVerdict('verified', 'v2 and v3 match')
    await page.getByText(/^Loaded: /).waitFor()
    await expect.poll(() => playground.body.inputValue()).toBe(body)
  })

  it('is chosen among several of a HAR, which is opened as a file', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const { page } = playground
    await playground.setCase({ secret })
    await playground.unfold('Load a HAR or request')
    const buffer = Buffer.from(har('https://shop.example/one', 'https://shop.example/two'))
    const panel = page.locator('details.panel').first()
    await panel.getByLabel('Open a file').setInputFiles({ name: 'a.har', mimeType: 'text/plain', buffer })
    await page.getByText('There are 2 signed deliveries. Choose one:').waitFor()
    await page.getByRole('button', { name: 'https://shop.example/two' }).click()
    await playground.expectVerdict('refused')
    await page.getByRole('button', { name: 'https://shop.example/one' }).click()
    await playground.expectVerdict('verified')
    await expect.poll(() => page.getByLabel('Received at').inputValue()).toBe('2025-03-27T15:41:32.000Z')
    await page.getByText('A HAR holds the body as text').waitFor()
  })

  it('that cannot be read is refused with the reason, and what was entered stays', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const { page } = playground
    await playground.unfold('Load a HAR or request')
    await page.getByLabel('A HAR, a raw request').fill('curl -d @body.json https://shop.example/')
    await page.getByRole('button', { name: 'Load the pasted text' }).click()
    await page.getByText('The body is in the file body.json').waitFor()
    await playground.expectVerdict('verified')
  })
})

describeInBrowser('A shared address', (open) => {
  it('holds the case without its keys, and asks for the secret where it is opened', async () => {
    const playground = await PlaygroundPage.open(open, site.url, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await playground.setCase({ header, body, secret, apiKey: 'the API key', toleranceSeconds: 20 })
    await playground.unfold('Share this case')
    await playground.page.getByRole('button', { name: 'Copy' }).click()
    await playground.page.getByText('The address is copied.').waitFor()
    const address = await playground.page.evaluate(() => navigator.clipboard.readText())
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#case=1\.[\w-]+$/)

    const other = await PlaygroundPage.open(open, address)
    await other.expectVerdict('incomplete', 'Enter the secret to verify this delivery')
    await other.page.getByText('An address never contains keys: enter the secret to verify it.').waitFor()
    await expect.poll(() => other.header.inputValue()).toBe(header)
    await expect.poll(() => other.body.inputValue()).toBe(body)
    await expect.poll(() => other.secret.inputValue()).toBe('')
    await expect.poll(() => other.page.getByLabel('API key', { exact: true }).inputValue()).toBe('')
    await expect.poll(() => other.page.getByLabel('Tolerance in seconds').inputValue()).toBe('20')
    expect(await other.secret.evaluate((field) => field.matches(':focus'))).toBe(true)
    await other.page.keyboard.insertText(secret)
    await other.expectVerdict('verified')
    // The fragment is not part of any request.
    expect(site.requests.filter((path) => path.includes('case'))).toEqual([])
  })

  it('is loaded also where the page is open already', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const fragment = await fragmentOf(completeCase({ header, body }))
    await playground.expectVerdict('verified')
    await playground.page.evaluate((hash) => (location.hash = hash), fragment)
    await playground.expectVerdict('incomplete')
    await expect.poll(() => playground.body.inputValue()).toBe(body)
  })

  it('that was cut is refused with the reason', async () => {
    const playground = await PlaygroundPage.open(open, `${site.url}#case=1.abc`)
    await playground.page.getByText('The address does not hold a whole delivery').waitFor()
    await playground.expectVerdict('verified')
  })

  it('is not made of a delivery that contains a key, or while a field is wrong', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const { page } = playground
    await playground.unfold('Share this case')
    await playground.setCase({ header, body, secret: 'intent.processed' })
    await page.getByText('The header or the body contains one of the keys, so it is not shared.').waitFor()
    await expect.poll(() => page.getByLabel('Address').inputValue()).toBe('')
    await page.getByLabel('Tolerance in seconds').fill('0')
    await page.getByText('A field is wrong: correct it first.').nth(1).waitFor()
  })
})

describeInBrowser('A page that sets a case', (open) => {
  it('gets an error if the case is wrong', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const set = playground.setCase({ toleranceSeconds: -1 })
    await expect(set).rejects.toThrow('"toleranceSeconds" must be greater than 0')
  })
})
