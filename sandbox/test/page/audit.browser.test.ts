import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/browser.js'
import { never } from '../support/endpoint.js'
import { Workbench } from '../support/workbench.js'

describeInBrowser('The page: audit', (open) => {
  it('audits an endpoint live, and says what to fix and what each case got', async () => {
    const { endpoint, page, workbench } = await Workbench.open(open, '/audit/')
    await page.getByText('An audit sends valid and hostile deliveries').waitFor()
    await page.getByRole('combobox', { name: 'Endpoint' }).fill(endpoint.url)
    await workbench.button('Start the audit').click()
    const result = page.locator('.verdict')
    await result.getByText('It does not verify signatures.').waitFor({ timeout: 120_000 })
    await result.getByText(/^(\d+) of \1 cases ran, \d+ failed\.$/).waitFor()
    const fixes = page.getByRole('region', { name: 'What to fix' })
    await fixes.getByText('Verify the signature of each delivery first').waitFor()
    const failed = page.getByRole('region', { name: 'Cases' }).locator('[data-outcome="failed"]').first()
    await failed.getByText(/^204, expected /).waitFor()
    for (const [name, content] of [
      ['audit.html', /^<!doctype html>/i],
      ['audit-junit.xml', /^<\?xml version="1\.0"(?:.|\n)*<\/testsuites>\n$/],
    ] as const) {
      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name }).click()
      const download = await downloading
      expect(download.suggestedFilename()).toBe(name)
      expect(await text(await download.createReadStream())).toMatch(content)
    }
    // Another page does not take the result away.
    await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
    await page.getByRole('link', { name: 'Audit', exact: true }).first().click()
    await page.getByText('It does not verify signatures.').waitFor()
  })

  it('shows the progress, and cancels', async () => {
    const { endpoint, page, workbench } = await Workbench.open(open, '/audit/')
    endpoint.replyWith(never)
    await page.getByRole('combobox', { name: 'Endpoint' }).fill(endpoint.url)
    await page.keyboard.press('Enter')
    await page.getByRole('progressbar', { name: 'Cases that have run' }).waitFor()
    await workbench.button('Cancel').click()
    await page.getByText('The audit was cancelled.').waitFor()
    expect(endpoint.received).toHaveLength(1)
    await expect.poll(() => workbench.button('Start the audit').isEnabled()).toBe(true)
  })
})
