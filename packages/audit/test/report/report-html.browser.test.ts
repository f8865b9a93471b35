import { isMissing } from '@service-signature/contract/services'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../../../../sandbox/test/support/axe.js'
import { launchChromium } from '../../../../sandbox/test/support/chromium.js'
import { formatHtml } from '../../src/index.js'
import { auditOf } from '../support/audit.js'
import { partlyWeak } from '../support/partly-weak.js'
import { serve } from '../support/serve.js'

describe.skipIf(isMissing('chromium'))('the HTML report in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  it.each([
    ['light', 1200],
    ['light', 360],
    ['dark', 1200],
    ['dark', 360],
  ] as const)('is accessible in its %s scheme at %i pixels', async (colorScheme, width) => {
    const weak = await auditOf(await serve(partlyWeak))
    const stopped = await auditOf(await serve((_req, res) => res.writeHead(401).end()))
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
    try {
      for (const report of [weak, stopped]) {
        const page = await context.newPage()
        await page.setContent(formatHtml(report))
        expect(await axeViolations(page)).toEqual([])
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(overflow).toBeLessThanOrEqual(0)
      }
    } finally {
      await context.close()
    }
  })
})
