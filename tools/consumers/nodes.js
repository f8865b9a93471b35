// The versions of Node, from the npm package of that name, each as a folder to put first into PATH.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure, INSTALLING, run } from './steps.js'

const folder = fileURLToPath(new URL('node-versions/', import.meta.url))

/**
 * @typedef {{ version: string, bin: string }} Node
 * @returns {string[]} "20", "22" and so on
 */
export function nodeVersions() {
  /** @type {{ devDependencies: Record<string, string> }} */
  const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.keys(devDependencies).map((name) => name.replace('node-', ''))
}

/**
 * Installs them all, unless those that are asked for are there.
 *
 * @param {readonly string[]} versions
 * @returns {Promise<Node[]>}
 */
export async function installNodes(versions) {
  if (versions.some((version) => !isThere(version))) {
    process.stderr.write('installing the versions of Node ...\n')
    await run(folder, ['npm', 'ci', ...INSTALLING])
  }
  const missing = versions.find((version) => !isThere(version))
  if (missing !== undefined) throw new Failure(`Node ${missing} was not installed in ${folder}`)
  return versions.map((version) => ({ version, bin: dirname(executable(version)) }))
}

/** @param {string} version */
function executable(version) {
  return join(folder, `node_modules/node-${version}/bin/node`)
}

/**
 * Whether it is the one of the lockfile.
 *
 * @param {string} version
 */
function isThere(version) {
  /** @type {{ packages: Record<string, { version: string }> }} */
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const { status, stdout } = spawnSync(executable(version), ['--version'], { encoding: 'utf8' })
  return status === 0 && stdout.trim() === `v${lock.packages[`node_modules/node-${version}`]?.version}`
}
