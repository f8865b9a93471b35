import { defineConfig } from 'vitest/config'

/** Of the tests that node-sqlite.test.ts runs with another Node. */
export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { interval: 5, timeout: 60_000 } } },
})
