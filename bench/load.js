// Endpoints in processes of their own, and the load on them.
import autocannon from 'autocannon'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ANSWER_MS = 20_000

/** Starts a program in parts/ that uses serving.js. */
export async function startServer(program, args, env = process.env) {
  const file = fileURLToPath(new URL(`parts/${program}`, import.meta.url))
  const child = fork(file, args, { env, execArgv: [] })
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

/** Sends to servers for some seconds, with these options of autocannon. Throws unless every answer is a success. */
export async function load(servers, options) {
  const cpuTime = async () => {
    const times = await Promise.all(servers.map((server) => server.cpuTime()))
    return times.reduce((sum, time) => sum + time, 0)
  }
  const latencies = []
  const before = await cpuTime()
  const run = autocannon({ url: servers.map(({ url }) => url), ...options })
  // The histogram of autocannon has a resolution of 1 ms, which is about the duration of a request.
  run.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds))
  const result = await run
  const cpu = (await cpuTime()) - before

  const answered = result['2xx']
  if (answered === 0 || result.non2xx > 0 || result.errors > 0) {
    throw new Error(`under load: ${answered} accepted, ${result.non2xx} refused, ${result.errors} failed`)
  }
  latencies.sort((a, b) => a - b)
  const share = (part) => latencies[Math.floor(latencies.length * part)]
  return {
    perSecond: answered / result.duration,
    p50: share(0.5),
    p99: share(0.99),
    cpuUs: cpu / answered,
  }
}
