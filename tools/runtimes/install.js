import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isInstalled, versionOf } from './runtimes.js'

const here = fileURLToPath(new URL('.', import.meta.url))
// No package needs its script: the executables are started from where they are.
const LINE = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']

/**
 * Installs the runtimes, unless all of these are there. Gives those that this machine has a package for.
 *
 * @param {readonly import('./runtimes.js').Runtime[]} runtimes
 */
export function install(runtimes) {
  const possible = runtimes.filter((runtime) => versionOf(runtime) !== undefined)
  if (possible.every(isInstalled)) return possible
  process.stderr.write('installing the runtimes ...\n')
  spawnSync('npm', LINE, { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] })
  const missing = possible.find((runtime) => !isInstalled(runtime))
  if (missing !== undefined) throw new Error(`${missing.package} was not installed in ${here}`)
  return possible
}
