import { defineConfig } from 'vitest/config'
import { reporters, TIME } from './vitest.config.js'

const shared = { ...TIME, env: { ALL_HOSTS: 'yes' } }
const built = ['{packages/*,sandbox}/test/built/*.test.ts', 'examples/{test,*/test}/*.test.ts']
const last = { maxWorkers: 1, sequence: { groupOrder: 1 } }

// What tests the built packages, without the paths that lead to the sources.
export default defineConfig({
  test: {
    reporters,
    maxWorkers: '100%',
    projects: [
      { test: { ...shared, name: 'hosts', include: ['packages/*/test/contract.test.ts'] } },
      // One file at a time: they kill processes, fill queues and measure memory.
      { test: { ...shared, name: 'built', include: built, ...last } },
      { test: { ...shared, name: 'drills', include: ['test/drills/*.test.ts'] } },
      { test: { ...shared, name: 'prisma', include: ['examples/apps/prisma/test/*.test.ts'] } },
      { test: { ...shared, name: 'site', include: ['site/test/*.test.ts'] } },
    ],
  },
})
