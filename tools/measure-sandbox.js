// Measures the built sandbox in a process of its own, over HTTP: its memory after many payments, and how long it takes to start.
//
//   npm run measure -- sandbox [--payments 5000] [--keep 10000] [--bytes 0] [--data <folder>]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const COMMAND = fileURLToPath(new URL('../packages/cli/bin/service-signature.js', import.meta.url))
const AT_A_TIME = 8
const text = /** @type {const} */ ({ type: 'string' })
const { values } = parseArgs({
  options: {
    payments: { ...text, default: '5000' },
    keep: { ...text, default: '10000' },
    bytes: { ...text, default: '0' },
    data: text,
  },
})
/** In the custom fields of each intent, which its events repeat. */
const filler = 'x'.repeat(Number(values.bytes))

/** @typedef {{ url: string, apiKeys: { account: string } }} Started a part of the line of `--json` */

/** Starts the sandbox, and waits until it listens. */
async function start() {
  const began = performance.now()
  const options = [
    'sandbox',
    '--json',
    '--keep',
    values.keep,
    ...(values.data === undefined ? [] : ['--data', values.data]),
  ]
  const child = spawn(process.execPath, [COMMAND, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = /** @type {[Buffer]} */ (await once(child.stdout, 'data'))
  console.log(`started: ${Math.round(performance.now() - began)} ms, ${usageOf(child.pid)}`)
  return { child, sandbox: /** @type {Started} */ (JSON.parse(line.toString())) }
}

/**
 * The CPU time of a process, which depends less on what else the machine does than the time on the clock, and its memory.
 *
 * @param {number | undefined} pid
 */
function usageOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // Of a hundredth of a second each.
  const cpu = (Number(fields[11]) + Number(fields[12])) * 10
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const memory = ['VmRSS', 'RssAnon', 'RssFile', 'VmHWM'].map((name) => {
    const kilobytes = Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1])
    return `${name} ${Math.round(kilobytes / 1000)} MB`
  })
  return [`${cpu} ms of CPU`, ...memory].join(', ')
}

/**
 * @param {Started} sandbox
 * @param {string} path
 * @param {object} [body] of a POST
 * @returns {Promise<{ data: { id: string }, count: number }>}
 */
async function call({ url, apiKeys }, path, body) {
  const headers = { 'X-Api-Key': apiKeys.account, 'Content-Type': 'application/json' }
  const post = { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(url + path, { headers, ...(body !== undefined && post) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return /** @type {Promise<{ data: { id: string }, count: number }>} */ (response.json())
}

/** @param {Started} sandbox */
async function payAll(sandbox) {
  const endpoint = createServer((req, res) => {
    req.resume()
    req.on('end', () => res.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  endpoint.unref()
  const { port } = /** @type {import('node:net').AddressInfo} */ (endpoint.address())
  let left = Number(values.payments)
  const payOneByOne = async () => {
    while (left > 0) {
      left--
      const { data } = await call(sandbox, '/api/v1.4/payments/intent/', {
        ...{ amount: 10.5, amount_currency: 'EUR', webhook_url: `http://127.0.0.1:${port}/webhooks` },
        custom_fields: { order: `order-${left}`, ...(filler !== '' && { filler }) },
      })
      await call(sandbox, `/_sandbox/intents/${data.id}/pay/`, { card: '4242424242424242' })
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, payOneByOne))
}

/** @param {Started} sandbox */
async function deliveriesOf(sandbox) {
  return (await call(sandbox, '/_sandbox/newest/deliveries/?limit=1')).count
}

const { child, sandbox } = await start()
const before = performance.now()
await payAll(sandbox)
const seconds = Math.round((performance.now() - before) / 1000)
console.log(`${values.payments} payments: ${seconds} s, ${usageOf(child.pid)}`)
console.log(`deliveries that are kept: ${await deliveriesOf(sandbox)}`)
await new Promise((resolve) => setTimeout(resolve, 10_000))
console.log(`10 s later: ${usageOf(child.pid)}`)
child.kill('SIGKILL')
await once(child, 'exit')
if (values.data !== undefined) {
  const again = await start()
  console.log(`deliveries after a restart: ${await deliveriesOf(again.sandbox)}`)
  console.log(`after a restart: ${usageOf(again.child.pid)}`)
  again.child.kill('SIGTERM')
}
