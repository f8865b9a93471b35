// Checks the manifests without a build: fields that npm shows, or without which it rejects a publication.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

export const DEPENDENCIES = /** @type {const} */ (['dependencies', 'peerDependencies', 'devDependencies'])

/** The range for what has no version because it is not published. */
export const ANY = '*'

/** The command that replaces the placeholder everywhere leaves this expression as it is. */
const PLACEHOLDER = /\/your.org\//

/**
 * @typedef {{ name: string, version: string, private?: boolean, main?: string, [field: string]: unknown }} Fields
 * @typedef {Fields & { bin?: Record<string, string>, repository?: { url?: string } }} Described
 * @typedef {Described & { [field in typeof DEPENDENCIES[number]]?: Record<string, string> }} Manifest
 * @typedef {{ folder: string, manifest: Manifest }} Package
 */

/**
 * All packages in `packages/`, in the order of their names but core first.
 *
 * @param {string} root
 * @returns {Package[]}
 */
export function readPackages(root) {
  const names = new Set(['core', ...readdirSync(join(root, 'packages')).sort()])
  return [...names].map((name) => ({
    folder: `packages/${name}`,
    manifest: JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')),
  }))
}

/**
 * The faults, each with its fix. `tag` and `repository` are known only when a release is published.
 *
 * @param {string} root
 * @param {{ tag?: string | undefined, repository?: string | undefined }} [release]
 */
export function metadataFaults(root, { tag, repository } = {}) {
  const packages = readPackages(root)
  const { version, repository: source } = /** @type {Package} */ (packages[0]).manifest
  const url = repository === undefined ? source?.url : `git+https://github.com/${repository}.git`
  const home = (url ?? 'git+https://github.com/your-org/service-signature.git').slice(4, -4)
  /** @type {string[]} */
  const faults = []

  if (tag !== undefined && tag !== `v${version}`)
    faults.push(`The tag is ${tag}, the version is ${version}. Tag the commit as v${version}.`)
  if (tag !== undefined && PLACEHOLDER.test(home))
    faults.push(
      `The owner of the repository is the placeholder "${home.split('/')[3]}". Replace it, as CONTRIBUTING.md says.`,
    )
  if (!read(join(root, 'CHANGELOG.md')).includes(`\n## ${version}\n`))
    faults.push(`CHANGELOG.md has no section for the version. Add "## ${version}".`)

  for (const { folder, manifest } of packages) {
    const { name } = manifest
    const wrong = (/** @type {string} */ field, /** @type {string} */ is, /** @type {unknown} */ value) =>
      faults.push(`${name}: "${field}" ${is}. Set it to ${JSON.stringify(value)}.`)

    if (manifest.version !== version)
      wrong('version', `is ${manifest.version}, but core has ${version}`, version)
    for (const field of DEPENDENCIES) {
      for (const [other, range] of Object.entries(manifest[field] ?? {}))
        if (
          other.startsWith('@service-signature/') &&
          range !== version &&
          !(field === 'devDependencies' && range === ANY)
        )
          wrong(`${field}.${other}`, `is ${range}, not exactly the version of the release`, version)
    }
    if (manifest.private === true) continue

    const expected = {
      license: 'MIT',
      author: 'The Service Signature authors',
      homepage: `${home}/tree/main/${folder}#readme`,
      repository: { type: 'git', url: `git+${home}.git`, directory: folder },
      bugs: { url: `${home}/issues` },
    }
    for (const [field, value] of Object.entries(expected)) {
      if (manifest[field] === undefined) wrong(field, 'is missing', value)
      else if (!isDeepStrictEqual(manifest[field], value)) wrong(field, 'differs', value)
    }
    for (const field of ['description', 'keywords', 'engines', 'files'])
      if (manifest[field] === undefined)
        faults.push(`${name}: "${field}" is missing. Add it to package.json.`)
    if (read(join(root, folder, 'LICENSE')) !== read(join(root, 'LICENSE')))
      faults.push(`${name}: LICENSE is missing or differs. Copy the one of the repository.`)
    // npm resolves links from the folder of the package, and also those that start with a slash.
    for (const [, link = ''] of read(join(root, folder, 'README.md')).matchAll(/\]\((?!\w+:|#)([^)#]+)/g))
      if (link.startsWith('/') || !existsSync(join(root, folder, link)))
        faults.push(`${name}: README.md links to ${link}. Link to a file, by its path from README.md.`)
  }
  return faults
}

/** @param {string} file */
function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
