import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

/** What axe finds on a page: the rule, and the first element that breaks it. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(SOURCE)
  const { violations } = await page.evaluate<AxeResults>('globalThis.axe.run()')
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]!.html} ${nodes[0]!.failureSummary ?? ''}`,
  )
}
