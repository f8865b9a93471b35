// An application of a merchant in a process of its own. It is copied into every project.
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { createInterface } = require('node:readline')

/** Starts a program, and resolves once it has printed its addresses, the groups of `address`, and then `ready`. */
async function startServer(line, env, address, ready = address) {
  const child = spawn(process.execPath, line, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const ended = closed.then(() => {
    throw new Error(`it ended before it was ready: ${line.join(' ')}`)
  })
  // After the start, it may end.
  ended.catch(() => undefined)
  const lines = []
  const output = createInterface(child.stdout).on('line', (text) => {
    lines.push(text)
    console.log(text)
  })
  while (!lines.some((text) => ready.test(text))) await Promise.race([once(output, 'line'), ended])
  return {
    urls: lines.flatMap((text) => address.exec(text)?.slice(1) ?? []),
    lines,
    async stop() {
      child.kill()
      await closed
    },
  }
}

module.exports = { startServer }
