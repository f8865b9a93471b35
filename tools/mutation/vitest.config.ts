import { defineConfig } from 'vitest/config'
import base, { poll } from '../../vitest.config.js'

// Core's own tests of the mutated files. Other tests would only make each mutant slower.
export default defineConfig({
  ...base,
  test: {
    // The sources are loaded once for each mutant: nothing in them keeps state.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll },
    include: ['packages/core/test/**/*.test.ts'],
    exclude: [
      '**/test/built/**',
      '**/*.{openssl,python}.test.ts',
      '**/test/events/**',
      '**/events.property.test.ts',
    ],
  },
})
