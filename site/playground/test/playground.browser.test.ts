import { expect, it } from 'vitest'
import { sign } from '@service-signature/core/testing'
import { describeInBrowser } from '../../../sandbox/test/support/browser.js'
import { PlaygroundPage, PlaygroundSite } from './support/playground-page.js'

const site = PlaygroundSite.forTests()

const secret = 'test_signature_key'
const apiKey = 'test_account_api_key'
const body = '{"type": "intent.processed", "name": "Ann Lee"}'
const header = sign(body, { secret, apiKey, timestamp: 1743090080 })

describeInBrowser('The first screen', (open) => {
  it('is an example that verifies, with every step', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    await playground.expectVerdict('verified', 'This delivery verifies: v3 matches.')
    const { page } = playground
    await expect.poll(() => playground.finding.innerText()).toContain('It verifies: v3 matches under secret')
    await expect
      .poll(() => page.getByLabel('Header', { exact: true }).innerText())
      .toContain('Signed at 2025-03-27 15:41:20 UTC, 12 seconds before it was received.')
    await expect
      .poll(() => page.getByLabel('Event', { exact: true }).innerText())
      .toContain('The event transaction.purchase.successful is recognized.')
  })

  it('needs nothing but the page and one module, and works offline from then on', async () => {
    const own = new PlaygroundSite()
    await own.start()
    const playground = await PlaygroundPage.open(open, own.url, {})
    await playground.expectVerdict('verified')
    expect(own.requests).toEqual(['/', '/page.css', '/signature-playground.js'])
    await playground.page.context().setOffline(true)
    await own.stop()

    await playground.loadExample('re-serialized')
    await playground.expectVerdict('refused', 'ERR_SIGNATURE_MISMATCH, HTTP 401')
    await playground.unfold('Share this case')
    await expect.poll(() => playground.page.getByLabel('Address').inputValue()).toContain('#case=1.')
    await playground.loadExample('all-versions')
    await playground.expectVerdict('verified', 'v1, v2 and v3 match')
    expect(own.requests).toHaveLength(3)
  })
})

describeInBrowser('What is entered', (open) => {
  it('is verified while it is typed, by keyboard alone', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const { page } = playground
    await playground.setCase({})
    await playground.expectVerdict('incomplete', 'Enter a header, a body and a key, or load an example.')
    await playground.header.focus()
    await page.keyboard.insertText(header)
    await page.keyboard.press('Tab')
    await page.keyboard.insertText(body)
    await playground.expectVerdict(
      'incomplete',
      'Enter the secret to verify this delivery: v3 is signed with it.',
    )
    for (const name of ['Body as Text', 'Open a file as body', 'Secret']) {
      await page.keyboard.press('Tab')
      const focused = page.locator('signature-playground').locator(':focus')
      const label = focused.evaluate(
        (control) => control.ariaLabel ?? (control as HTMLInputElement).labels![0]!.textContent,
      )
      expect(await label).toBe(name)
    }
    await page.keyboard.insertText(secret)
    await playground.expectVerdict('verified')
    await playground.body.press('End')
    await page.keyboard.press('Space')
    await playground.expectVerdict(
      'refused',
      'Refused: the signature does not match the body: v3 under secret sha256:2bd272f7.',
    )
    await expect.poll(() => playground.finding.innerText()).toContain('[body-trailing-newline]')
  })

  it('may be hex and base64, and says what is wrong with them', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const { page } = playground
    await playground.setCase({ header, body, secret })
    await page.getByLabel('Body as Hex').check()
    expect((await playground.body.inputValue()).replaceAll('\n', '')).toBe(Buffer.from(body).toString('hex'))
    await playground.expectVerdict('verified')
    await playground.body.fill('7b2')
    await page.getByText('This is not hex: the number of digits is odd.').waitFor()
    await playground.expectVerdict('incomplete', 'A field is wrong: correct it first.')
    await expect.poll(() => playground.body.getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Body as Base64').check()
    await playground.body.fill(Buffer.from(body).toString('base64'))
    await playground.expectVerdict('verified')
  })

  it('keeps bytes that a text field cannot hold, until it is edited', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const lines = '{\r\n"a": 1\r\n}'
    await playground.setCase({ header: sign(lines, { secret }), body: lines, secret })
    await playground.expectVerdict('verified')
    await playground.page.getByText('It has carriage returns (CR), which this field loses').waitFor()
    // A change of another field leaves the bytes as they were.
    await playground.page.getByLabel('Tolerance in seconds').fill('10')
    await playground.expectVerdict('verified')
    await playground.body.fill('{\n"a": 1\n} ')
    await playground.expectVerdict('refused')
  })

  it('may be a file, opened or dropped', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const { page } = playground
    const bytes = Buffer.from([0x1f, 0x8b, 0xff])
    await playground.setCase({ header: sign(bytes, { secret, versions: ['v3'] }), secret })
    const file = { name: 'body.bin', mimeType: 'application/octet-stream', buffer: bytes }
    await page.getByLabel('Open a file as body').setInputFiles(file)
    await playground.expectVerdict('refused', 'ERR_BODY_NOT_JSON')
    await expect.poll(() => playground.body.inputValue()).toBe('1f8bff')

    const dropped = await page.evaluateHandle((text) => {
      const data = new DataTransfer()
      data.items.add(new File([text], 'body.json'))
      return data
    }, body)
    await playground.header.fill(header)
    await playground.body.dispatchEvent('drop', { dataTransfer: dropped })
    await playground.expectVerdict('verified')
    await expect.poll(() => playground.body.inputValue()).toBe(body)
  })

  it('may have several keys, which are hidden unless they are shown', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const { page } = playground
    await playground.setCase({ header, body, secret: 'the old secret' })
    await playground.expectVerdict('refused')
    await page.getByRole('button', { name: 'Add another secret' }).click()
    await page.getByLabel('Secret 2').fill(secret)
    await playground.expectVerdict('verified')
    const masking = () =>
      playground.secret.evaluate((field) => getComputedStyle(field).getPropertyValue('-webkit-text-security'))
    expect(await masking()).toBe('disc')
    await page.getByLabel('Show the keys').check()
    expect(await masking()).toBe('none')
  })

  it('has the rules of the verifier: versions, time and tolerance', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const { page } = playground
    await playground.setCase({ header, body, secret })
    await page.getByLabel('v1 (API key)').check()
    await playground.expectVerdict('incomplete', 'Enter the API key to verify this delivery')
    await page.getByLabel('API key', { exact: true }).fill(apiKey)
    await playground.expectVerdict('verified', 'v1 and v3 match')
    await page.getByLabel('v1 (API key)').uncheck()
    await page.getByLabel('v3 (secret)').uncheck()
    await page.getByText('Choose at least one version.').waitFor()
    await page.getByLabel('v2 (secret)').check()
    await playground.expectVerdict('verified', 'v2 matches')

    await page.getByLabel('Received', { exact: true }).selectOption('Now')
    await playground.expectVerdict('refused', 'ERR_TIMESTAMP_TOO_OLD')
    await page.getByLabel('Tolerance in seconds').fill('Infinity')
    await playground.expectVerdict('verified')
    await page.getByLabel('Received', { exact: true }).selectOption('At another time')
    await page.getByLabel('Received at').fill('2025-03-27T15:38:00Z')
    await playground.expectVerdict('refused', 'ERR_TIMESTAMP_IN_FUTURE')
    await page.getByLabel('Tolerance for the future').fill('200')
    await playground.expectVerdict('verified')
    await page.getByLabel('Received at').fill('soon')
    await page.getByText('Enter a time such as 2025-03-27T15:41:20Z, or Unix seconds.').waitFor()
  })
})

