import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** The rules whose result depends on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** What axe finds wrong on a page as it is now: a line for each violation. */
export async function axeViolations(page: Page, options: RunOptions = {}): Promise<readonly string[]> {
  // Evaluated, because the policy of the page refuses the script element that `addScriptTag` makes.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, failureSummary = '' }) => `${target.join(' ')} ${failureSummary}`).join('; ')}`,
  )
}

/**
 * The same in the light and the dark theme of a page that follows the system. Only colors differ between them, so only their
 * rules run twice. Without `reducedMotion`, colors would still be changing.
 */
export async function axeViolationsInBothThemes(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await axeViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await axeViolations(page, { runOnly: COLOR_RULES })
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}
