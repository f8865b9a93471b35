// Builds an application without a secret in the environment, as in a Docker build, and sends to each of its routes.
const { deepStrictEqual, doesNotMatch, strictEqual } = require('node:assert')
const { spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { createInterface } = require('node:readline')
const { SECRET, sendAll } = require('./delivery.cjs')

/** Each prints its name when its handler runs. */
const ROUTES = ['nodejs', 'edge']

const next = require.resolve('next/dist/bin/next')
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
delete env.WEBHOOK_SECRET

build()
check().catch((error) => {
  console.error(error)
  process.exitCode = 1
})

function build() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [next, 'build'], { env, encoding: 'utf8' })
  const output = stdout + stderr
  console.log(output)
  strictEqual(status, 0, 'next build')
  // Next warns of an API of Node that an edge route can reach, and fails only where it is called.
  doesNotMatch(output, /not supported in the Edge Runtime/)
}

async function check() {
  const server = spawn(process.execPath, [next, 'start', '--port', '0'], {
    env: { ...env, WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = []
  const printed = createInterface(server.stdout).on('line', (line) => lines.push(line))
  try {
    const url = await urlOf(server, printed, lines)
    for (const route of ROUTES) await sendAll(`${url}/${route}`)
  } finally {
    server.kill()
    await once(server, 'close')
    console.log(lines.join('\n'))
  }
  const handled = lines.filter((line) => line.startsWith('handled: '))
  deepStrictEqual(
    handled,
    ROUTES.map((route) => `handled: ${route}`),
  )
}

/** The address that the server prints, once it is ready. */
async function urlOf(server, printed, lines) {
  const ended = once(server, 'close').then(() => {
    throw new Error('next start ended before it was ready')
  })
  while (!lines.some((line) => line.includes('Ready'))) await Promise.race([once(printed, 'line'), ended])
  return /http:\/\/localhost:\d+/.exec(lines.join('\n'))[0]
}
