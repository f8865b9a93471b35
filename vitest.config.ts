import { defineConfig } from 'vitest/config'
import { LeftOut } from './tools/left-out.js'

/** How long a test that hangs, or a poll within it, may take. No result depends on it. */
const timeout = 300_000
export const TIME = { testTimeout: timeout, hookTimeout: timeout, expect: { poll: { interval: 5, timeout } } }

/** The continuous integration runs several projects, one after another, and adds up how many tests ran. */
export const reporters = process.env['CI']
  ? ['default', ['json', { outputFile: `coverage/tests-${process.pid}.json` }] as ['json', object]]
  : ['default', new LeftOut()]

const TESTS = '{packages/*,sandbox,site/playground,test/contract,tools}/test'
const NOT_HERE = ['**/node_modules/**', '**/test/built/**']
const NOT_ALONE = [...NOT_HERE, '**/test/isolated/**', '**/*.{service,browser}.test.ts']

function project(name: string, include: string, exclude: readonly string[], options: object = {}) {
  return { extends: true as const, test: { name, include: [include], exclude: [...exclude], ...options } }
}

export default defineConfig({
  // The sources themselves are tested, not a build of them.
  resolve: { tsconfigPaths: true },
  test: {
    ...TIME,
    reporters,
    maxWorkers: '100%',
    // The projects share what they compile, and the next run finds it.
    experimental: { fsModuleCache: true },
    projects: [
      // The sources are loaded once for all files: nothing in them keeps state.
      project('unit', `{${TESTS},packages/cli/templates}/**/*.test.ts`, NOT_ALONE, { isolate: false }),
      // They replace modules, or change what all files of a process share.
      project('isolated', `${TESTS}/isolated/*.test.ts`, NOT_HERE),
      project('services', `${TESTS}/**/*.service.test.ts`, NOT_HERE),
      project('browser', `${TESTS}/**/*.browser.test.ts`, NOT_HERE, {
        globalSetup: ['sandbox/test/support/build-page.ts'],
      }),
    ],
    coverage: {
      provider: 'custom',
      customProviderModule: 'sandbox/test/support/coverage-module.ts',
      include: process.argv.includes('--project=browser')
        ? ['sandbox/page/**/*.{ts,tsx}']
        : ['{packages/*,site/playground}/src/**', 'sandbox/{server,command}/**'],
      // The element runs in Chromium, in *.browser.test.ts.
      exclude: ['site/playground/src/{element/**,index.ts}', '**/vite.config.ts'],
      // What is not covered, and nothing else.
      reporter: [['text', { skipFull: true }], 'html'],
      thresholds: {
        '{packages/*/src,site/playground/src,sandbox/{server,command}}/**': { 100: true },
        'sandbox/page/**': { statements: 90 },
      },
    },
  },
})
