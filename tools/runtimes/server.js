import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Nobody waits for it: it ends what would never start. */
const LONGEST_START_MS = 30_000

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {() => string} output all that it printed
 * @property {() => Promise<void>} end
 */

/**
 * Starts a server that prints its port. It ends with this process, however this process ends.
 *
 * @param {string} executable
 * @param {readonly string[]} line
 * @param {string} folder that it may write to
 * @returns {Promise<Server>}
 */
export async function startServer(executable, line, folder) {
  const child = spawn(executable, line, {
    cwd: folder,
    env: environment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => {
    child.kill('SIGKILL')
  }
  // Before the folder goes.
  process.prependOnceListener('exit', kill)
  const closed = once(child, 'close').finally(() => {
    process.removeListener('exit', kill)
  })

  let output = ''
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    output += text
  })
  /** @type {Promise<number>} */
  const listening = new Promise((resolve) => {
    createInterface(child.stdout).on('line', (text) => {
      const port = /^\{.*"port":(\d+)\}$/.exec(text)?.[1]
      if (port === undefined) output += `${text}\n`
      else resolve(Number(port))
    })
  })
  const timer = setTimeout(kill, LONGEST_START_MS)
  const port = await Promise.race([listening, closed.then(() => undefined)])
  clearTimeout(timer)
  if (port === undefined) throw new Error(`${[executable, ...line].join(' ')} did not start:\n${output}`)
  return {
    port,
    output: () => output,
    async end() {
      kill()
      await closed
    },
  }
}

/**
 * Nothing of this process: neither its options for Node nor the folders of its user.
 *
 * @param {string} folder
 */
function environment(folder) {
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    DENO_DIR: folder,
    DENO_NO_UPDATE_CHECK: '1',
    DO_NOT_TRACK: '1',
    NO_COLOR: '1',
  }
}
