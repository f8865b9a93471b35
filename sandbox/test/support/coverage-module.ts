// Coverage of what runs in Node, as Vitest counts it, and of the page of the sandbox, which runs in Chromium.
import v8 from '@vitest/coverage-v8'
import type { CoverageProviderModule } from 'vitest/node'
import type { ScriptCoverage } from './page-scripts.js'

const module: CoverageProviderModule = {
  ...v8,
  startCoverage(options) {
    globalThis.pageScripts = []
    return v8.startCoverage!(options)
  },
  async takeCoverage(options) {
    const { result } = (await v8.takeCoverage!(options)) as { readonly result: readonly ScriptCoverage[] }
    return { result: [...result, ...(globalThis.pageScripts?.splice(0) ?? [])] }
  },
  async getProvider() {
    const { PageCoverageProvider } = await import('./coverage-provider.js')
    return new PageCoverageProvider()
  },
}
export default module
