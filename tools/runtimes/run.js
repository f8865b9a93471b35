// Runs the built packages on every runtime that they support: the test vectors, and the fetch adapter.
//
//   node tools/runtimes/run.js [--only <runtime>]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { install } from '../install.js'
import { Outcome } from './inside/outcome.js'
import { runSockets } from './sockets.js'

/**
 * @typedef {object} Runtime
 * @property {string} name
 * @property {string} executable in node_modules
 * @property {readonly string[]} line how its server is started
 * @property {boolean} [isEdge] whether it has Web Crypto only
 */

const here = fileURLToPath(new URL('.', import.meta.url))
const { platform, arch } = process
const folder = mkdtempSync(join(tmpdir(), 'service-signature-runtimes-'))

/** @type {readonly Runtime[]} */
const RUNTIMES = [
  ...['20', '22', '24', '26'].map((version) => ({
    name: `node-${version}`,
    executable: `node-${version}-${platform}-${arch}/bin/node`,
    line: [join(here, 'inside/node.js')],
  })),
  {
    name: 'bun',
    executable: `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}/bin/bun`,
    // Bun follows the paths of a tsconfig.json; those of the workspace lead to the sources.
    line: [`--tsconfig-override=${join(here, 'built.tsconfig.json')}`, join(here, 'inside/bun.js')],
  },
  {
    name: 'deno',
    executable: `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}/deno`,
    // It may use the network of this machine, and nothing else.
    line: ['run', '--no-prompt', '--no-lock', '--allow-net=127.0.0.1', join(here, 'inside/deno.js')],
  },
  {
    name: 'workerd',
    executable: `@cloudflare/workerd-${platform}-${arch === 'x64' ? '64' : arch}/bin/workerd`,
    line: ['serve', '--control-fd=1', join(folder, 'worker.capnp')],
    isEdge: true,
  },
]
/** Ends a process that would never start or end. No test waits this long. */
const LONGEST_MS = 120_000

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const unknown = values.only?.find((only) => RUNTIMES.every(({ name }) => name !== only))
if (unknown !== undefined)
  stop(`Unknown runtime "${unknown}". Runtimes: ${RUNTIMES.map(({ name }) => name).join(', ')}`)
if (!existsSync(new URL('../../packages/fetch/dist/index.mjs', import.meta.url))) {
  stop('The packages are not built. Run: npm run build')
}
// Whenever this process ends, also by Ctrl+C, the others end and the folder is removed.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true })
})

// No package needs its script: the executables are started from where they are.
install(here, ['--ignore-scripts'])
await bundleWorker()
const { vectors, count } = readVectors()

const started = Date.now()
/** @typedef {Outcome & { runtime: string, hasSync: boolean }} Row */
/** @type {Row[]} */
const rows = []
const tasks = RUNTIMES.filter(({ name }) => values.only?.includes(name) ?? true).flatMap((runtime) =>
  runtime.isEdge === true
    ? [{ runtime, hasSync: false }]
    : [true, false].map((hasSync) => ({ runtime, hasSync })),
)
// Two at a time: while one waits for a timer or a socket, another one computes.
await Promise.all([runTasks(), runTasks()])
checkCounts()
report()

async function runTasks() {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    const { runtime, hasSync } = task
    const executable = join(here, 'node_modules', runtime.executable)
    if (existsSync(executable)) rows.push(await run(runtime, executable, hasSync))
    else console.error(`NOT TESTED: ${runtime.name} has no package for ${platform} on ${arch}`)
  }
}

/**
 * @param {Runtime} runtime
 * @param {string} executable
 * @param {boolean} hasSync whether core is to use node:crypto, and so has functions without a promise
 * @returns {Promise<Row>}
 */
async function run({ name, line, isEdge }, executable, hasSync) {
  const row = Object.assign(new Outcome(), {
    runtime: `${name}, ${hasSync ? 'node:crypto' : 'Web Crypto'}`,
    hasSync,
  })
  // With the condition of Workers, every runtime takes the entry of core that uses Web Crypto.
  const conditions = hasSync || isEdge === true ? [] : ['--conditions=workerd']
  const script = /** @type {string} */ (line.at(-1))
  const server = startServer(executable, [...line.slice(0, -1), ...conditions, script])
  try {
    const port = await server.port
    const response = await fetch(`http://127.0.0.1:${port}/suite`, {
      method: 'POST',
      body: vectors,
      signal: AbortSignal.timeout(LONGEST_MS),
    })
    /** @type {{ vectors: Outcome, cases: Record<string, Outcome> }} */
    const suite = JSON.parse(await response.text())
    for (const { passed, failures } of [suite.vectors, ...Object.values(suite.cases)]) {
      row.passed += passed
      row.failures.push(...failures)
    }
    // The number shows which entry of core was loaded, because only one has functions without a promise.
    const expected = count * (hasSync ? 2 : 1)
    const actual = suite.vectors.passed + suite.vectors.failures.length
    if (actual !== expected) row.failures.push(`ran ${actual} of ${expected} vectors`)
    for (const form of Object.keys(suite.cases)) await runSockets(port, form, row)
  } catch (error) {
    row.failures.push(String(error))
  } finally {
    await server.end()
  }
  // Each user would get a warning that an adapter causes: Deno prints one if `request.signal` is used.
  if (server.errors() !== '') row.failures.push(`printed on standard error: ${server.errors()}`)
  console.log(`${row.runtime.padEnd(22)} ${row.passed} passed, ${row.failures.length} failed`)
  for (const failure of row.failures.slice(0, 20)) console.log(`  ${failure}`)
  if (row.failures.length > 0) console.log(`It printed:\n${server.output().slice(-4000)}`)
  return row
}

