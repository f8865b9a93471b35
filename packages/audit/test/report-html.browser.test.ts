import axe from 'axe-core'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatHtml } from '../src/index.js'
import { auditOf } from './support/audit.js'
import { partlyWeak } from './support/partly-weak.js'
import { serve } from './support/serve.js'

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

describe('the HTML report in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGUMENTS })
  }, 60_000)
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
        await page.evaluate(axe.source)
        const violations = await page.evaluate(async () => {
          const { axe } = globalThis as unknown as {
            axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
          }
          return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
        })
        expect(violations).toEqual([])
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(overflow).toBeLessThanOrEqual(0)
      }
    } finally {
      await context.close()
    }
  })
})
