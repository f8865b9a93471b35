// Builds an application without a secret in the environment, as in a Docker build, and sends to each of its routes.
const { deepStrictEqual, doesNotMatch, strictEqual } = require('node:assert')
const { spawnSync } = require('node:child_process')
const { SECRET, sendAll } = require('./delivery.cjs')
const { startServer } = require('./server.cjs')

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
  const withSecret = { ...env, WEBHOOK_SECRET: SECRET }
  const address = /(http:\/\/localhost:\d+)/
  const server = await startServer([next, 'start', '--port', '0'], withSecret, address, /Ready/)
  try {
    for (const route of ROUTES) await sendAll(`${server.urls[0]}/${route}`)
  } finally {
    await server.stop()
  }
  const handled = server.lines.filter((line) => line.startsWith('handled: '))
  deepStrictEqual(
    handled,
    ROUTES.map((route) => `handled: ${route}`),
  )
}
