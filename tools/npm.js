// Runs commands to their end, and packs packages with npm: version 11 prints a list of tarballs, version 12 an object.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** @typedef {{ name: string, version: string, filename: string, size: number, integrity: string, files: { path: string }[] }} Packed */

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
 * Runs a command that must succeed.
 *
 * @param {string} cwd
 * @param {readonly string[]} line
 * @param {NodeJS.ProcessEnv} [env]
 * @returns what it printed
 */
export async function succeed(cwd, line, env) {
  const { code, stdout, output } = await run(cwd, line, env)
  if (code !== 0) throw new Error(`${line.join(' ')} failed in ${cwd}:\n${output}`)
  return stdout
}

/**
 * Packs packages of a workspace as npm would publish them.
 *
 * @param {string} root
 * @param {readonly string[]} folders of the packages
 * @param {string} destination a folder that exists
 * @param {NodeJS.ProcessEnv} [env] whose PATH has npm
 * @returns the tarballs, in the order of the folders
 */
export async function pack(root, folders, destination, env) {
  const options = ['--json', '--ignore-scripts', '--loglevel=error', `--pack-destination=${destination}`]
  const workspaces = folders.map((folder) => `--workspace=${folder}`)
  return packedIn(await succeed(root, ['npm', 'pack', ...options, ...workspaces], env))
}

/**
 * The tarballs that `npm pack --json` printed.
 *
 * @param {string} printed
 * @returns {Packed[]}
 */
export function packedIn(printed) {
  /** @type {Packed[] | Record<string, Packed>} */
  const packed = JSON.parse(printed)
  return Object.values(packed)
}
