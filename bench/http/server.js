import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ANSWER_MS = 20_000
const program = fileURLToPath(new URL('server-process.js', import.meta.url))

/**
 * Starts an endpoint in a process of its own.
 *
 * @param {string} host
 * @param {string} guard
 */
export async function startServer(host, guard) {
  const child = fork(program, [host, guard], { execArgv: [] })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the endpoint ${host}, ${guard} has ended`)
  })
  // That it ends is wrong only while an answer is awaited.
  ended.catch(() => undefined)
  const answer = async () => {
    const told = once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS) })
    const [message] = await Promise.race([told, ended])
    return message
  }
  try {
    const { port } = await answer()
    return {
      url: `http://127.0.0.1:${port}/webhooks`,

      /** How long the process has computed, in microseconds. */
      async cpuTime() {
        const told = answer()
        child.send('cpu')
        const { user, system } = await told
        return user + system
      },

      stop: () => stop(child),
    }
  } catch (error) {
    await stop(child)
    throw error
  }
}

/** @param {import('node:child_process').ChildProcess} child */
async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
