// Runs a command of one of the verbs below: npm run docs -- api --check. Without a name, it lists those of the verb.
import { spawnSync } from 'node:child_process'
import { install } from './install.js'

/**
 * @typedef {object} Command
 * @property {string} does
 * @property {string} run a command of the shell; further arguments are added to it
 * @property {string[]} [installs] folders with lock files of their own
 * @property {boolean} [builds] whether it needs the built packages
 */

/** @type {Record<string, Record<string, Command>>} */
const VERBS = {
  docs: {
    serve: {
      does: 'serves the pages as a site',
      run: 'npm --prefix site run dev',
      installs: ['site'],
      builds: true,
    },
    build: { does: 'builds the site', run: 'npm --prefix site run build', installs: ['site'], builds: true },
    test: {
      does: 'builds the site and tests it in Chromium',
      run: 'npm --prefix site run build && vitest run --config site/vitest.config.ts',
      installs: ['site'],
      builds: true,
    },
    api: {
      does: 'writes docs/api from the comments of the sources',
      run: 'node tools/checks/api.js',
      installs: ['tools/checks'],
    },
    openapi: {
      does: 'writes docs/openapi.json from the routes of the sandbox',
      run: 'node tools/checks/openapi.js',
      installs: ['tools/checks'],
    },
    events: {
      does: 'writes the events as JSON Schema and as webhooks of OpenAPI into core',
      run: 'node tools/event-schema/write.js',
    },
    embed: { does: 'copies the examples into the pages', run: 'node tools/embed-examples.js' },
    screenshots: {
      does: 'takes the pictures of the pages of the sandbox',
      run: 'node sandbox/test/page/screenshots/run.js',
      builds: true,
    },
  },
  drill: {
    'hang-up': {
      does: 'the sender hangs up on slow handlers, in real time, on every host and with both stores',
      run: 'vitest run --config vitest.built.config.ts hang-up',
    },
    kills: {
      does: 'kills processes and the server while they book, in PostgreSQL or in --database <name>',
      run: 'node tools/drill/run.js kills',
    },
    workerd: {
      does: 'kills workerd while a Worker books in D1, and with Durable Objects',
      run: 'node tools/drill/run.js workerd',
      installs: ['test/drivers'],
      builds: true,
    },
    'redis-kills': {
      does: 'kills processes and the Redis that remembers what they booked',
      run: 'node tools/drill/run.js redis-kills',
    },
    reconcile: {
      does: 'books 20,000 payments, of which 5 % of the deliveries never come, under kills',
      run: 'node tools/drill/run.js reconcile',
      builds: true,
    },
    orders: {
      does: 'every order of two deliveries with a crash, lost answers and lapsed leases, over a model of each store',
      run: 'EVERY_ORDER=yes vitest run --project unit protocol/every-order',
    },
    redis: { does: 'kills the master of a Redis cluster', run: 'node tools/drill/run.js redis-failover' },
  },
  measure: {
    explain: {
      does: 'how many faults of the corpus explain finds, and its CPU time',
      run: 'node tools/explain-corpus.js',
    },
    page: {
      does: 'the page of the sandbox with 10,000 deliveries',
      run: 'node sandbox/test/page/many.js',
      builds: true,
    },
    timing: {
      does: 'searches for differences in time that show something of a key or a digest',
      run: 'node bench/timing.js',
      builds: true,
    },
    sandbox: {
      does: 'memory, start and payments a second of the sandbox',
      run: 'node tools/measure-sandbox.js',
      builds: true,
    },
  },
  'test:examples': {
    nest: {
      does: 'the example and the built module on Nest 10, 11 and 12',
      run: 'tsc --project examples/apps/nest && vitest run --config examples/apps/nest/vitest.config.ts',
      installs: ['examples/apps'],
      builds: true,
    },
    prisma: {
      does: 'the example with Prisma',
      run: 'vitest run --config examples/apps/prisma/vitest.config.ts',
      installs: ['examples/apps'],
      builds: true,
    },
  },
  release: {
    dry: {
      does: 'packs and checks the packages, as npm would publish them',
      run: 'node tools/release/dry.js',
      installs: ['tools/release'],
    },
    placeholders: {
      does: 'packs an empty 0.0.0 of each package, and prints how to prepare the first release',
      run: 'node tools/release/placeholders.js',
    },
    version: {
      does: 'raises the version everywhere: patch, minor or major',
      run: 'node tools/release/version.js',
      installs: ['tools/release'],
    },
    verify: {
      does: 'builds a release twice, and compares the tarballs with each other and with npm',
      run: 'node tools/release/verify.js',
    },
  },
}

const [verb = '', name = '', ...options] = process.argv.slice(2)
const commands = VERBS[verb] ?? {}
const command = commands[name]
if (command !== undefined) process.exitCode = execute(command, options)
else {
  const rows = Object.entries(commands).map(([each, { does }]) => `  ${each.padEnd(12)} ${does}`)
  console.error(`Usage: npm run ${verb} -- <command>\n\n${rows.join('\n')}`)
  process.exitCode = 2
}

/**
 * @param {Command} command
 * @param {string[]} options
 */
function execute({ run, installs = [], builds = false }, options) {
  for (const folder of installs) install(folder)
  // The continuous integration builds once.
  if (builds && process.env['BUILT'] === undefined) {
    const build = shell('npm run --silent build')
    if (build !== 0) return build
  }
  return shell([run, ...options.map((option) => `'${option.replaceAll("'", `'\\''`)}'`)].join(' '))
}

/** @param {string} line */
function shell(line) {
  return spawnSync(line, { shell: true, stdio: 'inherit' }).status ?? 1
}