describeInBrowser('What is shown', (open) => {
  it('is how each digest is made, and where it differs', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const { page } = playground
    await playground.setCase({ header, body, secret, apiKey })
    for (const version of ['v2', 'v1']) await playground.unfold(version)
    const text = async (label: string) => (await page.getByLabel(label, { exact: true }).textContent())!
    expect(await text('Signed text of v3')).toBe(Buffer.from(body).toString('base64'))
    expect(await text('Signed text of v1')).toBe('{"type":"intent.processed","name":"AnnLee"}')
    expect(await text('Signed text of v2, form source')).toBe('{"name":"AnnLee","type":"intent.processed"}')
    expect(await text('Body with what v2 removes')).toBe(
      '{"type":\u00b7"intent.processed",\u00b7"name":\u00b7"Ann\u00b7Lee"}',
    )
    const digests = await page.locator('[data-digest]').allInnerTexts()
    expect(digests).toHaveLength(3)
    for (const digest of digests) {
      const [computed, received] = digest.match(/[0-9a-f]{64}/g)!
      expect(header).toContain(`=${computed}`)
      expect(received).toBe(computed)
      expect(digest).toContain('The value in the header is the same.')
    }

    await playground.body.fill(body.replace('Ann', 'Bob'))
    await playground.expectVerdict('refused')
    // What was unfolded stays so.
    await page
      .getByText(/^The value in the header differs in \d+ of 64 digits, from digit \d+ on\.$/)
      .nth(2)
      .waitFor()
    expect(await text('Signed text of v1')).toBe('{"type":"intent.processed","name":"BobLee"}')
  })

  it('is why the event is not recognized', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    await playground.setCase({ header, body, secret })
    const event = await playground.page.getByLabel('Event', { exact: true }).innerText()
    expect(event).toContain('The type is "intent.processed", but the payload does not have its shape.')
    expect(event).toContain('data is missing')
  })

  it('is a warning where the signature does not prove the event', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const warning = playground.page.getByText('The signature does not prove it')
    await playground.expectVerdict('verified')
    await expect.poll(() => warning.count()).toBe(0)
    await playground.loadExample('re-serialized')
    await warning.waitFor()
  })

  it('never is HTML of the delivery', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const html = '{"type": "<img src=x onerror=alert(1)>"}'
    await playground.setCase({ header: `${header},<b>=<i>`, body: html, secret: '<script>alert(1)</script>' })
    await playground.expectVerdict('refused')
    await expect
      .poll(() => playground.page.locator('signature-playground').locator('img, b, i, script').count())
      .toBe(0)
  })

  it('leaves out the middle of a large body', async () => {
    const playground = await PlaygroundPage.open(open, site.url)
    const large = JSON.stringify({ text: 'x'.repeat(300_000) })
    await playground.setCase({ header: sign(large, { secret }), body: large, secret })
    await playground.expectVerdict('verified')
    const shown = await playground.page.getByLabel('Signed text of v3').textContent()
    expect(shown).toMatch(/ \[\d{3},\d{3} characters not shown\] /)
    expect(shown!.length).toBeLessThan(10_000)
  })
})
