import { defineConfig } from 'vitest/config'

// The sources of the packages are tested, not a build of them.
const conditions = ['@service-signature/source']

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: '../../coverage/tests-nest.json' }]],
  },
})
