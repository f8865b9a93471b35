import { spawn } from 'node:child_process'

/**
 * Runs a command to its end.
 *
 * @param {string} cwd
 * @param {readonly string[]} line
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ code: number | null, stdout: string, output: string }>}
 */
export function run(cwd, [command = '', ...args], env = process.env) {
  // Without the settings that npm passes to its scripts, and the options of the Node that runs this one.
  const caller = /^(?:npm_(?!config_)|npm_config_local_prefix$|NODE_OPTIONS$|NODE_V8_COVERAGE$)/i
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !caller.test(name)))
  const child = spawn(command, args, {
    cwd,
    env: { ...own, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // Together with the processes that it started, such as compilers.
  const kill = () => child.pid !== undefined && process.kill(-child.pid)
  process.prependOnceListener('exit', kill)
  let stdout = ''
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    stdout += text
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text))
  child.once('exit', () => process.removeListener('exit', kill))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ code, stdout, output })
    })
  })
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function npm(cwd, args, env) {
  const { code, stdout, output } = await run(cwd, ['npm', ...args], env)
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${output}`)
  return stdout
}
