// The packages, and what their manifests must say: fields that npm shows, or without which it rejects a publication.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import ts from 'typescript'

/**
 * @typedef {'dependencies' | 'peerDependencies' | 'devDependencies'} Requiring
 * @typedef {{ name: string, version: string, private?: boolean, main?: string, repository?: { url: string } }} Fields
 * @typedef {Fields & { [field in Requiring]?: Record<string, string> } & Record<string, unknown>} Manifest
 * @typedef {{ folder: string, manifest: Manifest }} Package
 */

/** The command that replaces the placeholder everywhere leaves this expression as it is. */
const PLACEHOLDER = /\/your.org\//
/** Where the repository is, if the manifest of core does not say it. */
const HOME = 'https://github.com/your-org/service-signature'

/**
 * All packages: those in `packages/` in the order of their names but core first, and the sandbox.
 *
 * @param {string} root
 * @returns {Package[]}
 */
export function readPackages(root) {
  const names = readdirSync(join(root, 'packages')).sort()
  const folders = new Set(['packages/core', ...names.map((name) => `packages/${name}`), 'sandbox'])
  return [...folders].map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  }))
}

/** A peer of what users install next to it, so that there is one copy of it: an update cannot bring a second one. */
const CORE = '@service-signature/core'

/**
 * A manifest in a version, with exactly that of the other packages, and a compatible one of a core that the user installs.
 * What is not published has no version, and its range is "*".
 *
 * @param {Manifest} manifest
 * @param {string} version
 * @returns {Manifest}
 */
export function inVersion(manifest, version) {
  const result = { ...manifest, version }
  for (const field of /** @type {const} */ (['dependencies', 'peerDependencies', 'devDependencies'])) {
    const required = manifest[field]
    if (required === undefined) continue
    const ranges = Object.entries(required).map(([name, range]) => {
      const isPublished = range !== '*' || field !== 'devDependencies'
      if (!/^(@service-signature\/.+|service-signature)$/.test(name) || !isPublished) return [name, range]
      return [name, name === CORE && field === 'peerDependencies' ? `^${version}` : version]
    })
    result[field] = Object.fromEntries(ranges)
  }
  return result
}

/**
 * The faults, each with its fix. `tag` and `repository` are known only when a release is published.
 *
 * @param {string} root
 * @param {{ tag?: string | undefined, repository?: string | undefined, 'placeholder-owner'?: boolean | undefined }} [release]
 */
export function metadataFaults(root, { tag, repository, 'placeholder-owner': allowsPlaceholder } = {}) {
  const packages = readPackages(root)
  const { version, repository: source } = /** @type {Package} */ (packages[0]).manifest
  const own = source?.url.slice('git+'.length, -'.git'.length) ?? HOME
  const home = repository === undefined ? own : `https://github.com/${repository}`
  const license = textOf(join(root, 'LICENSE'))
  const faults = []

  if (tag !== undefined && tag !== `v${version}`)
    faults.push(`The tag is ${tag}, the version is ${version}. Tag the commit as v${version}.`)
  if (!allowsPlaceholder && PLACEHOLDER.test(home))
    faults.push(
      `The owner of the repository is the placeholder "${home.split('/')[3]}". Replace it, as docs/maintainers/releases.md says. ` +
        'To check without publishing: --placeholder-owner',
    )
  if (!textOf(join(root, 'CHANGELOG.md')).includes(`\n## ${version}\n`))
    faults.push(`CHANGELOG.md has no section for the version. Add "## ${version}".`)

  for (const { folder, manifest } of packages) {
    const isPublished = manifest.private !== true
    const expected = {
      ...inVersion(manifest, version),
      ...(isPublished && {
        license: 'MIT',
        author: 'The Service Signature authors',
        homepage: `${home}/tree/main/${folder}#readme`,
        repository: { type: 'git', url: `git+${home}.git`, directory: folder },
        bugs: { url: `${home}/issues` },
      }),
    }
    for (const [field, value] of Object.entries(expected))
      if (!isDeepStrictEqual(manifest[field], value))
        faults.push(`${folder}: set "${field}" to ${JSON.stringify(value)}.`)
    if (!isPublished) continue
    for (const field of ['description', 'keywords', 'engines', 'files'])
      if (manifest[field] === undefined) faults.push(`${folder}: add "${field}" to package.json.`)
    if (textOf(join(root, folder, 'LICENSE')) !== license)
      faults.push(`${folder}: LICENSE is missing or differs. Copy the one of the repository.`)
  }
  return faults
}

/**
 * The faults of files that import a package which npm does not install with theirs.
 *
 * @param {string} folder
 * @param {Manifest} manifest
 * @param {readonly string[]} files
 */
export function importFaults(folder, { name, dependencies, peerDependencies }, files) {
  const installed = new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies })])
  const modules = files.filter((file) => /\.[cm]js$/.test(file))
  return modules.flatMap((file) => {
    // By the compiler's own scanner: a template of code in a string is not an import.
    const { importedFiles } = ts.preProcessFile(readFileSync(join(folder, file), 'utf8'), true, true)
    return importedFiles
      .map(({ fileName }) => /^(?:@[^/]+\/)?[^/]+/.exec(fileName)?.[0] ?? '')
      .filter((each) => !each.startsWith('.') && !isBuiltin(each) && !installed.has(each))
      .map((each) => `${name}: ${file} imports ${each}. Add it to "dependencies".`)
  })
}

/** @param {string} file */
function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
