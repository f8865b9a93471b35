import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * The folder of a package and those of all that it depends on, in that order.
 *
 * @param {string} name
 * @param {string} from the folder that asks for it
 * @returns {string[]}
 */
export function withDependencies(name, from) {
  const found = new Set()
  const visit = (name, from) => {
    const folder = folderOf(name, from)
    if (found.has(folder)) return
    found.add(folder)
    for (const dependency of Object.keys(manifestOf(folder).dependencies ?? {})) visit(dependency, folder)
  }
  visit(name, from)
  return [...found]
}

/**
 * What npm would publish from these folders.
 *
 * @param {string[]} folders
 * @returns {{ version: string, license: string, size: number, unpackedSize: number }[]}
 */
export function packed(folders) {
  return folders.map((folder) => {
    // One at a time: of many, npm does not keep the order.
    const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [{ size, unpackedSize }] = JSON.parse(output)
    const { version, license } = manifestOf(folder)
    return { version, license, size, unpackedSize }
  })
}

/** Not by require.resolve: not every package exports its package.json, or anything to require. */
function folderOf(name, from) {
  const paths = createRequire(join(from, 'package.json')).resolve.paths(name)
  const path = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')))
  if (path === undefined) throw new Error(`${name} is not installed`)
  return realpathSync(path)
}

/** @param {string} folder */
function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
