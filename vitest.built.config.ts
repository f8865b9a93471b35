import { defineConfig } from 'vitest/config'
import { NEVER, poll } from './vitest.config.js'

const hosts = ['packages/*/test/contract.test.ts']
const built = ['packages/*/test/built/**/*.test.ts', 'examples/test/*.test.ts']
const shared = {
  exclude: NEVER,
  testTimeout: 60_000,
  expect: { poll },
}

// What npm would publish is tested once more, where it meets hosts: without the condition that leads to the sources.
export default defineConfig({
  test: {
    include: [...hosts, ...built],
    maxWorkers: '100%',
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'coverage/tests-built.json' }]]
      : ['default'],
    projects: [
      { test: { ...shared, name: 'hosts', include: hosts, sequence: { groupOrder: 0 } } },
      // Behind the others, and one file at a time: they kill processes, fill queues and measure memory.
      { test: { ...shared, name: 'built', include: built, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
