// Raises the version of all packages together: npm run release -- version patch|minor|major
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ANY, DEPENDENCIES, readPackages } from './metadata.js'

/** @import { Manifest } from './metadata.js' */

const BUMPS = ['major', 'minor', 'patch']

/**
 * Raises the version in the packages, in what they require of each other, in the lock file and in the changelog.
 *
 * @param {string} root
 * @param {string} bump
 */
export function raiseVersion(root, bump) {
  const packages = readPackages(root)
  const before = packages[0]?.manifest.version ?? ''
  const after = raised(before, bump)
  const changelog = read(root, 'CHANGELOG.md')
  if (!changelog.includes('\n## Unreleased\n'))
    throw new Error('CHANGELOG.md has no "## Unreleased". Describe the changes there.')

  write(root, 'CHANGELOG.md', changelog.replace('\n## Unreleased\n', `\n## ${after}\n`))
  // Hapi shows the version of a plugin, and an ES module cannot import package.json on every supported Node.
  const hapi = 'packages/hapi/src/index.ts'
  write(root, hapi, read(root, hapi).replace(`version: '${before}'`, `version: '${after}'`))
  /** @type {{ packages: Record<string, Manifest> }} */
  const lock = JSON.parse(read(root, 'package-lock.json'))
  for (const { folder, manifest } of packages) {
    setVersion(manifest, after)
    write(root, `${folder}/package.json`, printed(manifest))
    setVersion(/** @type {Manifest} */ (lock.packages[folder]), after)
  }
  write(root, 'package-lock.json', printed(lock))
  return { before, after }
}

/**
 * @param {string} version
 * @param {string} bump
 */
function raised(version, bump) {
  const place = BUMPS.indexOf(bump)
  if (place === -1) throw new TypeError(`expected patch, minor or major, got "${bump}"`)
  const numbers = version.split('.').map(Number)
  return numbers.map((number, index) => (index < place ? number : index === place ? number + 1 : 0)).join('.')
}

/**
 * @param {Manifest} manifest
 * @param {string} version
 */
function setVersion(manifest, version) {
  manifest.version = version
  for (const field of DEPENDENCIES) {
    const required = manifest[field] ?? {}
    for (const name of Object.keys(required))
      if (name.startsWith('@service-signature/') && required[name] !== ANY) required[name] = version
  }
}

/** @param {object} content */
function printed(content) {
  return `${JSON.stringify(content, null, 2)}\n`
}

/**
 * @param {string} root
 * @param {string} file
 */
function read(root, file) {
  return readFileSync(join(root, file), 'utf8')
}

/**
 * @param {string} root
 * @param {string} file
 * @param {string} text
 */
function write(root, file, text) {
  writeFileSync(join(root, file), text)
}

const [, script = '', bump = ''] = process.argv
if (resolve(script) === fileURLToPath(import.meta.url)) {
  const { before, after } = raiseVersion(fileURLToPath(new URL('../../', import.meta.url)), bump)
  console.log(`${before} -> ${after}`)
}
