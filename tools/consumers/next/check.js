// Builds an application without a secret in the environment, as in a Docker build, and sends to each of its routes.
const { deepStrictEqual, doesNotMatch, strictEqual } = require('node:assert')
const { spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { SECRET, sendAll } = require('./delivery.cjs')

/** Each prints its name when its handler runs. */
const ROUTES = ['nodejs', 'edge', 'api/pages']

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
  // Next warns about an API of Node that an edge route can reach, and fails only where it is called.
  doesNotMatch(output, /not supported in the Edge Runtime/)
}

async function check() {
  const server = spawn(process.execPath, [next, 'start', '--port', '0'], {
    env: { ...env, WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(server, 'close')
  let printed = ''
  server.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
  try {
    while (!printed.includes('Ready')) await Promise.race([once(server.stdout, 'data'), ended(closed)])
    const [url] = /http:\/\/localhost:\d+/.exec(printed)
    for (const route of ROUTES) await sendAll(`${url}/${route}`)
  } finally {
    server.kill()
    await closed
    console.log(printed)
  }
  const handled = Array.from(printed.matchAll(/^handled: (.*)$/gm), ([, route]) => route)
  deepStrictEqual(handled, ROUTES)
}

async function ended(closed) {
  await closed
  throw new Error('next start ended before it was ready')
}
