export interface RegressionTestOptions {
  /** The recordings, as the test file names them. */
  readonly folder: string
  /** The endpoint, where the environment does not name another. */
  readonly url: string
  /** The command that starts it. */
  readonly start?: string | undefined
}

/** The text of a test file for `node --test` that replays a folder of recordings. */
export function regressionTest({ folder, url, start }: RegressionTestOptions): string {
  const words = start?.split(/\s+/).filter((word) => word !== '')
  return `// Sends the recorded deliveries of a folder to your endpoint, each signed with a fresh timestamp, and expects the
// status that was recorded. To expect another one, change "answer" in the recording.
//
//   WEBHOOK_URL       your endpoint
//   WEBHOOK_SECRET    its signing secret
import { replayRecorded } from '@service-signature/sandbox'
import assert from 'node:assert/strict'
${words === undefined ? '' : START_IMPORTS}import { join } from 'node:path'
import { test } from 'node:test'

const RECORDINGS = join(import.meta.dirname, ${literal(folder)})
const url = process.env.WEBHOOK_URL ?? ${literal(url)}
const secret = process.env.WEBHOOK_SECRET ?? 'test_signature_key'

test('recorded deliveries are answered as they were', async (t) => {
${words === undefined ? '' : startCall(words)}  for (const delivery of await replayRecorded(RECORDINGS, { url, secret })) {
    const { file, type, status, recordedStatus, body } = delivery
    await t.test(\`\${file}: \${type} is answered with \${recordedStatus ?? 'any status'}\`, () => {
      if (recordedStatus !== null) assert.equal(status, recordedStatus, body)
    })
  }
})
${words === undefined ? '' : START_FUNCTION}`
}

/** Paths and addresses in quotes, as the rest of the file has them. */
function literal(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

const START_IMPORTS = `import { spawn } from 'node:child_process'
import { connect } from 'node:net'
`

function startCall(words: readonly string[]): string {
  return `  const endpoint = await start([${words.map(literal).join(', ')}])
  t.after(() => endpoint.kill())
`
}

const START_FUNCTION = `
/** Starts the endpoint, which gets WEBHOOK_SECRET, and waits until it takes connections. */
async function start([command, ...args]) {
  const env = { ...process.env, WEBHOOK_SECRET: secret }
  const endpoint = spawn(command, args, { env, stdio: 'inherit' })
  while (!(await isListening(new URL(url)))) {
    if (endpoint.exitCode === null) continue
    throw new Error(\`The endpoint ended with \${endpoint.exitCode} before it listened\`)
  }
  return endpoint
}

function isListening({ hostname, port, protocol }) {
  const host = hostname.replace(/[[\\]]/g, '')
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => setTimeout(resolve, 50, false))
  })
}
`
