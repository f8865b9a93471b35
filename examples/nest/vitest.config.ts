import { defineConfig } from 'vitest/config'
import { poll } from '../../vitest.config.js'

// The sources of the packages are tested, not a build of them.
const conditions = ['@service-signature/source']

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 60_000,
    expect: { poll },
    reporters: ['default', ['json', { outputFile: '../../coverage/tests-nest.json' }]],
  },
})
