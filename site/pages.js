// Which pages the site has, at which address, and in which order the sidebar lists them.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readPackages } from '../tools/release/metadata.js'

export const root = fileURLToPath(new URL('../', import.meta.url))

/**
 * @typedef {{ file: string, text: string }} Page its file in the repository, and its name in the sidebar
 * @typedef {{ text: string, pages: readonly Page[] }} Group
 */

const page = (/** @type {string} */ text, /** @type {string} */ file) => ({ text, file })
const doc = (/** @type {string} */ text, /** @type {string} */ name) => page(text, `docs/${name}.md`)
const readme = (/** @type {string} */ text, /** @type {string} */ name) =>
  page(text, name === 'sandbox' ? 'sandbox/README.md' : `packages/${name}/README.md`)

/** @type {readonly Group[]} */
export const GROUPS = [
  {
    text: 'Start',
    pages: [
      page('Getting started', 'README.md'),
      doc('Coming from Stripe or Svix', 'coming-from'),
      doc('Troubleshooting', 'troubleshooting'),
      page('Playground', 'site/playground.md'),
    ],
  },
  {
    text: 'Hosts',
    pages: [
      readme('Express', 'express'),
      readme('Koa', 'koa'),
      readme('Hapi', 'hapi'),
      readme('Fastify', 'fastify'),
      readme('Nest', 'nest'),
      readme('Hono, Next, Workers, Deno, Bun', 'fetch'),
      readme('node:http and Next API routes', 'node'),
      readme('AWS Lambda', 'lambda'),
      doc('All hosts', 'hosts'),
    ],
  },
  {
    text: 'Guides',
    pages: [
      doc('Events', 'events'),
      doc('Secrets', 'secrets'),
      doc('Testing', 'testing'),
      doc('Metrics and traces', 'telemetry'),
      doc('Why a delivery was refused', 'explain'),
      doc('Queues', 'queues'),
      doc('v1 and v2', 'v1-v2'),
    ],
  },
  {
    text: 'Handle each delivery once',
    pages: [
      doc('Which store', 'replay'),
      doc('The inbox', 'inbox'),
      readme('PostgreSQL', 'postgres'),
      readme('MySQL and MariaDB', 'mysql'),
      readme('SQLite', 'sqlite'),
      readme('DynamoDB', 'dynamodb'),
      readme('Cloudflare: D1, Durable Objects', 'cloudflare'),
      readme('Redis and Valkey', 'redis'),
      doc('What never arrived', 'reconcile'),
    ],
  },
  {
    text: 'Tools',
    pages: [
      readme('Sandbox', 'sandbox'),
      doc('Sandbox reference', 'sandbox-reference'),
      readme('Command line', 'cli'),
      doc('Command line: tasks', 'command-line'),
      readme('Audit', 'audit'),
      readme('Explain', 'explain'),
    ],
  },
  {
    text: 'Reference',
    pages: [
      doc('Options', 'options'),
      readme('Core', 'core'),
      doc('API', 'api/README'),
      doc('Specification', 'specification'),
      page('Test vectors', 'test-vectors/README.md'),
      page('Security', 'SECURITY.md'),
      page('Changelog', 'CHANGELOG.md'),
    ],
  },
]

/** The pages of the API reference, below its overview. They are generated, so they are not listed here. */
export const API_PAGES = markdownIn('docs/api')
  .filter((file) => file !== 'docs/api/README.md')
  .sort()
  .map((file) => page(file.slice('docs/api/'.length, -'.md'.length), file))

const HOME = page('Home', 'site/index.md')

/**
 * The address of each page, without a slash at its start, by its file.
 *
 * @type {ReadonlyMap<string, string>}
 */
export const ADDRESSES = new Map(
  [HOME, ...GROUPS.flatMap(({ pages }) => pages), ...API_PAGES].map(({ file }) => [file, addressOf(file)]),
)

/** @param {string} file */
function addressOf(file) {
  if (file === 'README.md') return 'start'
  if (file === 'site/index.md') return ''
  const api = /^docs\/api\/(.+)\.md$/.exec(file)?.[1]
  // No page has the address of a folder, which web servers treat differently.
  if (api !== undefined) return api === 'README' ? 'api/' : `api/${api.replaceAll('/', '-')}`
  const address = file.replace(/^(?:docs|site)\//, '').replace(/(?:\/README)?\.md$/, '')
  return /^[A-Z]+$/.test(address) ? address.toLowerCase() : address
}

/**
 * Markdown files of the documentation, at any depth.
 *
 * @param {string} folder
 * @returns {string[]}
 */
function markdownIn(folder) {
  const names = readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
}

/** @throws {Error} if a page for users is not in the sidebar */
export function checkPages() {
  const published = readPackages(root).filter(({ manifest }) => manifest.private !== true)
  const docs = markdownIn('docs').filter((file) => !file.startsWith('docs/maintainers/'))
  const expected = [...docs, ...published.map(({ folder }) => `${folder}/README.md`)]
  const missing = expected.filter((file) => !ADDRESSES.has(file))
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: add it to a group in site/pages.js.`)
}

/** @param {string} name of a package */
function manifestOf(name) {
  return JSON.parse(readFileSync(`${root}packages/${name}/package.json`, 'utf8'))
}

/** Where the source of the repository is shown. */
export const REPOSITORY = manifestOf('core')
  .repository.url.replace(/^git\+/, '')
  .replace(/\.git$/, '')
