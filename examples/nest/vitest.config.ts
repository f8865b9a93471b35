import { defineConfig } from 'vitest/config'
import { poll } from '../../vitest.config.js'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    testTimeout: 60_000,
    expect: { poll },
    reporters: ['default', ['json', { outputFile: '../../coverage/tests-nest.json' }]],
  },
})
