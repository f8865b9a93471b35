// Installs the packages in the lock files of folders, unless exactly these are installed there already:
// node tools/install.js [--ignore-scripts] <folder>...
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const OPTIONS = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']

/**
 * @param {string} folder
 * @param {boolean} [hasScripts] whether the scripts of the packages run, one of which compiles for a minute
 */
export function install(folder, hasScripts = true) {
  step(folder, 'unpacked', ['ci', '--ignore-scripts', ...OPTIONS])
  if (hasScripts) step(folder, 'built', ['rebuild', ...OPTIONS])
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {readonly string[]} command of npm
 */
function step(folder, name, command) {
  const lock = join(folder, 'package-lock.json')
  const done = join(folder, `node_modules/.${name}-lock.json`)
  if (existsSync(done) && readFileSync(done, 'utf8') === readFileSync(lock, 'utf8')) return
  process.stderr.write(`npm ${command[0]} in ${folder} ...\n`)
  const { status } = spawnSync('npm', command, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`npm ${command[0]} failed in ${folder}`)
  // Written last: a step that was interrupted is repeated.
  copyFileSync(lock, done)
}

const [, script = '', ...words] = process.argv
if (resolve(script) === fileURLToPath(import.meta.url)) {
  const folders = words.filter((word) => word !== '--ignore-scripts')
  for (const folder of folders) install(folder, folders.length === words.length)
}
