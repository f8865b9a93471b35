import type { Page } from 'playwright-core'

/** How often each function and block of a script ran. */
export interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly object[]
}

declare global {
  /**
   * What ran on pages of Chromium since the last report; undefined without coverage. It is global because Vitest loads modules once
   * for its coverage, and again for each test file.
   */
  var pageScripts: ScriptCoverage[] | undefined
}

/** The address of the folder with the scripts of the built page of the sandbox. */
export const PAGE_ASSETS = new URL('../../dist/page/assets/', import.meta.url).href

/** Counts what runs on a page of Chromium, until the returned function is called. */
export async function countScripts({ coverage }: Page): Promise<() => Promise<void>> {
  const scripts = globalThis.pageScripts
  if (scripts === undefined) return () => Promise.resolve()
  await coverage.startJSCoverage({ resetOnNavigation: false })
  return async () => {
    for (const { url, functions } of await coverage.stopJSCoverage()) {
      const [, name] = /\/assets\/([\w.-]+)$/.exec(url) ?? []
      if (name !== undefined) scripts.push({ url: PAGE_ASSETS + name, functions })
    }
  }
}
