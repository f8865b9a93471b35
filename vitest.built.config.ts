import { defineConfig } from 'vitest/config'
import { NEVER, poll, retry } from './vitest.config.js'

const hosts = ['packages/*/test/contract.test.ts']
const built = [
  '{packages/*,sandbox}/test/built/**/*.test.ts',
  'examples/{test,demo/test,queues/test}/*.test.ts',
]
// The drill takes half a minute of real time, so it runs by its name alone: npm run drill -- hang-up.
const isDrill = process.argv.includes('hang-up')
const shared = {
  env: { ALL_HOSTS: 'yes' },
  exclude: isDrill ? NEVER : [...NEVER, '**/hang-up*'],
  testTimeout: 60_000,
  retry,
  expect: { poll },
}

// The built packages are tested again in hosts, without the paths that lead to the sources.
export default defineConfig({
  test: {
    include: [...hosts, ...built],
    maxWorkers: '100%',
    reporters: process.env['CI']
      ? [
          'default',
          [
            'json',
            {
              outputFile: process.argv.includes('hang-up')
                ? 'coverage/tests-drill.json'
                : 'coverage/tests-built.json',
            },
          ],
        ]
      : ['default'],
    projects: [
      { test: { ...shared, name: 'hosts', include: hosts, sequence: { groupOrder: 0 } } },
      // These run after the others, one file at a time: they kill processes, fill queues and measure memory.
      { test: { ...shared, name: 'built', include: built, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
