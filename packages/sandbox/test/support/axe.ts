import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong on a page as it is now: a line for each violation. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  // Evaluated, because the policy of the page refuses the script element that `addScriptTag` makes.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(SOURCE)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, failureSummary = '' }) => `${target.join(' ')} ${failureSummary}`).join('; ')}`,
  )
}
