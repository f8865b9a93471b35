// Packs the packages as npm would publish them, and installs them into projects outside the repository.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npm } from './command.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const OPTIONS = ['--no-package-lock', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']

/**
 * @typedef {{ name: string, filename: string, files: { path: string }[] }} Packed
 * @typedef {{ name: string, main?: string, bin?: Record<string, string>, private?: boolean }} Manifest
 */

/**
 * Packs every package that is published.
 *
 * @param {string} folder for the tarballs
 * @returns {Promise<{ tarballs: Record<string, string>, unbuilt: string[] }>} where npm finds each package, by its name
 */
export async function pack(folder) {
  const manifests = readdirSync(join(root, 'packages'))
    .map((name) => {
      /** @type {Manifest} */
      const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
      return { ...manifest, workspace: `--workspace=packages/${name}` }
    })
    .filter((manifest) => manifest.private !== true)
  const options = ['--json', '--ignore-scripts', '--loglevel=error', `--pack-destination=${folder}`]
  /** @type {Record<string, Packed>} */
  const printed = JSON.parse(
    await npm(root, ['pack', ...options, ...manifests.map(({ workspace }) => workspace)]),
  )
  // npm has printed both a list and an object by name.
  const packed = Object.values(printed)
  const built = packed.filter(({ files }) => files.some(({ path }) => path.startsWith('dist/')))
  return {
    tarballs: Object.fromEntries(built.map(({ name, filename }) => [name, `file:${join(folder, filename)}`])),
    unbuilt: packed.filter((item) => !built.includes(item)).map(({ name }) => name),
  }
}

/**
 * @param {string} folder of the new project
 * @param {import('./projects.js').Installation} installation
 * @param {Readonly<Record<string, string>>} tarballs
 * @param {NodeJS.ProcessEnv} env in which `node` is the oldest one that the packages promise to work with
 */
export async function installProject(folder, installation, tarballs, env) {
  const { template, packages, versions, examples = [], isStrict = false } = installation
  cpSync(join(here, template), folder, { recursive: true })
  cpSync(join(here, 'shared'), folder, { recursive: true })
  for (const name of examples) cpSync(join(root, 'examples', name), join(folder, name), { recursive: true })
  const path = join(folder, 'package.json')
  /** @type {{ dependencies: Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const names = packages?.map((name) => `@service-signature/${name}`) ?? Object.keys(tarballs)
  const missing = names.find((name) => !(name in tarballs))
  if (missing !== undefined) throw new Error(`It needs ${missing}, which is not built`)
  const own = Object.fromEntries(names.map((name) => [name, tarballs[name]]))
  const dependencies = { ...manifest.dependencies, ...versions, ...own }
  // No registry has the packages, so they get each other from the same files.
  writeFileSync(path, JSON.stringify({ ...manifest, dependencies, overrides: tarballs }))
  if (isStrict) await npm(folder, ['install', ...OPTIONS, '--engine-strict'], env)
  else await npm(folder, ['install', ...OPTIONS])
}
