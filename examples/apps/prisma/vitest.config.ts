import { defineConfig } from 'vitest/config'
import { NEVER } from '../../../vitest.config.js'

export default defineConfig({
  test: {
    include: ['examples/apps/prisma/test/*.test.ts'],
    exclude: NEVER,
    passWithNoTests: true,
    testTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: 'coverage/tests-prisma.json' }]],
  },
})
