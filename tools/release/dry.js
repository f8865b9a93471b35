// Builds, packs and checks the packages of a release without publishing them; with --compare, also against those that npm has.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { pack, succeed } from '../npm.js'
import { importFaults, metadataFaults, readPackages } from './metadata.js'
import { compareWithNpm } from './served.js'

/** @import { Packed } from '../npm.js' */
/** @import { Package } from './metadata.js' */

const root = fileURLToPath(new URL('../../', import.meta.url))
/** The files of a build, without sources and source maps, those that the sandbox serves to browsers, and templates. */
const BUNDLED =
  /^(?:dist\/[\w.-]+\.(?:mjs|cjs|d\.mts|d\.cts)|assets\/\w+\/[\w-]+\.(?:css|html|js|svg)|dist\/page\/[\w./-]+\.(?:css|html|js|svg)|templates\/[\w.]+\.ts|SKILL\.md)$/
const text = /** @type {const} */ ({ type: 'string' })
const { values } = parseArgs({
  options: {
    out: { ...text, default: join(root, 'release-packages') },
    tag: text,
    repository: text,
    'placeholder-owner': { type: 'boolean' },
    compare: { type: 'boolean' },
  },
})
const out = resolve(values.out)

stopOn(metadataFaults(root, values))
await succeed(root, ['npm', 'run', 'build'])
const published = dependenciesFirst(readPackages(root).filter(({ manifest }) => manifest.private !== true))
mkdirSync(out, { recursive: true })
for (const name of readdirSync(out)) if (name.endsWith('.tgz')) rmSync(join(out, name))
const packed = await pack(
  root,
  published.map(({ folder }) => folder),
  out,
)
const tarballs = published.flatMap((item) =>
  packed.filter(({ name }) => name === item.manifest.name).map((each) => ({ ...item, packed: each })),
)
stopOn(tarballs.flatMap(fileFaults))
for (const { folder, manifest, packed } of tarballs) {
  const file = join(out, packed.filename)
  const withoutTypes = Object.keys(manifest['exports'] ?? {}).filter((entry) => /\.(?:sql|json)$/.test(entry))
  const attwOptions = [
    // A package without "main" is only an ES module.
    ...(manifest.main === undefined ? ['--profile', 'esm-only'] : []),
    ...(withoutTypes.length > 0 ? ['--exclude-entrypoints', ...withoutTypes] : []),
  ]
  await Promise.all([
    succeed(join(root, folder), [tool('publint'), '--strict', file]),
    // A package that is only a command has no types.
    manifest['types'] !== undefined && succeed(root, [tool('attw'), file, ...attwOptions]),
  ])
}
// The job that publishes reads this list.
const list = tarballs.map(({ packed: { name, version, filename } }) => `${name} ${version} ${filename}\n`)
writeFileSync(join(out, 'publish-order.txt'), list.join(''))
const table = tarballs.map(({ packed: { files, ...rest } }) => ({ ...rest, files: files.length }))
console.table(table, ['name', 'version', 'files', 'size', 'integrity'])
console.log(`The tarballs are in ${out}`)
if (values.compare) process.exitCode = await compareWithNpm(packed)

/** @param {Package[]} packages */
function dependenciesFirst(packages) {
  /** @type {Set<Package>} */
  const ordered = new Set()
  const add = (/** @type {Package} */ item) => {
    const { dependencies, peerDependencies } = item.manifest
    const required = { ...dependencies, ...peerDependencies }
    packages.filter(({ manifest }) => required[manifest.name] !== undefined).forEach(add)
    ordered.add(item)
  }
  packages.forEach(add)
  return [...ordered]
}

/**
 * Checks that a package has the files that its manifest names, and otherwise only bundled code and types.
 *
 * @param {Package & { packed: Packed }} tarball
 */
function fileFaults({ folder, manifest, packed }) {
  const { name, main, types, typesVersions, exports, bin } = manifest
  const named = filesIn([main, types, typesVersions, exports, bin]).map((path) => path.replace('./', ''))
  const expected = new Set(['LICENSE', 'README.md', 'package.json', ...named])
  const files = new Set(packed.files.map(({ path }) => path))
  // The licenses of what Vite put into the page.
  if ([...files].some((path) => path.startsWith('dist/page/')))
    expected.add('dist/page/third-party-notices.md')
  const surplus = [...files].filter((path) => !expected.has(path) && !BUNDLED.test(path))
  const missing = [...expected].filter((path) => !files.has(path))
  return [
    ...surplus.map((path) => `${name}: "files" packs ${path}, which is not needed. Remove it from "files".`),
    ...missing.map((path) => `${name}: "files" packs no ${path}. Add it to "files", or create it.`),
    ...importFaults(join(root, folder), manifest, [...files]),
  ]
}

/**
 * The files that a part of a manifest names.
 *
 * @param {unknown} value
 * @returns {string[]}
 */
function filesIn(value) {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(filesIn) : []
}

/** @param {string} name */
function tool(name) {
  return join(root, 'tools/release/node_modules/.bin', name)
}

/** @param {string[]} faults */
function stopOn(faults) {
  if (faults.length === 0) return
  console.error(faults.join('\n'))
  process.exit(1)
}
