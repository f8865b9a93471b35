import { build } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { packedIn } from '../../tools/npm.js'
import { atMost, round } from '../report.js'

const CORE = '@service-signature/core'
const ADAPTERS = ['express', 'koa', 'hapi', 'fastify', 'fetch', 'lambda', 'node'].map(
  (name) => `@service-signature/${name}`,
)
const PEERS = ['stripe', 'standardwebhooks', 'svix', '@octokit/webhooks-methods']
const MOST_INSTALLED_KB = 450
const EDGE_BUNDLES = [
  ['core, verifySignature only', "export { verifySignature } from '@service-signature/core'", 9.5],
  ['core, verify only', "export { verify } from '@service-signature/core'", 9.5],
  ['fetch', "export { serviceSignature } from '@service-signature/fetch'", 13],
]
const folder = fileURLToPath(new URL('..', import.meta.url))

/** The size of each package as a download and on the disk, and the size of bundles for an edge runtime. */
export async function size() {
  console.error('size')
  const bundles = []
  for (const [bundle, program, mostKB] of EDGE_BUNDLES) {
    bundles.push({ bundle, 'KB, minified and compressed': atMost(await bundledKB(program), mostKB) })
  }
  return [
    { title: 'size', rows: [CORE, ...ADAPTERS, ...PEERS].map(sizeOf) },
    { title: 'size, edge bundles', rows: bundles },
  ]
}

function sizeOf(name) {
  const folders = new Set()
  addWithDependencies(folders, name, folder)
  const [own, ...dependencies] = Array.from(folders, packed)
  const all = [own, ...dependencies].reduce((sum, { unpackedSize }) => sum + unpackedSize, 0) / 1000
  const { version, license } = manifestOf([...folders][0])
  return {
    package: name,
    version,
    license,
    'packed KB': round(own.size / 1000),
    'installed KB': round(own.unpackedSize / 1000),
    dependencies: dependencies.length,
    'installed with them KB': name === CORE ? atMost(all, MOST_INSTALLED_KB) : round(all),
  }
}

/** Adds the folders of a package that `from` imports, and of everything that it depends on. */
function addWithDependencies(folders, name, from) {
  // require.resolve would not do: a package need not export its package.json, nor anything to require.
  const places = createRequire(join(from, 'package.json')).resolve.paths(name)
  const place = places.find((place) => existsSync(join(place, name, 'package.json')))
  if (place === undefined) throw new Error(`${name} is not installed.`)
  const own = realpathSync(join(place, name))
  if (folders.has(own)) return
  folders.add(own)
  const { dependencies = {}, peerDependencies = {} } = manifestOf(own)
  // npm installs core with an adapter; the host is there already.
  const installed = [...Object.keys(dependencies), ...(CORE in peerDependencies ? [CORE] : [])]
  for (const dependency of installed) addWithDependencies(folders, dependency, own)
}

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The sizes of the package that npm would publish from this folder. */
function packed(folder) {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return packedIn(output)[0]
}

async function bundledKB(program) {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    conditions: ['worker'],
    // Without the paths of the workspace, which lead to the sources.
    tsconfigRaw: {},
  })
  return gzipSync(outputFiles[0].contents).length / 1000
}
