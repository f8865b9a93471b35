import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Builds the page before the tests in browsers, which takes less than a second. */
export async function setup(): Promise<void> {
  await build({
    configFile: fileURLToPath(new URL('../../page/vite.config.ts', import.meta.url)),
    logLevel: 'warn',
  })
}
