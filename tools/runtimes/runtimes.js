// The runtimes, and how each of them is started from its npm package.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorker } from './bundle.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const { platform, arch } = process

/**
 * @typedef {'node:crypto' | 'Web Crypto'} Digest
 *
 * @typedef {object} Runtime
 * @property {string} name
 * @property {string} package the one with the executable for this machine
 * @property {string} executable in that package
 * @property {readonly Digest[]} digests what the entries of core sign with
 * @property {(folder: string) => Promise<void>} [prepare]
 * @property {(digest: Digest, folder: string) => readonly string[]} line how its server is started
 * @property {Readonly<Record<string, string>>} lacks what it cannot do, each with the reason
 */

const CLOSES_UNREAD = 'it closes such a connection behind the answer'
const DIGESTS = /** @type {const} */ (['node:crypto', 'Web Crypto'])

/** @type {readonly Runtime[]} */
export const RUNTIMES = [
  ...['20', '22', '24', '26'].map((version) => ({
    name: `node-${version}`,
    package: `node-${version}-${platform}-${arch}`,
    executable: 'bin/node',
    digests: DIGESTS,
    line: (/** @type {Digest} */ digest) => [...conditions(digest), inside('node.js')],
    lacks: {},
  })),
  {
    name: 'bun',
    package: `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`,
    executable: 'bin/bun',
    digests: DIGESTS,
    line: (digest) => [...conditions(digest), inside('bun.js')],
    lacks: {},
  },
  {
    name: 'deno',
    package: `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`,
    executable: 'deno',
    digests: DIGESTS,
    // With the network of this machine, and no other permission.
    line: (digest) => [
      ...['run', '--no-prompt', '--no-lock', '--allow-net=127.0.0.1'],
      ...[...conditions(digest), inside('deno.js')],
    ],
    lacks: {
      'keeping a connection on which a body was not read': CLOSES_UNREAD,
      'telling that the sender left':
        'Deno.serve aborts request.signal only where the body came in one piece with the head',
    },
  },
  {
    name: 'workerd',
    package: `@cloudflare/workerd-${platform}-${arch === 'x64' ? '64' : arch}`,
    executable: 'bin/workerd',
    digests: ['Web Crypto'],
    prepare: bundleWorker,
    line: (_digest, folder) => ['serve', '--control-fd=1', join(folder, 'worker.capnp')],
    lacks: {
      'keeping a connection on which a body was not read': CLOSES_UNREAD,
      'telling that the sender left':
        'by itself, without the network around it, it never aborts request.signal',
      'answering a sender that is still sending':
        'it resets a connection on which more of the body comes than was read, and the answer may be lost',
    },
  },
]

/**
 * With the condition of Workers, every runtime takes the entry of core that uses Web Crypto.
 *
 * @param {Digest} digest
 */
function conditions(digest) {
  return digest === 'Web Crypto' ? ['--conditions=workerd'] : []
}

/** @param {string} name */
function inside(name) {
  return join(here, 'inside', name)
}

/** @param {Runtime} runtime */
export function executableOf(runtime) {
  return join(here, 'node_modules', runtime.package, runtime.executable)
}

/**
 * The version that the lockfile says.
 *
 * @param {Runtime} runtime
 * @returns {string | undefined} none where the runtime has no package for this machine
 */
export function versionOf(runtime) {
  /** @type {{ packages: Record<string, Manifest> }} */
  const { packages } = JSON.parse(readFileSync(join(here, 'package-lock.json'), 'utf8'))
  return packages[`node_modules/${runtime.package}`]?.version
}

/**
 * Whether it is there, in the version of the lockfile.
 *
 * @typedef {{ version: string }} Manifest
 * @param {Runtime} runtime
 */
export function isInstalled(runtime) {
  const path = join(here, 'node_modules', runtime.package, 'package.json')
  if (!existsSync(path) || !existsSync(executableOf(runtime))) return false
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  return manifest.version === versionOf(runtime)
}
