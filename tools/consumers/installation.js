// Packs the packages as npm would publish them, and installs them into projects outside the repository.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pack, succeed } from '../npm.js'
import { readPackages } from '../release/metadata.js'

/** @import { Package } from '../release/metadata.js' */

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const OPTIONS = ['--no-package-lock', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']

/**
 * Packs every package that is published.
 *
 * @param {string} folder for the tarballs
 * @returns {Promise<Record<string, string>>} where npm finds each package, by its name
 */
export async function packAll(folder) {
  const published = readPackages(root).filter(({ manifest }) => manifest.private !== true)
  const packed = await pack(
    root,
    published.map((each) => each.folder),
    folder,
  )
  return Object.fromEntries(
    packed.map(({ name, filename, files }) => {
      const isBuilt = files.some(({ path }) => path.startsWith('dist/'))
      if (!isBuilt) throw new Error(`${name} is not built. Run: npm run build`)
      return [name, `file:${join(folder, filename)}`]
    }),
  )
}

/**
 * @typedef {object} Installation
 * @property {string} template the folder next to this file that is copied
 * @property {readonly string[]} [packages] of this repository that it depends on; all of them by default
 * @property {Readonly<Record<string, string>>} [versions] of its host
 * @property {[from: string, to: string][]} [copied] files of the repository, and their places
 * @property {boolean} [isStrict] npm on the oldest Node must find no package that needs a later one
 *
 * @param {string} folder of the new project
 * @param {Installation} installation
 * @param {Readonly<Record<string, string>>} tarballs
 * @param {NodeJS.ProcessEnv} env in which `node` is the oldest one that the packages promise to work with
 */
export async function installProject(folder, installation, tarballs, env) {
  const { template, packages, versions, copied = [], isStrict = false } = installation
  for (const name of [template, 'shared']) cpSync(join(here, name), folder, { recursive: true })
  for (const [from, to] of copied) cpSync(join(root, from), join(folder, to), { recursive: true })
  const path = join(folder, 'package.json')
  /** @type {{ dependencies: Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const names = packages?.map(packageName) ?? Object.keys(tarballs)
  const own = Object.fromEntries(names.map((name) => [name, tarballs[name]]))
  const dependencies = { ...manifest.dependencies, ...versions, ...own }
  // No registry has the packages, so they get each other from the same files.
  writeFileSync(path, JSON.stringify({ ...manifest, dependencies, overrides: tarballs }))
  const install = ['npm', 'install', ...OPTIONS]
  if (isStrict) await succeed(folder, [...install, '--engine-strict'], env)
  else await succeed(folder, install)
}

/** @param {string} folder the last part of its path */
function packageName(folder) {
  return /** @type {Package} */ (readPackages(root).find((each) => each.folder.endsWith(folder))).manifest
    .name
}
