// Writes docs/sandbox-conformance.md from the titles and results of the tests of the sandbox against the specification.
//
//   npm run docs:conformance
//   npm run docs:conformance -- --check    fails if the page is not up to date
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'

/** @typedef {{ ancestorTitles: string[], title: string, status: string }} Result */

const root = fileURLToPath(new URL('../', import.meta.url))
const page = join(root, 'docs/sandbox-conformance.md')
const OWN = 'our choice: '

const INTRODUCTION = `# Conformance of the sandbox

What the payment service documents, and what the sandbox does. Each row is the title of a test in
\`packages/sandbox/test/specification\`. "Our choice" marks behaviour that the service does not document; [Facts and
assumptions](facts-and-assumptions.md) explains these choices.

This page is generated: \`npm run docs:conformance\`.
`

const results = runTests()
const headings = groupBy(results, ({ ancestorTitles }) => ancestorTitles.join(': '))
const sections = [...headings].map(([heading, rows]) => [`## ${heading}`, '', ...tableOf(rows)].join('\n'))
const own = results.filter(({ title }) => title.startsWith(OWN)).length
const counts = `${results.length} statements: ${results.length - own} documented, ${own} our choice.`
const text = [INTRODUCTION, counts, ...sections].join('\n\n')
const formatted = await format(text, { ...(await resolveConfig(page)), filepath: page })

if (!process.argv.includes('--check')) {
  writeFileSync(page, formatted)
} else if (readFileSync(page, 'utf8') !== formatted) {
  console.error('docs/sandbox-conformance.md is not up to date. Run: npm run docs:conformance')
  process.exitCode = 1
}

/** @returns {Result[]} in the order of the files and of the tests in them */
function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const outputFile = join(folder, 'results.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const options = [
    'run',
    'packages/sandbox/test/specification',
    '--reporter=json',
    `--outputFile=${outputFile}`,
  ]
  // With CI set, the results of all tests go into a file of their own.
  const env = { ...process.env, CI: '' }
  spawnSync(process.execPath, [vitest, ...options], { cwd: root, env, stdio: 'ignore' })
  /** @type {{ testResults: { name: string, assertionResults: Result[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8'))
  rmSync(folder, { recursive: true })
  return testResults
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ assertionResults }) => assertionResults)
}

/** @param {Result[]} rows */
function tableOf(rows) {
  const unique = groupBy(rows, ({ title }) => title)
  const lines = [...unique].map(([title, same]) => {
    const works = same.every(({ status }) => status === 'passed') ? 'works' : 'fails'
    const isOwn = title.startsWith(OWN)
    return `| ${cell(isOwn ? title.slice(OWN.length) : title)} | ${isOwn && works === 'works' ? 'our choice' : works} |`
  })
  return ['| statement | result |', '| --- | --- |', ...lines]
}

/**
 * As Map.groupBy of Node 21.
 *
 * @param {Result[]} results
 * @param {(result: Result) => string} keyOf
 */
function groupBy(results, keyOf) {
  /** @type {Map<string, Result[]>} */
  const groups = new Map()
  for (const result of results) groups.set(keyOf(result), [...(groups.get(keyOf(result)) ?? []), result])
  return groups
}

/** @param {string} title */
function cell(title) {
  const short = title.length > 160 ? `${title.slice(0, 157)}...` : title
  return short.replace(/[|*_<[]/g, '\\$&')
}
