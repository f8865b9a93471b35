import { defineConfig } from 'vitest/config'

const exclude = ['**/node_modules/**', 'packages/nest-example/**']
const testTimeout = 60_000

// What npm would publish is tested once more, where it meets hosts: without the condition that leads to the sources.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'hosts',
          include: ['packages/*/test/contract.test.ts'],
          exclude,
          testTimeout,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'built',
          include: ['packages/*/test/built/**/*.test.ts', 'tools/test/built/**/*.test.ts'],
          exclude,
          testTimeout,
          // One file at a time, and behind the others: they kill processes, fill queues and measure memory.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
    maxWorkers: '100%',
    reporters: ['default', ['json', { outputFile: 'coverage/tests-built.json' }]],
  },
})
