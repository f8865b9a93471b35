// Writes docs/sandbox-conformance.md from the tests of the sandbox against the specification.
//
//   npm run docs -- conformance
//   npm run docs -- conformance --check    fails if the page is not up to date
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { conformancePage } from './conformance-page.js'

/** @typedef {import('./conformance-page.js').Result} Result */

const root = fileURLToPath(new URL('../', import.meta.url))
const page = join(root, 'docs/sandbox-conformance.md')
const specification = readFileSync(join(root, 'docs/specification.md'), 'utf8')
const { text, problems } = conformancePage(runTests(), specification)
const formatted = await format(text, { ...(await resolveConfig(page)), filepath: page })

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
} else if (!process.argv.includes('--check')) {
  writeFileSync(page, formatted)
} else if (readFileSync(page, 'utf8') !== formatted) {
  console.error('docs/sandbox-conformance.md is not up to date. Run: npm run docs -- conformance')
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
    '--includeTaskLocation',
    `--outputFile=${outputFile}`,
  ]
  // With CI set, the results of all tests go into a file of their own.
  const env = { ...process.env, CI: '' }
  spawnSync(process.execPath, [vitest, ...options], { cwd: root, env, stdio: 'ignore' })
  /** @type {{ testResults: { name: string, assertionResults: Omit<Result, 'file'>[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8'))
  rmSync(folder, { recursive: true })
  return testResults
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name: file, assertionResults }) => assertionResults.map((result) => ({ file, ...result })))
}
