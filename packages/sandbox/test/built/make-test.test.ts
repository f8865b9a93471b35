import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const command = fileURLToPath(new URL('../../bin/service-signature-sandbox.js', import.meta.url))

const ENDPOINT = `
import { serviceSignature } from '@service-signature/express'
import express from 'express'

const app = express()
app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), (req, res) => res.sendStatus(204))
app.listen(Number(process.argv[2]), '127.0.0.1')
`

function fixture(fields: object): string {
  return JSON.stringify({
    format: 'service-signature-delivery',
    version: 1,
    recorded_at: '2025-03-27T15:41:20.000000Z',
    type: 'intent.processed',
    url: 'http://127.0.0.1:3000/webhooks',
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"type":"intent.processed"}',
    ...fields,
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

it('makes a test that starts the endpoint, passes while it answers as recorded, and fails if not', async () => {
  // Below node_modules, so that the packages are found.
  const folder = mkdtempSync(fileURLToPath(new URL('../../../../node_modules/.test-', import.meta.url)))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const port = await freePort()
  mkdirSync(join(folder, 'recordings'))
  writeFileSync(join(folder, 'server.mjs'), ENDPOINT)
  writeFileSync(join(folder, 'recordings/1.json'), fixture({ answer: { status: 204 } }))
  writeFileSync(join(folder, 'recordings/2.json'), fixture({ answer: { status: 401 }, faults: ['tamper'] }))
  writeFileSync(join(folder, 'recordings/3.json'), fixture({ answer: null, faults: ['no-signature'] }))
  const run = (...argv: readonly string[]) => {
    // Without the variables of the test runner that runs this test.
    const { PATH } = process.env
    return spawnSync(process.execPath, argv, {
      cwd: folder,
      env: { PATH },
      encoding: 'utf8',
      timeout: 30_000,
    })
  }
  const url = `http://127.0.0.1:${port}/webhooks`
  const made = run(command, 'test', 'recordings', '--url', url, '--start', `node server.mjs ${port}`)
  expect(made).toMatchObject({ status: 0, stderr: '' })

  const passed = run('--test', 'webhooks.test.mjs')
  expect(passed.stdout).toContain('1.json: intent.processed is answered with 204')
  expect(passed.stdout).toContain('2.json: intent.processed is answered with 401')
  expect(passed.stdout).toContain('3.json: intent.processed is answered with any status')
  expect(passed.status, passed.stdout).toBe(0)

  const file = join(folder, 'recordings/1.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('204', '200'))
  const failed = run('--test', 'webhooks.test.mjs')
  expect(failed.status).toBe(1)
  expect(failed.stdout).toContain('1.json: intent.processed is answered with 200')
})

it('makes a test that fails at once if the endpoint cannot be started', () => {
  const folder = mkdtempSync(fileURLToPath(new URL('../../../../node_modules/.test-', import.meta.url)))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  writeFileSync(join(folder, '1.json'), fixture({ answer: { status: 204 } }))
  const { PATH } = process.env
  const run = (...argv: readonly string[]) =>
    spawnSync(process.execPath, argv, { cwd: folder, env: { PATH }, encoding: 'utf8', timeout: 30_000 })
  run(command, 'test', '.', '--url', 'http://127.0.0.1:1/', '--start', 'node missing.mjs')
  const { status, stdout } = run('--test', 'webhooks.test.mjs')
  expect(status).toBe(1)
  expect(stdout).toContain('The endpoint ended with 1 before it listened')
})

it('the example in the README passes, and its recordings hold a purchase and a forgery', () => {
  const example = fileURLToPath(new URL('../../../../examples/sandbox/replay.test.js', import.meta.url))
  const { PATH } = process.env
  const options = { env: { PATH, NODE_ENV: 'test' }, encoding: 'utf8', timeout: 30_000 } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [example], options)
  expect(status).toBe(0)
  // The forgery of the example is refused, without a hook that would say so.
  expect(stderr).toMatch(/^\S+ ServiceSignatureWarning: The delivery was refused: ERR_SIGNATURE_MISMATCH: /)
  expect(stdout).toMatch(/^# pass 1$/m)
  const read = (name: string) => readFileSync(join(example, '../recordings', name), 'utf8')
  expect(JSON.parse(read('purchase.json'))).toMatchObject({ answer: { status: 204 } })
  expect(JSON.parse(read('forged-purchase.json'))).toMatchObject({
    faults: ['tamper'],
    answer: { status: 401 },
  })
})
