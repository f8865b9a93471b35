// Packs the packages as npm would publish them, and installs them into projects outside the repository.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const OPTIONS = ['--no-package-lock', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
/** What npm passes to its scripts, and the options of the Node that runs this one. */
const OF_THE_CALLER = /^(?:npm_(?!config_)|npm_config_local_prefix$|NODE_OPTIONS$|NODE_V8_COVERAGE$)/i

/**
 * Runs a command to its end.
 *
 * @param {string} cwd
 * @param {readonly string[]} line
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function run(cwd, [command = '', ...args], env = process.env) {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_THE_CALLER.test(name)))
  const child = spawn(command, args, {
    cwd,
    env: { ...own, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // Together with the processes that it started, such as compilers.
  const kill = () => child.pid !== undefined && process.kill(-child.pid)
  process.prependOnceListener('exit', kill)
  child.once('exit', () => process.removeListener('exit', kill))
  const closed = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  await closed
  return { code: child.exitCode, stdout, output: stdout + stderr }
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
async function npm(cwd, args, env) {
  const { code, stdout, output } = await run(cwd, ['npm', ...args], env)
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${output}`)
  return stdout
}

/**
 * Packs every package that is published.
 *
 * @param {string} folder for the tarballs
 * @returns {Promise<Record<string, string>>} where npm finds each package, by its name
 */
export async function pack(folder) {
  const published = readdirSync(join(root, 'packages')).filter((name) => {
    /** @type {{ private?: boolean }} */
    const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
    return manifest.private !== true
  })
  const options = ['--json', '--ignore-scripts', '--loglevel=error', `--pack-destination=${folder}`]
  const workspaces = published.map((name) => `--workspace=packages/${name}`)
  /** @type {Record<string, { name: string, filename: string, files: { path: string }[] }>} */
  const packed = JSON.parse(await npm(root, ['pack', ...options, ...workspaces]))
  // npm has printed both a list and an object by name.
  return Object.fromEntries(
    Object.values(packed).map(({ name, filename, files }) => {
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
  if (isStrict) await npm(folder, ['install', ...OPTIONS, '--engine-strict'], env)
  else await npm(folder, ['install', ...OPTIONS])
}

/** @param {string} folder in "packages" */
function packageName(folder) {
  /** @type {{ name: string }} */
  const { name } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
  return name
}
