// Installs the packages in the lock file of a folder, unless exactly these are installed there already.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const OPTIONS = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']

/**
 * @param {string} folder
 * @param {readonly string[]} [options] for npm
 */
export function install(folder, options = []) {
  const lock = join(folder, 'package-lock.json')
  const installed = join(folder, 'node_modules/.installed-lock.json')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')) return
  process.stderr.write(`Installing ${folder} ...\n`)
  const { status } = spawnSync('npm', ['ci', ...OPTIONS, ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`npm ci failed in ${folder}`)
  // Written last: an installation that was interrupted is repeated.
  copyFileSync(lock, installed)
}

const [, script = '', ...folders] = process.argv
if (resolve(script) === fileURLToPath(import.meta.url)) for (const folder of folders) install(folder)
