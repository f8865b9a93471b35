import { defineConfig } from 'vitest/config'
import base from './vitest.config.js'

// Runs the properties of core for as long as PROPERTY_SECONDS says, each of them.
export default defineConfig({
  ...base,
  test: {
    include: ['packages/core/test/properties/*.test.ts'],
    env: { PROPERTY_SECONDS: process.env['PROPERTY_SECONDS'] ?? '20' },
    testTimeout: 0,
  },
})
