import { verify } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { startSandbox, type Sandbox } from '@service-signature/sandbox'
import express from 'express'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildProgram } from '../../src/program.js'
import { run } from '../../../../tools/npm.js'
import { FakeIo } from '../../../terminal/test/support/fake-io.js'
import { printedCommands } from '../support/printed-commands.js'
import { Registry } from '../support/registry.js'
import { secret, signed } from '../support/truth.js'

const { commands } = buildProgram({ io: new FakeIo(), end: () => undefined })
const printed = await printedCommands(commands.map((command) => command.name()))
const ours = [
  ...new Set(printed.filter(({ name }) => name === 'service-signature').map((command) => command.text)),
]

/** The exit codes other than 0, of commands that show how something is refused. */
const EXIT_CODES: readonly (readonly [RegExp, number])[] = [
  [/^WEBHOOK_SECRET=another_signature_key /, 1],
  [/ --tamper /, 1],
  // The endpoint of this test runs already.
  [/ --start /, 2],
  [/ audit http:\/\/127\.0\.0\.1:3001\/webhooks /, 1],
  [/ explain --request (?:saved\.(?:http|sh)|delivery\.http|<file>)/, 1],
  [/ explain --request <address>/, 1],
  // It was signed in 2025.
  [/ verify --request saved\.http --secret-file /, 1],
]
/** Commands that run until they are ended. */
const ENDLESS = /^npx service-signature (?:sandbox|listen)\b/

const folder = mkdtempSync(join(tmpdir(), 'service-signature-npx-'))
const project = join(folder, 'project')
let registry: Registry
let sandbox: Sandbox
let env: Record<string, string | undefined>
/** The ports of this run, by those of the pages. */
const ports = new Map<string, number>()
const servers: ReturnType<typeof createServer>[] = []

beforeAll(async () => {
  mkdirSync(project)
  registry = await Registry.start(folder)
  const endpoint = express()
  ports.set('3001', await listen(reserializing))
  ports.set('3000', await listen(endpoint))
  ports.set('3002', ports.get('3000')!)
  sandbox = await startSandbox({ seed: 'readme', defaultEndpoint: endpointUrl() })
  ports.set('4000', Number(new URL(sandbox.url).port))
  endpoint.post(
    '/{*any}',
    serviceSignature({ secret: [secret, sandbox.secret], onRejected: () => undefined }),
    (_req, res) => {
      res.sendStatus(204)
    },
  )
  env = {
    PATH: process.env['PATH'],
    HOME: folder,
    NO_COLOR: '1',
    npm_config_cache: join(folder, 'cache'),
    npm_config_registry: registry.url,
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_yes: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    WEBHOOK_SECRET: secret,
    PAYMENT_API_KEY: sandbox.apiKeys.account,
    signature: signed(EVENT),
  }
})

afterAll(async () => {
  await sandbox.close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await registry.close()
  rmSync(folder, { recursive: true })
})

/** Verifies the parsed body, printed again. */
const reserializing = express()
  .use(express.json())
  .post('/webhooks', async (req, res) => {
    const body = JSON.stringify(req.body)
    const webhook = await verify(body, req.get('Service-Signature'), { secret }).catch(() => undefined)
    res.sendStatus(webhook === undefined ? 401 : 200)
  })

/** Serves an application until the end of the tests. Returns its port. */
async function listen(app: express.Express): Promise<number> {
  const server = createServer(app).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const EVENT = '{"type": "intent.processed", "amount": 5}'
const COMPACT = JSON.stringify(JSON.parse(EVENT))

/** An empty folder but for the files that the pages write or name. */
async function layOut(command: string): Promise<void> {
  const request = (body: string) =>
    `POST /webhooks HTTP/1.1\r\nService-Signature: ${signed(EVENT)}\r\n\r\n${body}`
  const curl = `curl -H 'Service-Signature: ${signed(EVENT)}' --data-raw '${COMPACT}' https://shop.example/webhooks`
  // Just sent, because a delivery is valid for minutes.
  const delivery = await newDelivery()
  env['delivery'] = delivery
  const fixture = await fetch(`${sandbox.url}/_sandbox/deliveries/${delivery}/export/?format=fixture`)
  const files = {
    ...(command.includes(' init') && { 'package.json': '{ "dependencies": { "express": "5" } }' }),
    'event.json': EVENT,
    'refund.json': '{"type": "refund.created", "api_version": "2.0", "refund": {"id": "ref_1"}}',
    'saved.http': request(EVENT),
    'saved.sh': curl,
    'delivery.http': request(COMPACT),
    'delivery.json': await fixture.text(),
    'secret.txt': sandbox.secret,
    'api-key.txt': sandbox.apiKeys.account,
  }
  rmSync(project, { recursive: true })
  mkdirSync(project)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(project, name), content)
}

