import { defineConfig } from 'vitest/config'

// The sources themselves are tested, not a build of them. Tests run outside of a bundler, so Node's condition counts.
const conditions = ['@service-signature/source']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    coverage: {
      include: ['packages/*/src/**'],
      reporter: ['text', 'html'],
      thresholds: { 100: true },
    },
  },
})
