import { fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const secret = 'test_signature_key'
const MEBIBYTE = 1024 * 1024
const COUNT = 2000

const server = fork(fileURLToPath(new URL('server.js', import.meta.url)), {
  env: { ...process.env, SECRET: secret },
  execArgv: ['--expose-gc'],
})
let port: number

beforeAll(async () => {
  ;({ port } = await told<{ port: number }>())
})

afterAll(() => server.kill())

async function told<Message>(): Promise<Message> {
  const [message] = (await once(server, 'message')) as [Message]
  return message
}

async function residentMebibytes(): Promise<number> {
  const answer = told<{ rss: number }>()
  server.send('How much memory do you take, now that all have gone?')
  return (await answer).rss / MEBIBYTE
}

/** The statuses of `COUNT` deliveries of 64 KB that are sent at once; every second one is forged. */
async function deliver(count: number): Promise<number[]> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const body = Buffer.from(JSON.stringify({ type: 'intent.processed', padding: 'x'.repeat(64 * 1024) }))
  const digest = createHmac('sha256', secret)
    .update(body.toString('base64') + timestamp)
    .digest('hex')
  const agent = new Agent({ maxSockets: count })
  const statuses = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const signature = `t=${timestamp},v3=${i % 2 === 0 ? digest : '0'.repeat(64)}`
      const headers = { 'Service-Signature': signature, 'Content-Length': body.length }
      const sent = request({ host: '127.0.0.1', port, path: '/webhooks', method: 'POST', agent, headers })
      // All have begun before the first is complete.
      sent.write(body.subarray(0, 1000))
      await once(sent, 'socket')
      sent.end(body.subarray(1000))
      const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
      await once(response.resume(), 'end')
      return response.statusCode!
    }),
  )
  agent.destroy()
  return statuses
}

it(`${COUNT} deliveries of 64 KB at once are all answered correctly, and their memory is released`, async () => {
  // In the first round, the process grows to the size that it needs.
  await deliver(COUNT)
  const before = await residentMebibytes()
  const statuses = await deliver(COUNT)
  const after = await residentMebibytes()
  expect(statuses).toEqual(Array.from({ length: COUNT }, (_, i) => (i % 2 === 0 ? 200 : 401)))
  console.log(`resident memory: ${before.toFixed()} MiB before, ${after.toFixed()} MiB after`)
  // Their bodies alone were 125 MiB.
  expect(after - before).toBeLessThan(50)
})