async function newDelivery(): Promise<string> {
  const response = await fetch(`${sandbox.url}/_sandbox/compose/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ template: 'intent-processed', url: endpointUrl() }),
  })
  const { data } = (await response.json()) as { data: { deliveries: { id: string }[] } }
  await sandbox.drained()
  return data.deliveries[0]!.id
}

const endpointUrl = () => `http://127.0.0.1:${ports.get('3000')!}/webhooks`

/** A command with the files and addresses of this run. */
function filledIn(command: string): string {
  return (
    command
      .replace(/(?<=--(?:base-url|sandbox) )(?:<url>|https:\/\/api\.example\.com)/, sandbox.url)
      .replace(/<url(?: of your endpoint)?>/, endpointUrl())
      .replace('<file>', 'delivery.http')
      .replace('<event>', 'transaction.purchase.successful')
      .replace(/^PAYMENT_API_KEY=account_key_\.{3} (.*) https:\/\/\.{3}/, `$1 ${sandbox.url}`)
      .replace('<address>', `${sandbox.url}/deliveries/${env['delivery']!}/`)
      .replace('<command.name()>', 'verify')
      // The sandbox that it finds by itself has a port that another program may use.
      .replace(/ trigger (?!.* --sandbox ).*/, (line) => `${line} --sandbox ${sandbox.url}`)
      .replaceAll(/(?<=:)[34]00[012]\b/g, (port) => String(ports.get(port)))
  )
}

describe('each command that is printed runs by npx where nothing is installed', () => {
  it.each(ours.filter((command) => !ENDLESS.test(command)))('%s', async (command) => {
    await layOut(command)
    const { code, output } = await run(project, ['bash', '--norc', '-c', filledIn(command)], env)
    const [, expected = 0] = EXIT_CODES.find(([pattern]) => pattern.test(command)) ?? []
    expect({ code, output }).toEqual({ code: expected, output })
    expect(output).not.toMatch(/not found/i)
    expect([...registry.unknown]).toEqual([])
  })

  it.each(ours.filter((command) => ENDLESS.test(command)))('%s', async (command) => {
    await layOut(command)
    // A free port, because another program may use the one of the pages.
    const line = `exec ${filledIn(command).replace(/ --port \S+/, '')} --port 0`
    const child = spawn('bash', ['--norc', '-c', line], { cwd: project, env, detached: true })
    const failed = text(child.stderr)
    const [first] = (await once(child.stdout, 'data')) as [Buffer]
    const closed = once(child, 'close')
    // As a terminal does at Ctrl-C.
    process.kill(-child.pid!, 'SIGINT')
    await closed
    expect(String(first)).toMatch(/^The payment service in test mode\. .*\nhttp:/)
    expect(await failed).not.toMatch(/not found/i)
    expect([...registry.unknown]).toEqual([])
  })
})

it('a name that is not ours is asked for where it can be seen, and not found', async () => {
  const { code, output } = await run(project, ['npx', 'service-signature-sandbox'], env)
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('E404') as string })
  expect([...registry.unknown]).toEqual(['service-signature-sandbox'])
  registry.unknown.clear()
})

it('service-signature, installed alone, has at most 70 packages and 24 MB', async () => {
  const alone = join(folder, 'alone')
  mkdirSync(alone)
  writeFileSync(join(alone, 'package.json'), '{}')
  const installed = await run(alone, ['npm', 'install', '--no-package-lock', 'service-signature'], env)
  expect(installed).toMatchObject({ code: 0 })
  const { packages, bytes } = sizeOf(join(alone, 'node_modules'))
  expect(packages).toBeGreaterThan(5)
  expect(packages).toBeLessThanOrEqual(70)
  expect(bytes / 1e6).toBeLessThanOrEqual(24)
})
const BLOCK = 4096

/** The packages in a folder, and what they need on a disk. */
function sizeOf(root: string): { packages: number; bytes: number } {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const sizes = paths.map((path) => statSync(join(root, path))).filter((each) => each.isFile())
  return {
    packages: paths.filter((path) =>
      /(?:^|node_modules\/)(?:@[^/]+\/)?[^@/.][^/]*\/package\.json$/.test(path),
    ).length,
    bytes: sizes.reduce((sum, { size }) => sum + Math.ceil(size / BLOCK) * BLOCK, 0),
  }
}
