import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { retry } from '../vitest.config.js'

// The tests of the built site: npm run docs -- test.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    include: ['test/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry,
    reporters: process.env['CI']
      ? [
          'default',
          ['json', { outputFile: fileURLToPath(new URL('../coverage/tests-site.json', import.meta.url)) }],
        ]
      : ['default'],
  },
})
