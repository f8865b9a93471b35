// Runs the built packages on every runtime that they support: the test vectors, those of others, and the fetch adapter.
//
//   node tools/runtimes/run.js [--only <runtime>]
import { createHmac } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runCases } from './cases.js'
import { Outcome } from './inside/outcome.js'
import { executableOf, prepare, RUNTIMES, startServer } from './runtimes.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** No test waits this long. */
const LONGEST_MS = 120_000

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const unknown = values.only?.find((only) => RUNTIMES.every(({ name }) => name !== only))
if (unknown !== undefined) {
  const names = new Set(RUNTIMES.map(({ name }) => name))
  throw new TypeError(`Unknown runtime "${unknown}"; expected ${[...names].join(', ')}`)
}
await prepare()
const vectors = readVectors()
const published = readPublished()
const started = Date.now()
const total = new Outcome()
const tasks = RUNTIMES.filter(({ name }) => values.only?.includes(name) ?? true)
// Two at a time: while one waits for a timer or a socket, another one computes.
await Promise.all([runTasks(), runTasks()])
report()

async function runTasks() {
  for (let runtime = tasks.shift(); runtime !== undefined; runtime = tasks.shift()) {
    if (executableOf(runtime) !== undefined) await run(runtime)
    else
      console.error(`NOT TESTED: ${runtime.name} has no package for ${process.platform} on ${process.arch}`)
  }
}

async function run(runtime) {
  const { name, hasSync } = runtime
  const outcome = new Outcome()
  let ran = 'no vectors'
  const server = startServer(runtime)
  try {
    const port = await server.port
    const post = async (path, body) => {
      const request = { method: 'POST', body, signal: AbortSignal.timeout(LONGEST_MS) }
      return (await fetch(`http://127.0.0.1:${port}${path}`, request)).json()
    }
    const result = await post('/vectors', vectors.text)
    outcome.add(result)
    // The number shows which entry of core was loaded, because only one has functions without a promise.
    const expected = vectors.count * (hasSync ? 2 : 1) + 1
    const actual = result.passed + result.failures.length
    if (actual !== expected) outcome.failures.push(`ran ${actual} of ${expected} vectors`)
    const others = await post('/published', JSON.stringify(published))
    outcome.add(others)
    ran = `${actual} vectors, ${others.passed + others.failures.length} of others`
    for (const form of result.forms) await runCases(port, form, outcome)
  } catch (error) {
    outcome.failures.push(String(error))
  }
  const { output, errors } = await server.end()
  // Each user would get a warning that an adapter causes: Deno prints one if `request.signal` is used.
  if (errors !== '') outcome.failures.push(`printed on standard error: ${errors}`)
  const { passed, failures } = outcome
  const title = `${name}, ${hasSync ? 'node:crypto' : 'Web Crypto'}`
  console.log(`${title.padEnd(22)} ${passed} passed, ${failures.length} failed: ${ran}`)
  for (const failure of failures.slice(0, 20)) console.log(`  ${failure}`)
  if (failures.length > 0) console.log(`It printed:\n${output.slice(-4000)}`)
  total.add(outcome)
}

/** All files of vectors as one text, and how many vectors they have. */
function readVectors() {
  const source = join(root, 'test-vectors')
  const names = fs.readdirSync(source).filter((name) => name.endsWith('.json') && name !== 'schema.json')
  const text = `[${names.map((name) => fs.readFileSync(join(source, name), 'utf8')).join()}]`
  const each = JSON.parse(text).flatMap(({ testGroups }) => testGroups.flatMap(({ tests }) => tests))
  return { text, count: each.length }
}

/** Vectors of others, and a signed header for each body. */
function readPublished() {
  const read = (name) =>
    JSON.parse(fs.readFileSync(join(root, `packages/core/test/published/${name}.json`), 'utf8'))
  const [secret, t] = ['test_signature_key', 1743090080]
  const texts = Object.entries(read('json-test-suite').files).map(([name, file]) => {
    const isWhole = typeof file === 'string'
    const body = isWhole
      ? Buffer.from(file, 'base64')
      : Buffer.from(file.repeat.repeat(file.times) + file.then)
    const digest = createHmac('sha256', secret)
      .update(`${body.toString('base64')}${t}`)
      .digest('hex')
    return { name, body: body.toString('hex'), header: `t=${t},v3=${digest}` }
  })
  return { macs: read('wycheproof-hmac-sha256').tests, texts, secret, now: t * 1000 }
}

function report() {
  const [passed, failed] = [total.passed, total.failures.length]
  console.log(
    `runtimes: ${passed} passed, ${failed} failed, in ${Math.round((Date.now() - started) / 1000)} s`,
  )
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
  // The result of a partial run is not kept.
  if (values.only !== undefined) return
  fs.mkdirSync(join(root, 'coverage'), { recursive: true })
  const sums = { numPassedTests: passed, numFailedTests: failed, numPendingTests: 0 }
  fs.writeFileSync(join(root, 'coverage/tests-runtimes.json'), `${JSON.stringify(sums)}\n`)
}
