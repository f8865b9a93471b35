// The runtimes that the packages support, and a server in each: inside/server.js, over the built packages.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { install } from '../install.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const { platform, arch } = process
const folder = fs.mkdtempSync(join(tmpdir(), 'service-signature-runtimes-'))
/** Ends a process that would never start or end. */
const LONGEST_MS = 600_000

/** How its server is started, and whether core uses node:crypto there, and so has functions without a promise. */
export const RUNTIMES = [
  ...['20', '22', '24', '26'].flatMap((version) =>
    both(`node-${version}`, `node-${version}-${platform}-${arch}/bin/node`),
  ),
  ...both(
    'bun',
    `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}/bin/bun`,
    // Bun follows the paths of a tsconfig.json; those of the workspace lead to the sources.
    `--tsconfig-override=${join(here, 'built.tsconfig.json')}`,
  ),
  ...both(
    'deno',
    `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}/deno`,
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
/**
 * A runtime with node:crypto and with Web Crypto: with the condition of Workers, it takes the entry of core that uses that.
 */
function both(name, executable, ...options) {
  const path = join(here, 'inside/serve.js')
  return [
    { name, executable, line: [...options, path], hasSync: true },
    { name, executable, line: [...options, '--conditions=workerd', path], hasSync: false },
  ]
}

/** Installs the runtimes, and makes what they need. */
export async function prepare() {
  if (!fs.existsSync(join(here, '../../packages/fetch/dist/index.mjs'))) {
    throw new Error('The packages are not built. Run: npm run build')
  }
  // Whenever this process ends, also by Ctrl+C, the others end and the folder is removed.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  process.once('exit', () => {
    fs.rmSync(folder, { recursive: true, force: true })
  })
  install(here)
  await bundleWorker()
}

/** The program of a runtime, or undefined if it is not made for this machine. */
export function executableOf({ executable }) {
  const path = join(here, 'node_modules', executable)
  return fs.existsSync(path) ? path : undefined
}

/** Starts the server of a runtime, which prints its port. */
export function startServer(runtime) {
  const home = fs.mkdtempSync(join(folder, 'home-'))
  // Without the environment of this process, such as its options for Node and the folders of its user.
  const env = {
    ...{ PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' },
    ...{ DENO_DIR: home, DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1' },
  }
  const child = spawn(executableOf(runtime), runtime.line, {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
