import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { isMissing } from '../../../test/contract/src/services.js'
import { launchChromium } from './chromium.js'
import { countScripts } from './page-scripts.js'

/** A page, and all that went wrong on it: console errors, breaches of the policy, exceptions. */
export interface Visit {
  readonly page: Page
  readonly problems: string[]
}

export type Open = (url: string, options?: BrowserContextOptions) => Promise<Visit>

/**
 * Tests in a real browser. `open` gives each test a page of its own, with nothing of the test before; when the test has
 * ended, nothing may have gone wrong there. A test that expects a problem empties `problems` after it has looked.
 */
export function describeInBrowser(name: string, tests: (open: Open) => void): void {
  describe.skipIf(isMissing('chromium'))(name, () => {
    let browser: Browser
    let shared: BrowserContext
    beforeAll(async () => {
      browser = await launchChromium()
      shared = await browser.newContext()
    })
    afterAll(() => browser.close())

    tests(async (url, options) => {
      // A new context costs more than twice as much as a new page, because its processes start cold.
      const context = options === undefined ? shared : await browser.newContext(options)
      context.setDefaultTimeout(15_000)
      const page = await context.newPage()
      const problems: string[] = []
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) problems.push(message.text())
      })
      page.on('pageerror', (error) => problems.push(String(error)))
      const stopCounting = await countScripts(page)
      onTestFinished(async () => {
        await stopCounting()
        if (context === shared) await forget(page, new URL(url).origin)
        else await context.close()
        expect(problems).toEqual([])
      })
      await page.goto(url)
      return { page, problems }
    })
  })
}

/** Closes a page, and removes what it left in its context. */
async function forget(page: Page, origin: string): Promise<void> {
  const context = page.context()
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await context.clearCookies()
  await context.clearPermissions()
  await page.close()
}
