import { defineConfig } from 'vitest/config'
import base from './vitest.config.js'

// Runs each property of core for PROPERTY_SECONDS.
export default defineConfig({
  ...base,
  test: {
    maxWorkers: '100%',
    include: ['packages/core/test/properties/*.test.ts'],
    env: { PROPERTY_SECONDS: process.env['PROPERTY_SECONDS'] ?? '20' },
    testTimeout: 0,
  },
})
