// How the steps of a run are run: processes that are heard when they fail, some at a time.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A step that did not succeed, with all that it printed. */
export class Failure extends Error {}

// So that what is installed is what the registry's cache has, and nothing is printed but faults.
export const INSTALLING = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']

// What npm and Node were told about the script that this runs in.
const OF_THE_CALLER = /^(?:npm_(?!config_)|npm_config_local_prefix$|NODE_OPTIONS$|NODE_V8_COVERAGE$)/i

/**
 * Runs a command to its end, and gives its standard output.
 *
 * @param {string} cwd
 * @param {readonly string[]} line
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string>}
 */
export function run(cwd, [command, ...args], env = process.env) {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_THE_CALLER.test(name)))
  const child = spawn(/** @type {string} */ (command), args, {
    cwd,
    env: { ...own, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => child.kill()
  process.once('exit', end)
  let output = ''
  let all = ''
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    output += text
    all += text
  })
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    all += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      process.removeListener('exit', end)
      if (code === 0) resolve(output)
      else
        reject(new Failure(`${[command, ...args].join(' ')} ended with ${code ?? signal}:\n${all.trimEnd()}`))
    })
  })
}

/**
 * Does something with each item, in so many lanes side by side.
 *
 * @template Item
 * @param {number} count
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<void>} task
 */
export async function inLanes(count, items, task) {
  const queue = [...items]
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await task(item)
  }
  await Promise.all(Array.from({ length: count }, lane))
}

/**
 * A node_modules above the projects would answer for what they lack.
 *
 * @param {string} folder
 */
export function warnOfStrangers(folder) {
  const parent = dirname(folder)
  const stranger = join(parent, 'node_modules')
  if (existsSync(stranger)) process.stderr.write(`NOTE: ${stranger} may hide that a dependency is missing.\n`)
  if (parent !== folder) warnOfStrangers(parent)
}
