// Runs the built packages on every runtime that they support: the test vectors, and the fetch adapter.
//
//   node tools/runtimes/run.js [--only <runtime>]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { install } from '../install.js'
import { runCases } from './cases.js'
import { Outcome } from './inside/outcome.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const { platform, arch } = process
const folder = fs.mkdtempSync(join(tmpdir(), 'service-signature-runtimes-'))

/** How its server is started, and whether core uses node:crypto there, and so has functions without a promise. */
const RUNTIMES = [
  ...['20', '22', '24', '26'].flatMap((version) =>
    both(`node-${version}`, `node-${version}-${platform}-${arch}/bin/node`, 'node.js'),
  ),
  ...both(
    'bun',
    `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}/bin/bun`,
    'bun.js',
    // Bun follows the paths of a tsconfig.json; those of the workspace lead to the sources.
    `--tsconfig-override=${join(here, 'built.tsconfig.json')}`,
  ),
  ...both(
    'deno',
    `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}/deno`,
    'deno.js',
    // It may use the network of this machine, and nothing else.
    ...['run', '--no-prompt', '--no-lock', '--allow-net=127.0.0.1'],
  ),
  {
    name: 'workerd',
    executable: `@cloudflare/workerd-${platform}-${arch === 'x64' ? '64' : arch}/bin/workerd`,
    line: ['serve', '--control-fd=1', join(folder, 'worker.capnp')],
    hasSync: false,
  },
]
/** Ends a process that would never start or end. No test waits this long. */
const LONGEST_MS = 120_000

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const unknown = values.only?.find((only) => RUNTIMES.every(({ name }) => name !== only))
if (unknown !== undefined) {
  const names = new Set(RUNTIMES.map(({ name }) => name))
  throw new TypeError(`Unknown runtime "${unknown}"; expected ${[...names].join(', ')}`)
}
if (!fs.existsSync(join(root, 'packages/fetch/dist/index.mjs'))) {
  throw new Error('The packages are not built. Run: npm run build')
}
// Whenever this process ends, also by Ctrl+C, the others end and the folder is removed.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
process.once('exit', () => {
  fs.rmSync(folder, { recursive: true, force: true })
})

// No package needs its script: the executables are started from where they are.
install(here, ['--ignore-scripts'])
await bundleWorker()
const vectors = readVectors()
const started = Date.now()
const total = new Outcome()
const tasks = RUNTIMES.filter(({ name }) => values.only?.includes(name) ?? true)
// Two at a time: while one waits for a timer or a socket, another one computes.
await Promise.all([runTasks(), runTasks()])
report()

/**
 * A runtime with node:crypto and with Web Crypto: with the condition of Workers, it takes the entry of core that uses that.
 */
function both(name, executable, script, ...options) {
  const path = join(here, 'inside', script)
  return [
    { name, executable, line: [...options, path], hasSync: true },
    { name, executable, line: [...options, '--conditions=workerd', path], hasSync: false },
  ]
}

async function runTasks() {
  for (let runtime = tasks.shift(); runtime !== undefined; runtime = tasks.shift()) {
    const executable = join(here, 'node_modules', runtime.executable)
    if (fs.existsSync(executable)) await run(runtime, executable)
    else console.error(`NOT TESTED: ${runtime.name} has no package for ${platform} on ${arch}`)
  }
}

async function run({ name, line, hasSync }, executable) {
  const outcome = new Outcome()
  const server = startServer(executable, line)
  try {
    const port = await server.port
    const signal = AbortSignal.timeout(LONGEST_MS)
    const request = { method: 'POST', body: vectors.text, signal }
    const result = await (await fetch(`http://127.0.0.1:${port}/vectors`, request)).json()
    outcome.add(result)
    // The number shows which entry of core was loaded, because only one has functions without a promise.
    const expected = vectors.count * (hasSync ? 2 : 1) + 1
    const actual = result.passed + result.failures.length
    if (actual !== expected) outcome.failures.push(`ran ${actual} of ${expected} vectors`)
    for (const form of result.forms) await runCases(port, form, outcome)
  } catch (error) {
    outcome.failures.push(String(error))
  }
  const { output, errors } = await server.end()
  // Each user would get a warning that an adapter causes: Deno prints one if `request.signal` is used.
  if (errors !== '') outcome.failures.push(`printed on standard error: ${errors}`)
  const { passed, failures } = outcome
  const title = `${name}, ${hasSync ? 'node:crypto' : 'Web Crypto'}`
  console.log(`${title.padEnd(22)} ${passed} passed, ${failures.length} failed`)
  for (const failure of failures.slice(0, 20)) console.log(`  ${failure}`)
  if (failures.length > 0) console.log(`It printed:\n${output.slice(-4000)}`)
  total.add(outcome)
}

/** Starts a server that prints its port. */
function startServer(executable, line) {
  const home = fs.mkdtempSync(join(folder, 'home-'))
  // Without the environment of this process, such as its options for Node and the folders of its user.
  const env = {
    ...{ PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' },
    ...{ DENO_DIR: home, DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1' },
  }
  const child = spawn(executable, line, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  const kill = () => {
    child.kill('SIGKILL')
  }
  process.prependOnceListener('exit', kill)
  AbortSignal.timeout(LONGEST_MS).addEventListener('abort', kill)
  const errors = textOf(child.stderr)
  let output = ''
  const port = new Promise((resolve, reject) => {
    createInterface(child.stdout).on('line', (printed) => {
      const found = /^\{.*"port":(\d+)\}$/.exec(printed)?.[1]
      if (found === undefined) output += `${printed}\n`
      else resolve(Number(found))
    })
    closed.then(() => {
      reject(new Error('the server ended'))
    }, reject)
  })
  return {
    port,
    async end() {
      process.removeListener('exit', kill)
      kill()
      await closed
      return { output, errors: await errors }
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
  fs.copyFileSync(join(here, 'inside/worker.capnp'), join(folder, 'worker.capnp'))
}

/** All files of vectors as one text, and how many vectors they have. */
function readVectors() {
  const source = join(root, 'test-vectors')
  const names = fs.readdirSync(source).filter((name) => name.endsWith('.json') && name !== 'schema.json')
  const text = `[${names.map((name) => fs.readFileSync(join(source, name), 'utf8')).join()}]`
  const each = JSON.parse(text).flatMap(({ testGroups }) => testGroups.flatMap(({ tests }) => tests))
  return { text, count: each.length }
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
