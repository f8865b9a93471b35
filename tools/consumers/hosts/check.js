// Builds an example of a host without a secret in the environment, as in a Docker build, starts it as its package.json
// says, and sends to it.
import { deepStrictEqual, doesNotMatch, strictEqual } from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { basename, delimiter } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { SECRET, sendAll } from './delivery.cjs'

/** Cases of the audit that a host decides before it calls the endpoint. */
const FAILED_BY_HOST = {
  // Refuses forms, and text, of other origins.
  astro: ['other content type'],
  sveltekit: ['other content type'],
  // Its parsers read up to 1 GB first; in the cloud, a proxy has a limit.
  'firebase-functions': ['forged 64 MB'],
  'google-cloud-functions': ['forged 64 MB'],
  // Its edge runtime gets a body as a whole.
  'next-15/edge': ['forged 64 MB'],
  'next-16/edge': ['forged 64 MB'],
}

const HOST = basename(process.cwd())
const PATH = ['node_modules/.bin', process.env.PATH].join(delimiter)
const env = {
  ...process.env,
  PATH,
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
}
delete env.WEBHOOK_SECRET

const { scripts, routes = ['webhooks'] } = JSON.parse(readFileSync('package.json', 'utf8'))

await build()
const printed = await whileServing((url) => sendAll(url))
deepStrictEqual(
  printed.match(/^verified: .*$/gm),
  routes.map(() => 'verified: unrecognized'),
)
await whileServing(audit)

async function build() {
  const child = spawn('npm', ['run', 'build', '--if-present'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  console.log(output)
  strictEqual(code, 0, 'npm run build')
  // Next warns about an API of Node that an edge route can reach, and fails only where it is called.
  doesNotMatch(output, /not supported in the Edge Runtime/)
}

async function audit(url, route) {
  const child = spawn('service-signature', ['audit', url, '--json'], {
    env: { ...env, WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const report = JSON.parse(await text(child.stdout))
  console.log(`audit: ${report.passed} of ${report.total}`)
  const failed = report.cases.filter(({ outcome }) => outcome === 'failed')
  deepStrictEqual(
    failed.map(({ name }) => name),
    FAILED_BY_HOST[HOST] ?? FAILED_BY_HOST[`${HOST}/${route}`] ?? [],
  )
}

/** Starts the server, uses each route, stops it, and resolves to its output. */
async function whileServing(use) {
  const port = await freePort()
  // Without npm and a shell, which do not pass on a signal.
  const [command, ...args] = scripts.start.split(' ')
  const server = spawn(command, args, {
    env: { ...env, NODE_ENV: 'production', PORT: port, WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = text(server.stdout)
  try {
    while (!(await isListening(port))) {
      if (server.exitCode !== null) throw new Error(`${command} ended:\n${await output}`)
      await setTimeout(100)
    }
    for (const route of routes) await use(`http://127.0.0.1:${port}/${route}`, route)
  } finally {
    server.kill()
    console.log(await output)
  }
  return output
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await once(server.close(), 'close')
  return port
}

async function isListening(port) {
  const socket = connect(port, '127.0.0.1')
  const result = await once(socket, 'connect').then(Boolean, () => false)
  socket.destroy()
  return result
}