/**
 * Starts a server that prints its port.
 *
 * @param {string} executable
 * @param {readonly string[]} line
 */
function startServer(executable, line) {
  const home = mkdtempSync(join(folder, 'home-'))
  // Without the environment of this process, such as its options for Node and the folders of its user.
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    DENO_DIR: home,
    DENO_NO_UPDATE_CHECK: '1',
    DO_NOT_TRACK: '1',
    NO_COLOR: '1',
  }
  const child = spawn(executable, line, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  const kill = () => {
    child.kill('SIGKILL')
  }
  process.prependOnceListener('exit', kill)

  let output = ''
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    output += text
    errors += text
  })
  /** @type {Promise<number>} */
  const port = new Promise((resolve, reject) => {
    createInterface(child.stdout).on('line', (text) => {
      const found = /^\{.*"port":(\d+)\}$/.exec(text)?.[1]
      if (found === undefined) output += `${text}\n`
      else resolve(Number(found))
    })
    closed.then(() => {
      reject(new Error('the server ended'))
    }, reject)
    AbortSignal.timeout(LONGEST_MS).addEventListener('abort', kill)
  })
  return {
    port,
    output: () => output,
    errors: () => errors,
    async end() {
      process.removeListener('exit', kill)
      kill()
      await closed
    },
  }
}

/** Bundles as the bundlers of Workers do, without anything of Node. */
async function bundleWorker() {
  await build({
    entryPoints: [join(here, 'inside/worker.js')],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    // Without the paths of the workspace, which lead to the sources.
    tsconfigRaw: {},
    logLevel: 'error',
  })
  copyFileSync(join(here, 'inside/worker.capnp'), join(folder, 'worker.capnp'))
}

/** All files of vectors as one text, and how many vectors they have. */
function readVectors() {
  const source = new URL('../../test-vectors/', import.meta.url)
  const names = readdirSync(source).filter((name) => name.endsWith('.json') && name !== 'schema.json')
  const vectors = `[${names.map((name) => readFileSync(new URL(name, source), 'utf8')).join()}]`
  const files = /** @type {Required<import('./inside/vectors.js').VectorFile>[]} */ (JSON.parse(vectors))
  const count = files.flatMap(({ testGroups }) => testGroups.flatMap(({ tests }) => tests)).length
  return { vectors, count }
}

/** A runtime that ran fewer tests than another one with the same cryptography left some out without a reason. */
function checkCounts() {
  for (const row of rows) {
    const counts = rows.filter(({ hasSync }) => hasSync === row.hasSync).map(totalOf)
    const most = Math.max(...counts)
    if (totalOf(row) < most) {
      row.failures.push('fewer tests')
      console.log(`${row.runtime} ran ${totalOf(row)} tests, another runtime ran ${most}`)
    }
  }
}

function report() {
  const numPassedTests = rows.reduce((sum, { passed }) => sum + passed, 0)
  const numFailedTests = rows.reduce((sum, { failures }) => sum + failures.length, 0)
  console.log(
    `runtimes: ${numPassedTests} passed, ${numFailedTests} failed, in ${Math.round((Date.now() - started) / 1000)} s`,
  )
  process.exitCode = numFailedTests > 0 || rows.length === 0 ? 1 : 0
  // The result of a partial run is not kept.
  if (values.only !== undefined) return
  const coverage = new URL('../../coverage/', import.meta.url)
  mkdirSync(coverage, { recursive: true })
  const sums = { numPassedTests, numFailedTests, numPendingTests: 0 }
  writeFileSync(new URL('tests-runtimes.json', coverage), `${JSON.stringify(sums)}\n`)
}

/** @param {Row} row */
function totalOf({ passed, failures }) {
  return passed + failures.length
}

/** @param {string} message */
function stop(message) {
  console.error(message)
  process.exit(2)
}
