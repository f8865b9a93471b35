import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { mariadbProgram } from './test/contract/src/mariadb-server.js'
import { postgresPrograms } from './test/contract/src/postgres-server.js'

/** What some tests need besides the packages of the lock file, and these tests. */
const TOOLS = [
  program('Redis', 'redis-server', '**/*.redis.test.ts'),
  // Debian's packages put their programs in folders that are not in PATH.
  {
    ...program('PostgreSQL', 'postgresql', '**/*.postgres.test.ts'),
    isThere: postgresPrograms() !== undefined,
  },
  {
    ...program('MariaDB', 'mariadb-server', '**/*.mysql.test.ts'),
    isThere: mariadbProgram() !== undefined,
  },
  { ...program('Chromium', 'chromium', '**/*.browser.test.ts'), project: 'services-browser' },
  program('OpenSSL', 'openssl', '**/*.openssl.test.ts'),
  program('Python', 'python3', '**/*.python.test.ts'),
  program('Prometheus', 'prometheus', '**/*.prometheus.test.ts'),
  { name: 'much time', fix: '', tests: '**/*.long.test.ts', isThere: true, project: 'services' },
  drivers('the packages of test/drivers', 'packages/*/test/engine/**/*.test.ts', ''),
  drivers('better-sqlite3', 'packages/sqlite/test/engine/{example,kills}.test.ts', 'better-sqlite3/build'),
]

function program(name: string, command: string, tests: string) {
  return { name, fix: `install ${command}`, tests, isThere: isInPath(command), project: 'services' }
}

function drivers(name: string, tests: string, path: string) {
  const isThere = existsSync(`test/drivers/node_modules/${path}`)
  return { name, fix: 'node tools/install.js test/drivers', tests, isThere, project: 'services' }
}

function testsOf(project: string): readonly string[] {
  return TOOLS.filter((tool) => tool.project === project).map(({ tests }) => tests)
}

function isInPath(command: string): boolean {
  return spawnSync('which', [command]).status === 0
}

const missing = TOOLS.filter(({ isThere }) => !isThere)
const asked = process.argv.flatMap((each) => /^--project=(.+)/.exec(each)?.[1] ?? [])
const isAsked = (project: string) => asked.length === 0 || asked.includes(project)
/** `npm test`, and more if further projects are named. */
const isTest = asked.includes('!services*')
// Each project loads this file again, but prints this only once.
const isFirst = process.env['LEFT_OUT_REPORTED'] === undefined
process.env['LEFT_OUT_REPORTED'] = 'yes'
const isShort = isTest && !isAsked('services') && process.env['ALL_HOSTS'] === undefined
if (isFirst && isShort) {
  console.warn(
    'Left out: the contract on hosts after the first of a package, and on most hosts what they share. ' +
      'To run it: npm run test:built.',
  )
}
for (const tool of isFirst ? TOOLS : []) {
  if (tool.isThere && (isAsked(tool.project) || !isTest)) continue
  const fix = tool.isThere ? `npx vitest run --project ${tool.project}` : tool.fix
  console.warn(`Left out: tests that need ${tool.name} (${tool.tests}). To run them: ${fix}.`)
}

/**
 * Real servers and browsers compete for the cores of the continuous integration. A test that passes only at its second try is
 * named at the end of its output, as something to repair.
 */
export const retry = process.env['CI'] ? 1 : 0

/** One worker for each: the default leaves one idle. */
const CORES = availableParallelism()

/** Which files belong to a project, in the order of precedence; a file of none of these belongs to `unit`. */
const PROJECTS = {
  'services-browser': testsOf('services-browser'),
  services: testsOf('services'),
  // They call the compiler of TypeScript, which takes long: npm run types.
  'services-types': ['**/*.types.test.ts'],
  // They replace modules, or change what all files of a process share.
  isolated: ['**/*.isolated.test.ts'],
  hosts: [
    'packages/*/test/contract.test.ts',
    '**/*.socket.test.ts',
    'packages/{express,koa,hapi,fastify,nest}/test/**/*.test.ts',
  ],
  sandbox: ['sandbox/test/**/*.test.ts'],
  tools: [
    'packages/cli/{templates,test}/**/*.test.ts',
    'packages/fetch/test/bundle.test.ts',
    'tools/test/**/*.test.ts',
  ],
}
export const NEVER = ['**/node_modules/**', ...missing.map(({ tests }) => tests)]

function project(name: string, include: readonly string[], before: readonly string[], options: object = {}) {
  // The examples need a build, or have packages of their own.
  const exclude = [...NEVER, 'examples/**', '**/test/built/**', ...before]
  return { extends: true as const, test: { name, include: [...include], exclude, ...options } }
}

const names = Object.keys(PROJECTS) as (keyof typeof PROJECTS)[]
const listed = names.map((name, index) =>
  project(
    name,
    PROJECTS[name],
    names.slice(0, index).flatMap((each) => PROJECTS[each]),
    {
      retry,
      // The sources are loaded once for all files: nothing in them keeps state.
      isolate: name === 'isolated' || name.startsWith('services'),
      // Half of the time of hosts is waiting for sockets.
      ...(name === 'hosts' && {
        maxWorkers: 2 * CORES,
        sequence: { groupOrder: 1 },
        env: isShort ? { CONTRACT: 'short' } : {},
      }),
      ...(name === 'sandbox' && { setupFiles: ['sandbox/test/support/setup.ts'] }),
      ...(name === 'services-browser' &&
        isInPath('chromium') && { globalSetup: ['sandbox/test/support/build-page.ts'] }),
    },
  ),
)
const unit = project(
  'unit',
  ['{packages/*,site/playground,test/contract}/test/**/*.test.ts'],
  Object.values(PROJECTS).flat(),
  {
    isolate: false,
    setupFiles: ['tools/test/support/no-outside.ts'],
  },
)

/** How long a test polls for an expected event: as long as a test may take. */
export const poll = { interval: 5, timeout: 300_000 }

export default defineConfig({
  // The sources themselves are tested, not a build of them.
  resolve: { tsconfigPaths: true },
  test: {
    projects: [unit, ...listed],
    maxWorkers: CORES,
    // The projects share what they compile, and the next run finds it.
    experimental: { fsModuleCache: true },
    // Browsers, processes and properties need their time on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll },
    // The continuous integration adds up how many tests ran.
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: `coverage/tests${isTest ? '' : '-browser'}.json` }]]
      : ['default'],
    coverage: {
      provider: 'custom',
      customProviderModule: 'sandbox/test/support/coverage-module.ts',
      include: [
        ...(isAsked('services')
          ? ['{packages/*,site/playground}/src/**', 'sandbox/{server,command}/**']
          : []),
        ...(isAsked('services-browser') ? ['sandbox/page/**/*.{ts,tsx}'] : []),
      ],
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
