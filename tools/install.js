// Installs the packages in the lock files of folders, unless exactly these are installed there already:
// node tools/install.js [--ignore-scripts] <folder>...
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const OPTIONS = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
const DRIVERS = 'test/drivers'
/** These have a link to the drivers, for the tests and programs in them. */
const WITH_DRIVERS = [
  ...['cloudflare', 'dynamodb', 'postgres', 'redis', 'sqlite'].map((name) => `packages/${name}/test/engine`),
  ...['postgres', 'queues'].map((name) => `examples/${name}`),
]

/** Whether a package works, for each whose install script "allowScripts" of a package.json may allow to run. */
export const WORKS = /** @type {Record<string, (path: string) => boolean>} */ ({
  // After a change of Node its binary is there, but only the old Node can load it.
  'better-sqlite3': (path) =>
    runs(process.execPath, '--eval', `new (require(${JSON.stringify(path)}))(':memory:')`),
  node: (path) => runs(join(path, 'bin/node'), '--version'),
})

/**
 * Whether what the install script of a package made works with the Node that runs this.
 *
 * @param {string} name
 * @param {string} path
 */
export function works(name, path) {
  return WORKS[name]?.(resolve(path)) ?? false
}

/**
 * @param {string} program
 * @param {readonly string[]} words
 */
function runs(program, ...words) {
  return spawnSync(program, words).status === 0
}

/**
 * @param {string} folder
 * @param {boolean} [hasScripts] whether the scripts of the packages run, one of which compiles for a minute
 */
export function install(folder, hasScripts = true) {
  unpack(folder)
  if (hasScripts) build(folder)
}

/** @param {string} folder */
function unpack(folder) {
  const lock = join(folder, 'package-lock.json')
  const done = join(folder, 'node_modules/.unpacked-lock.json')
  if (existsSync(done) && readFileSync(done, 'utf8') === readFileSync(lock, 'utf8')) return
  if (!npm(folder, 'ci', '--ignore-scripts')) throw new Error(`npm ci failed in ${folder}`)
  if (relative(ROOT, folder) === DRIVERS) for (const each of WITH_DRIVERS) link(each, folder)
  // Written last: if it was interrupted, it is repeated.
  copyFileSync(lock, done)
}

/**
 * @param {string} from
 * @param {string} to
 */
function link(from, to) {
  const path = join(ROOT, from, 'node_modules')
  rmSync(path, { recursive: true, force: true })
  symlinkSync(join(relative(join(ROOT, from), to), 'node_modules'), path)
}

/** @param {string} folder */
function build(folder) {
  const isBroken = (/** @type {{ name: string, path: string }} */ { name, path }) =>
    !works(name, join(folder, path))
  const broken = builtIn(folder).filter(isBroken)
  if (broken.length === 0) return
  npm(folder, 'rebuild', ...broken.map(({ path }) => path.replace('node_modules/', '')))
  // npm 12 succeeds without a build if it does not let the script run.
  for (const { name, path, isOptional } of broken.filter(isBroken)) {
    const fault = `${path} does not work after npm rebuild in ${folder}`
    if (!isOptional) throw new Error(fault)
    console.error(`${fault}. Tests that need ${name} are left out.`)
  }
}

/**
 * The packages in a folder whose install scripts may run.
 *
 * @param {string} folder
 */
function builtIn(folder) {
  /** @type {{ allowScripts?: Record<string, boolean> }} */
  const { allowScripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return withInstallScript(folder).filter(({ name }) => allowScripts[name])
}

/**
 * The packages with an install script in the lock file of a folder.
 *
 * @param {string} folder
 */
export function withInstallScript(folder) {
  /** @type {{ packages: Record<string, { name?: string, hasInstallScript?: boolean, optional?: boolean }> }} */
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const found = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  return found.map(([path, { name = path.split('node_modules/').at(-1) ?? '', optional = false }]) => {
    return { path, name, isOptional: optional }
  })
}

/**
 * @param {string} folder
 * @param {readonly string[]} command
 */
function npm(folder, ...command) {
  process.stderr.write(`npm ${command[0]} in ${folder} ...\n`)
  const line = [...command, ...OPTIONS]
  // A package may bring another "node", which is the first in the PATH of install scripts: they compile for this one.
  const env = { ...process.env, npm_config_target: process.versions.node }
  return spawnSync('npm', line, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
}

const [, script = '', ...words] = process.argv
if (resolve(script) === fileURLToPath(import.meta.url)) {
  const folders = words.filter((word) => word !== '--ignore-scripts')
  for (const folder of folders) install(folder, folders.length === words.length)
}
