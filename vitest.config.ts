import { defineConfig } from 'vitest/config'

// The sources themselves are tested, not a build of them.
const conditions = ['@service-signature/source']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Not one less than there are cores: of two, one would idle.
    maxWorkers: '100%',
    // Browsers, processes and properties take their time on a busy machine.
    testTimeout: 60_000,
    include: ['packages/*/test/**/*.test.ts', 'tools/test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/test/built/**'],
    reporters: ['default', ['json', { outputFile: 'coverage/tests.json' }]],
    coverage: {
      include: ['packages/*/src/**'],
      // Made of tests, a demo and an example, which tests run: not of what is shipped.
      exclude: ['packages/{contract,demo,nest-example}/**'],
      reporter: ['text', 'html'],
      thresholds: { 100: true },
    },
  },
})
