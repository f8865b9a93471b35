import { defineConfig } from 'vitest/config'

// What npm would publish is tested once more, where it meets hosts: without the condition that leads to the sources.
export default defineConfig({
  test: {
    testTimeout: 60_000,
    include: ['packages/*/test/contract.test.ts', 'packages/*/test/built/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: 'coverage/tests-built.json' }]],
  },
})
