// Runs a command of one of the verbs below: npm run docs -- api --check. Without a name, it lists those of the verb.
import { spawnSync } from 'node:child_process'

/** @typedef {readonly [does: string, line: string]} Command The line is for the shell; options are added to it. */

const built = (/** @type {string} */ line) =>
  // The continuous integration builds once.
  process.env['BUILT'] === undefined ? `npm run --silent build && ${line}` : line
const installed = (/** @type {string} */ folder, /** @type {string} */ line) =>
  `node tools/install.js ${folder} && ${line}`
const site = (/** @type {string} */ script) => installed('site', built(`npm --prefix site run ${script}`))
const onBuilt = (/** @type {string} */ project) =>
  `vitest run --config vitest.built.config.ts --project=${project}`

/** @type {Record<string, Record<string, Command>>} */
const VERBS = {
  docs: {
    serve: ['serves the pages as a site', site('dev')],
    build: ['builds the site', site('build')],
    test: ['builds the site and tests it in Chromium', `${site('build')} && ${onBuilt('site')}`],
    api: [
      'writes docs/api from the comments of the sources',
      installed('tools/checks', 'node tools/generate/run.js api'),
    ],
    openapi: [
      'writes docs/openapi.json from the routes of the sandbox',
      installed('tools/checks', 'node tools/generate/run.js openapi'),
    ],
    events: [
      'writes the events as JSON Schema and as webhooks of OpenAPI into core',
      'node tools/generate/run.js events',
    ],
    generated: ['all of these', installed('tools/checks', 'node tools/generate/run.js')],
    embed: ['copies the examples into the pages', 'node tools/generate/run.js embed'],
    screenshots: [
      'takes the pictures of the pages of the sandbox',
      built('node sandbox/test/page/screenshots/run.js'),
    ],
  },
  drill: {
    'hang-up': [
      'the sender hangs up on slow handlers, in real time, on every host and with both stores',
      `${onBuilt('drills')} hang-up`,
    ],
    kills: [
      'kills processes and the server while they book, in PostgreSQL or in --database <name>',
      'node test/drills/run.js kills',
    ],
    workerd: [
      'kills workerd while a Worker books in D1, and with Durable Objects',
      installed('test/drivers', built('node test/drills/run.js workerd')),
    ],
    'redis-kills': [
      'kills processes and the Redis that remembers what they booked',
      'node test/drills/run.js redis --server 1',
    ],
    orders: [
      'every order of two deliveries with a crash, lost answers and lapsed leases, over a model of each store',
      'EVERY_ORDER=yes vitest run --project unit protocol/every-order',
    ],
    redis: ['kills the master of a Redis cluster', 'node test/drills/run.js redis'],
  },
  measure: {
    page: ['the page of the sandbox with 10,000 deliveries', built('node sandbox/test/page/many.js')],
    timing: [
      'searches for differences in time that show something of a key or a digest',
      built('node bench/timing.js'),
    ],
  },
  'test:examples': {
    nest: [
      'the example and the built module on Nest 10, 11 and 12',
      installed(
        'examples/apps',
        built('tsc --project examples/apps/nest && vitest run --config examples/apps/nest/vitest.config.ts'),
      ),
    ],
    prisma: ['the example with Prisma', installed('examples/apps', built(onBuilt('prisma')))],
  },
  release: {
    dry: [
      'packs and checks the packages, as npm would publish them',
      installed('tools/release', 'node tools/release/dry.js'),
    ],
    verify: [
      'the same, and compares them with those that npm serves',
      installed('tools/release', 'node tools/release/dry.js --compare'),
    ],
    placeholders: [
      'packs an empty 0.0.0 of each package, and prints how to prepare the first release',
      'node tools/release/placeholders.js',
    ],
    version: ['raises the version everywhere: patch, minor or major', 'node tools/release/version.js'],
  },
}

const [verb = '', name = '', ...options] = process.argv.slice(2)
const commands = VERBS[verb] ?? {}
const [, line] = commands[name] ?? []
if (line === undefined) {
  const rows = Object.entries(commands).map(([each, [does]]) => `  ${each.padEnd(12)} ${does}`)
  console.error(`Usage: npm run ${verb} -- <command>\n\n${rows.join('\n')}`)
  process.exitCode = 2
} else {
  const quoted = options.map((option) => `'${option.replaceAll("'", `'\\''`)}'`)
  process.exitCode = spawnSync([line, ...quoted].join(' '), { shell: true, stdio: 'inherit' }).status ?? 1
}
