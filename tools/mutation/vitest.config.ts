import { defineConfig } from 'vitest/config'
import base, { TIME } from '../../vitest.config.js'

// Core's own tests of the mutated files. Other tests would only make each mutant slower.
export default defineConfig({
  ...base,
  test: {
    ...TIME,
    // The sources are loaded once for each mutant: nothing in them keeps state.
    isolate: false,
    include: ['packages/core/test/**/*.test.ts'],
    exclude: ['**/test/{built,events}/**', '**/*.service.test.ts', '**/events-properties.test.ts'],
  },
})
