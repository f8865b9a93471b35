// Measures the built sandbox in a process of its own, over HTTP: its memory after many payments, and how long it takes to start.
//
//   npm run measure -- sandbox [--payments 25000] [--keep 50000] [--bytes 0] [--data <folder>]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const COMMAND = fileURLToPath(
  new URL('../packages/sandbox/bin/service-signature-sandbox.js', import.meta.url),
)
const AT_A_TIME = 8

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '25000' },
    keep: { type: 'string', default: '50000' },
    bytes: { type: 'string', default: '0' },
    data: { type: 'string' },
  },
})
const payments = Number(values.payments)
/** In the custom fields of each intent, which its events repeat. */
const filler = 'x'.repeat(Number(values.bytes))

/**
 * How long a process has used a processor. It depends less on what else the machine does than the time on the clock.
 *
 * @param {number | undefined} pid
 */
function cpuTimeOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // Of a hundredth of a second each.
  return `${(Number(fields[11]) + Number(fields[12])) * 10} ms of CPU`
}

/** The part of the line of `--json` that is used here.
 * @typedef {{ url: string, apiKeys: { account: string } }} Started
 */

/** Starts the sandbox, and waits until it listens. */
async function start() {
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [COMMAND, '--json', '--keep', values.keep, ...(values.data === undefined ? [] : ['--data', values.data])],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = /** @type {[Buffer]} */ (await once(child.stdout, 'data'))
  const duration = Math.round(performance.now() - started)
  report('from the start to the first line', `${duration} ms, ${cpuTimeOf(child.pid)}`)
  return { child, sandbox: /** @type {Started} */ (JSON.parse(line.toString())) }
}

/**
 * @param {string} what
 * @param {string} value
 */
function report(what, value) {
  process.stdout.write(`${what}: ${value}\n`)
}

/**
 * The memory of a process in MB, by kind.
 *
 * @param {number | undefined} pid
 */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return ['VmRSS', 'RssAnon', 'RssFile', 'VmHWM']
    .map(
      (name) => `${name} ${Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1000)} MB`,
    )
    .join(', ')
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME })

/**
 * @param {Started} sandbox
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<{ data: { id: string }, count: number }>}
 */
async function call({ url, apiKeys }, method, path, body) {
  const sent = request(url + path, {
    method,
    agent,
    headers: { 'X-Api-Key': apiKeys.account, 'Content-Type': 'application/json' },
  })
  sent.end(body && JSON.stringify(body))
  const [response] = /** @type {[import('node:http').IncomingMessage]} */ (await once(sent, 'response'))
  let text = ''
  for await (const chunk of response) text += String(chunk)
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text}`)
  /** @type {{ data: { id: string }, count: number }} */
  const answer = JSON.parse(text)
  return answer
}

/** The address of an endpoint that accepts everything. */
async function startEndpoint() {
  const server = createServer((req, res) => {
    req.resume()
    req.on('end', () => res.writeHead(204).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/webhooks`
}

/** @param {Started} sandbox */
async function payAll(sandbox) {
  const webhook_url = await startEndpoint()
  let left = payments
  const payOneByOne = async () => {
    while (left > 0) {
      left--
      const intent = {
        amount: 10.5,
        amount_currency: 'EUR',
        webhook_url,
        custom_fields: { order: `order-${left}`, ...(filler !== '' && { filler }) },
      }
      const { data } = await call(sandbox, 'POST', '/api/v1.4/payments/intent/', intent)
      await call(sandbox, 'POST', `/_sandbox/intents/${data.id}/pay/`, { card: '4242424242424242' })
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, payOneByOne))
}

/** @param {Started} sandbox */
async function deliveriesOf(sandbox) {
  return (await call(sandbox, 'GET', '/_sandbox/newest/deliveries/?limit=1')).count
}

const { child, sandbox } = await start()
report('memory at the start', memoryOf(child.pid))
const before = performance.now()
await payAll(sandbox)
report(
  `${payments} payments`,
  `${Math.round((performance.now() - before) / 1000)} s, ${cpuTimeOf(child.pid)}`,
)
report('deliveries that are kept', String(await deliveriesOf(sandbox)))
report('memory', memoryOf(child.pid))
await new Promise((resolve) => setTimeout(resolve, 10_000))
report('memory 10 s later', memoryOf(child.pid))
child.kill('SIGKILL')
await once(child, 'exit')
if (values.data !== undefined) {
  const again = await start()
  report('deliveries after a restart', String(await deliveriesOf(again.sandbox)))
  report('memory after a restart', memoryOf(again.child.pid))
  again.child.kill('SIGTERM')
}
agent.destroy()
