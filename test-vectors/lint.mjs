// Checks the test vectors: their shape, their bookkeeping, and that generate.py still makes them.
//
//   node test-vectors/lint.mjs

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { Ajv2020 } from 'ajv/dist/2020.js'

const FOLDER = new URL('./', import.meta.url)
const MIN_TESTS = 250
const MAX_BYTES = 4 * 1024 * 1024

const problems = []
const seenIds = new Map()
const total = { tests: 0, valid: 0, invalid: 0, bytes: 0 }

const schema = JSON.parse(readFileSync(new URL('schema.json', FOLDER), 'utf8'))
const isWellFormed = new Ajv2020({ allErrors: true, strict: true, strictRequired: false }).compile(schema)

for (const name of fileNames()) lintFile(name)
lintTotal()
checkGenerator()

console.log(summary('total', total))
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function fileNames() {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json') && name !== 'schema.json')
    .sort()
}

function lintFile(name) {
  const text = readFileSync(new URL(name, FOLDER), 'latin1')
  if (/[^\n -~]/.test(text)) problems.push(`${name}: not plain ASCII`)

  const file = JSON.parse(text)
  if (!isWellFormed(file)) {
    for (const error of isWellFormed.errors) problems.push(`${name}${error.instancePath}: ${error.message}`)
    return
  }
  if (`${file.suite}.json` !== name) problems.push(`${name}: suite is ${file.suite}`)

  const count = { tests: 0, valid: 0, invalid: 0, bytes: text.length }
  for (const group of file.testGroups) {
    for (const test of group.tests) {
      lintTest(name, file, group, test)
      count.tests += 1
      count[test.result] += 1
    }
  }
  if (file.numberOfTests !== count.tests) {
    problems.push(`${name}: numberOfTests is ${file.numberOfTests}, there are ${count.tests}`)
  }
  lintNotes(name, file)

  for (const key of Object.keys(total)) total[key] += count[key]
  console.log(summary(name, count))
}

function lintTest(name, file, group, test) {
  const where = `${name}: ${test.tcId}`
  if (seenIds.has(test.tcId)) problems.push(`${where} is also in ${seenIds.get(test.tcId)}`)
  seenIds.set(test.tcId, name)

  for (const flag of test.flags) {
    if (!Object.hasOwn(file.notes, flag)) problems.push(`${where}: no note explains ${flag}`)
  }
  if (test.result === 'invalid') return

  const listsV2 = group.versions.includes('v2')
  if (listsV2 !== Object.hasOwn(test, 'canonicalForm')) {
    problems.push(`${where}: canonicalForm belongs to valid tests with v2 listed, and to no others`)
  }
  const listsSecretKeyed = group.versions.some((version) => version !== 'v1')
  const keys = listsSecretKeyed ? group.secrets : group.apiKeys
  if (test.secretIndex >= keys.length) problems.push(`${where}: there is no key ${test.secretIndex}`)
}

function lintNotes(name, file) {
  const used = new Set(file.testGroups.flatMap((group) => group.tests.flatMap((test) => test.flags)))
  for (const flag of Object.keys(file.notes)) {
    if (!used.has(flag)) problems.push(`${name}: no test has the flag ${flag}`)
  }
}

function lintTotal() {
  if (total.tests < MIN_TESTS) problems.push(`only ${total.tests} tests, at least ${MIN_TESTS} are wanted`)
  if (total.invalid <= total.valid) problems.push('hostile tests must be the majority')
  if (total.bytes > MAX_BYTES) problems.push(`${total.bytes} bytes are more than ${MAX_BYTES}`)
}

// Without Python a developer can still lint; CI must not pass without this check.
function checkGenerator() {
  const script = fileURLToPath(new URL('generate.py', FOLDER))
  const run = spawnSync('python3', [script, '--check'], { stdio: 'inherit' })
  if (run.error === undefined) {
    if (run.status !== 0) problems.push('generate.py --check failed: the files are not what it makes')
  } else if (process.env.CI) {
    problems.push(`generate.py --check did not run: ${run.error.message}`)
  } else {
    console.error('WARNING: python3 was not found, so it was NOT CHECKED that generate.py makes these files.')
  }
}

function summary(name, count) {
  const kilobytes = Math.ceil(count.bytes / 1024)
  return `${name}: ${count.tests} tests, ${count.valid} valid, ${count.invalid} invalid, ${kilobytes} KB`
}
