// Builds an application without a secret in the environment, as in a Docker build, and sends to both of Next's runtimes.
const { strictEqual } = require('node:assert')
const { execFileSync, spawn } = require('node:child_process')
const { createInterface } = require('node:readline')
const { BODY, SECRET, signatureOf } = require('../project/cases.cjs')

const next = require.resolve('next/dist/bin/next')
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
delete env.WEBHOOK_SECRET

async function check() {
  execFileSync(process.execPath, [next, 'build'], { env, stdio: 'inherit' })
  const server = spawn(process.execPath, [next, 'start', '--port', '0'], {
    env: { ...env, WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await urlOf(server)
    for (const runtime of ['nodejs', 'edge']) {
      strictEqual(await send(`${url}/${runtime}`, signatureOf(BODY)), 204, runtime)
      strictEqual(await send(`${url}/${runtime}`, signatureOf(BODY, 'another_key')), 401, runtime)
    }
  } finally {
    server.kill()
  }
}

/** The address that the server prints, once it is ready. */
async function urlOf({ stdout }) {
  let url
  for await (const line of createInterface(stdout)) {
    url ??= /http:\/\/localhost:\d+/.exec(line)?.[0]
    if (line.includes('Ready')) return url
  }
  throw new Error('next start ended before it was ready')
}

async function send(url, signature) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Service-Signature': signature },
    body: BODY,
  })
  return response.status
}

check().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
