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
      doc('Recipes', 'recipes'),
      doc('Migration', 'migration'),
      doc('Troubleshooting', 'troubleshooting'),
      page('Playground', 'site/playground.md'),
    ],
  },
  {
    text: 'Hosts',
    pages: [
      doc('Versions of hosts', 'hosts'),
      readme('Express', 'express'),
      readme('Koa', 'koa'),
      readme('Hapi', 'hapi'),
      readme('Fastify', 'fastify'),
      readme('Nest', 'nest'),
      readme('Node', 'node'),
      readme('Fetch: Hono, Next, Workers', 'fetch'),
      readme('AWS Lambda', 'lambda'),
      doc('Any other host', 'adapters'),
    ],
  },
  {
    text: 'Guides',
    pages: [
      doc('Events', 'events'),
      doc('Secrets', 'secrets'),
      doc('Replay protection', 'replay'),
      doc('Which store', 'stores'),
      doc('Testing', 'testing'),
      doc('Metrics and traces', 'telemetry'),
      doc('Queues', 'queues'),
      doc('Scaling', 'scaling'),
      readme('Redis store', 'redis'),
      doc('Redis in operation', 'redis'),
      doc('The inbox', 'inbox'),
      readme('PostgreSQL inbox', 'postgres'),
      readme('MySQL inbox', 'mysql'),
      readme('SQLite inbox', 'sqlite'),
      readme('DynamoDB inbox', 'dynamodb'),
      readme('Cloudflare: D1 and Durable Objects', 'cloudflare'),
      doc('What never arrived', 'reconcile'),
      readme('Explain a failure', 'explain'),
      doc('Causes that explain finds', 'explain'),
      readme('Audit an endpoint', 'audit'),
    ],
  },
  {
    text: 'Reference',
    pages: [
      doc('Options', 'options'),
      doc('Errors', 'errors'),
      readme('Core', 'core'),
      readme('Command line', 'cli'),
      doc('Command line: tasks', 'command-line'),
      doc('API', 'api/README'),
      doc('Specification', 'specification'),
      page('Test vectors', 'test-vectors/README.md'),
    ],
  },
  {
    text: 'Sandbox',
    pages: [
      readme('Sandbox', 'sandbox'),
      doc('Sandbox reference', 'sandbox-reference'),
      doc('The page in pictures', 'sandbox-page'),
    ],
  },
  {
    text: 'Project',
    pages: [
      doc('Performance', 'performance'),
      doc('Comparison', 'comparison'),
      doc('Architecture', 'maintainers/architecture'),
      page('Security', 'SECURITY.md'),
      doc('Assurance', 'assurance'),
      page('Changelog', 'CHANGELOG.md'),
      page('Contributing', 'CONTRIBUTING.md'),
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

/** @throws {Error} if a page of the documentation is not in the sidebar */
export function checkPages() {
  const published = readPackages(root).filter(({ manifest }) => manifest.private !== true)
  const expected = [...markdownIn('docs'), ...published.map(({ folder }) => `${folder}/README.md`)]
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
