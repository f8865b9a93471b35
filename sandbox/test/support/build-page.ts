import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'

/**
 * Builds the page before the tests in browsers, which takes less than a second. Coverage needs a source map, and statements that are
 * not merged.
 */
export async function setup({ vitest }: TestProject): Promise<void> {
  await build({
    configFile: fileURLToPath(new URL('../../page/vite.config.ts', import.meta.url)),
    logLevel: 'warn',
    ...(vitest.config.coverage.enabled && { build: { minify: false, sourcemap: 'hidden' } }),
  })
}
