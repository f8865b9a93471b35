// Installs the packages in the lock files of folders, unless exactly these are installed there already:
// node tools/install.js [--ignore-scripts] <folder>...
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const OPTIONS = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']

/** The files that install scripts make, for each package that "allowScripts" of a package.json may allow to run one. */
const BUILT = /** @type {Record<string, string>} */ ({
  'better-sqlite3': 'build/Release/better_sqlite3.node',
  node: 'bin/node',
})

/**
 * @param {string} folder
 * @param {boolean} [hasScripts] whether the scripts of the packages run, one of which compiles for a minute
 */
export function install(folder, hasScripts = true) {
  step(folder, 'unpacked', ['ci', '--ignore-scripts', ...OPTIONS])
  const built = hasScripts ? builtIn(folder) : []
  if (built.length === 0) return
  const names = built.map(({ name }) => name)
  step(folder, 'built', ['rebuild', ...names, ...OPTIONS], () => {
    // npm 12 succeeds without a build if it does not let the script run.
    const missing = built.filter(({ file }) => !existsSync(join(folder, file)))
    if (missing.length > 0) throw new Error(`npm rebuild made no ${missing[0]?.file} in ${folder}`)
  })
}

/**
 * The packages in a folder whose install scripts may run, and the file that each one makes.
 *
 * @param {string} folder
 */
export function builtIn(folder) {
  /** @type {{ allowScripts?: Record<string, boolean> }} */
  const { allowScripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return withInstallScript(folder).flatMap(({ path, name }) =>
    allowScripts[name]
      ? [{ name: path.replace('node_modules/', ''), file: join(path, String(BUILT[name])) }]
      : [],
  )
}

/**
 * The packages with an install script in the lock file of a folder.
 *
 * @param {string} folder
 */
export function withInstallScript(folder) {
  /** @type {{ packages: Record<string, { name?: string, hasInstallScript?: boolean }> }} */
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const found = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  return found.map(([path, { name = path.split('node_modules/').at(-1) ?? '' }]) => ({ path, name }))
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {readonly string[]} command of npm
 * @param {() => void} [check] throws if the command did not do its work
 */
function step(folder, name, command, check) {
  const lock = join(folder, 'package-lock.json')
  const done = join(folder, `node_modules/.${name}-lock.json`)
  if (existsSync(done) && readFileSync(done, 'utf8') === readFileSync(lock, 'utf8')) return
  process.stderr.write(`npm ${command[0]} in ${folder} ...\n`)
  const { status } = spawnSync('npm', command, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`npm ${command[0]} failed in ${folder}`)
  check?.()
  // Written last: a step that was interrupted is repeated.
  copyFileSync(lock, done)
}

const [, script = '', ...words] = process.argv
if (resolve(script) === fileURLToPath(import.meta.url)) {
  const folders = words.filter((word) => word !== '--ignore-scripts')
  for (const folder of folders) install(folder, folders.length === words.length)
}
