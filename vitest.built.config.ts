import { defineConfig } from 'vitest/config'

// What npm would publish is tested once more, where it meets hosts: without the condition that leads to the sources.
export default defineConfig({
  test: {
    // One file at a time: they kill processes, fill queues of connections and measure memory.
    fileParallelism: false,
    testTimeout: 60_000,
    include: [
      'packages/*/test/contract.test.ts',
      'packages/*/test/built/**/*.test.ts',
      'tools/test/built/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', 'packages/nest-example/**'],
    reporters: ['default', ['json', { outputFile: 'coverage/tests-built.json' }]],
  },
})
