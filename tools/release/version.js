// Raises the version of all packages together: npm run release -- version patch|minor|major
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inVersion, readPackages } from './metadata.js'

/** @import { Manifest } from './metadata.js' */

const BUMPS = ['major', 'minor', 'patch']

/**
 * Raises the version in the packages, in what they require of each other, in the lock file and in the changelog.
 *
 * @param {string} root
 * @param {string} bump
 */
export function raiseVersion(root, bump) {
  const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8')
  const packages = readPackages(root)
  const before = packages[0]?.manifest.version ?? ''
  const after = raised(before, bump)
  const changelog = read('CHANGELOG.md')
  if (!changelog.includes('\n## Unreleased\n'))
    throw new Error('CHANGELOG.md has no "## Unreleased". Describe the changes there.')

  /** @type {{ packages: Record<string, Manifest> }} */
  const lock = JSON.parse(read('package-lock.json'))
  // Hapi shows the version of a plugin, and an ES module cannot import package.json on every supported Node.
  const hapi = 'packages/hapi/src/index.ts'
  const changed = new Map([
    ['CHANGELOG.md', changelog.replace('\n## Unreleased\n', `\n## ${after}\n`)],
    [hapi, read(hapi).replace(`version: '${before}'`, `version: '${after}'`)],
  ])
  for (const { folder, manifest } of packages) {
    changed.set(`${folder}/package.json`, printed(inVersion(manifest, after)))
    lock.packages[folder] = inVersion(/** @type {Manifest} */ (lock.packages[folder]), after)
  }
  changed.set('package-lock.json', printed(lock))
  for (const [file, text] of changed) writeFileSync(join(root, file), text)
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

/** @param {object} content */
function printed(content) {
  return `${JSON.stringify(content, null, 2)}\n`
}

const [, script = '', bump = ''] = process.argv
if (resolve(script) === fileURLToPath(import.meta.url)) {
  const { before, after } = raiseVersion(fileURLToPath(new URL('../../', import.meta.url)), bump)
  console.log(`${before} -> ${after}`)
}
