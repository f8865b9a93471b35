// An endpoint in a process of its own, and the load on it.
import autocannon from 'autocannon'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ANSWER_MS = 20_000

/** Starts parts/endpoint.js. */
export async function startServer(...args) {
  const file = fileURLToPath(new URL('parts/endpoint.js', import.meta.url))
  const child = fork(file, args, { execArgv: [] })
  const answer = async () => (await once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS) }))[0]
  const { port } = await answer()
  return {
    url: `http://127.0.0.1:${port}/webhooks`,

    /** The CPU time of the process so far, in microseconds. */
    async cpuTime() {
      child.send('cpu')
      return (await answer()).cpu
    },

    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Sends to a server for some seconds, with these options of autocannon. Throws unless every answer is a success. */
export async function load(server, options) {
  const latencies = []
  const before = await server.cpuTime()
  const run = autocannon({ url: server.url, ...options })
  // The histogram of autocannon has a resolution of 1 ms, which is about the duration of a request.
  run.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds))
  const result = await run
  const cpu = (await server.cpuTime()) - before

  const answered = result['2xx']
  if (answered === 0 || result.non2xx > 0 || result.errors > 0) {
    throw new Error(`under load: ${answered} accepted, ${result.non2xx} refused, ${result.errors} failed`)
  }
  latencies.sort((a, b) => a - b)
  const p99 = latencies[Math.floor(latencies.length * 0.99)]
  return { perSecond: answered / result.duration, p99, cpuUs: cpu / answered }
}
