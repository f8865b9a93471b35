import { startSandbox } from '@service-signature/sandbox'
import { UsageError } from '@service-signature/terminal'
import { Server } from 'node:net'
import { dirname } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FakeIo } from '../../../packages/terminal/test/support/fake-io.js'
import { file } from '../../../packages/terminal/test/support/files.js'
import { sandbox, type SandboxOptions } from '../../command/sandbox.js'
import { caller } from '../support/call.js'
import { Endpoint } from '../support/endpoint.js'
import { temporaryFolder } from '../support/folder.js'
import { running } from '../support/running.js'
import { send } from '../support/send.js'

const TOKEN = 'a-token-of-the-tests_0123456789'

function run(options: SandboxOptions, env: Record<string, string> = {}) {
  return running((io) => sandbox({ port: '0', ...options }, io), { env })
}

interface Printed {
  readonly url: string
  readonly token?: string
  readonly secret: string
  readonly apiKeys: { readonly account: string }
  readonly dataFolder?: string
}

/** Runs it with `--json`. */
async function runJson(options: SandboxOptions, env: Record<string, string> = {}) {
  const { io, end } = await run({ ...options, json: true }, env)
  const printed = JSON.parse(io.text) as Printed
  return { ...printed, post: caller(printed).post, end }
}

/** The message of the error that is wrong use. */
async function refusalOf(options: SandboxOptions, env: Record<string, string> = {}): Promise<string> {
  const io = new FakeIo({ env })
  const error: unknown = await sandbox(options, io).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(UsageError)
  expect(io.text).toBe('')
  return (error as UsageError).message
}

describe('sandbox', () => {
  it('prints three steps to a first delivery, and each key on a line of its own; or one line of JSON', async () => {
    const { io, end } = await run({ seed: '7' })
    const [, url] = /^(http:\/\/127\.0\.0\.1:\d+)$/m.exec(io.text) as unknown as [string, string]
    const { secret, apiKeys, accountId, close } = await startSandbox({ seed: 7 })
    await close()
    expect(io.text.split('\n')).toEqual([
      'The payment service in test mode. Press Ctrl+C to stop. Its page:',
      url,
      '',
      '1. The secret for the .env of your endpoint, the same at the next start:',
      `WEBHOOK_SECRET=${secret}`,
      '',
      '2. The address of your endpoint: enter it on the page.',
      '',
      '3. A first payment: press "Pay a test payment" on the page, or run:',
      `npx service-signature trigger transaction.purchase.successful --sandbox ${url} --url http://localhost:3000/webhooks`,
      '',
      `Account           ${accountId}`,
      `API key           ${apiKeys.account}`,
      `Public key        ${apiKeys.public}`,
      `Organization key  ${apiKeys.organization}`,
      '',
      '',
    ])
    expect((await fetch(`${url}/_sandbox/overview/`)).status).toBe(200)
    expect(await end()).toBe(0)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
    expect([io.out.length, io.errors]).toEqual([1, ''])
    const { io: other } = await run({ json: true, seed: '7' })
    const printed = JSON.parse(other.text) as Printed
    expect(other.text).toBe(`${JSON.stringify({ url: printed.url, secret, apiKeys, accountId })}\n`)
  })

  it.each(['SIGINT', 'SIGTERM'])('ends on %s, and leaves no listener', async (signal) => {
    const { io, end } = await run({})
    expect(await end(signal)).toBe(0)
    expect([io.listenerCount('SIGINT'), io.listenerCount('SIGTERM')]).toEqual([0, 0])
  })

  it('prints the public URL for people, and its own for programs', async () => {
    const publicUrl = 'http://localhost:4000'
    const { io } = await run({ publicUrl: `${publicUrl}/` })
    expect(io.text).toContain(`\n${publicUrl}\n`)
    expect((await runJson({ publicUrl })).url).toMatch(/^http:\/\/127\.0\.0\.1:/)
  })

  it('keeps the state in the data folder, and prints where it is', async () => {
    const data = temporaryFolder()
    const { dataFolder, secret, end } = await runJson({ data })
    expect(dataFolder).toBe(data)
    await end()
    const { io } = await run({ data })
    expect(io.text).toContain(`\nWEBHOOK_SECRET=${secret}\n`)
    expect(io.text).toContain(`\nData              ${data}\n`)
  })

  it('sends events outside this machine only if they are allowed', async () => {
    const intent = { amount: 1, amount_currency: 'EUR', webhook_url: 'https://192.0.2.1/' }
    const path = '/api/v1.4/payments/intent/'
    await (await runJson({ allowRemote: true })).post(path, intent)
    await expect((await runJson({})).post(path, intent)).rejects.toThrow('"code":400')
  })

  it.each([
    [true, 3, 2],
    [false, 2, 1],
    [undefined, 2, 2],
  ])(
    'with checks %s, sends %i requests for an intent over the API, %i for a composed event',
    async (checks, paid, composed) => {
      const endpoint = await Endpoint.start()
      const { post, end } = await runJson(checks === undefined ? {} : { checks })
      const intent = { amount: 1, amount_currency: 'EUR', webhook_url: endpoint.url }
      const { id } = await post('/api/v1.4/payments/intent/', intent)
      await post(`/_sandbox/intents/${id}/pay/`, { card: '4242424242424242' })
      await endpoint.until(paid)
      await post('/_sandbox/compose/', { url: `${endpoint.url}/other`, template: 'intent-processed' })
      await endpoint.until(paid + composed)
      await end()
      expect(endpoint.received).toHaveLength(paid + composed)
    },
  )

  it('answers to the hosts that are allowed', async () => {
    const { url } = await runJson({ allowHost: ['sandbox', 'other:4000'] })
    for (const [host, status] of [
      ['sandbox:1', 200],
      ['other:4000', 200],
      ['other:1', 403],
    ] as const) {
      expect((await send(url, '/', { headers: { Host: host } })).status, host).toBe(status)
    }
  })

  it.each<[SandboxOptions, string]>([
    [{ port: 'http' }, '"port" must be'],
    [{ port: '' }, '"port" must be'],
    [{ timeScale: '0' }, '"timeScale" must be'],
    [{ keep: '0' }, '"keep" must be'],
    [{ bodyStyle: 'json' }, '"bodyStyle" must be'],
    [{ canonicalForm: 'json' }, '"canonicalForm" must be'],
    [{ defaultEndpoint: 'nowhere' }, '"defaultEndpoint" must be'],
    [{ seed: '' }, '"seed" must be'],
    [{ host: '192.0.2.1' }, 'cannot listen on 192.0.2.1, because this machine has no such address.'],
    [{ host: 'nowhere.invalid' }, 'cannot listen on nowhere.invalid, because this machine has no such'],
  ])('refuses %j in one sentence', async (options, words) => {
    expect(await refusalOf(options)).toContain(words)
  })

  it('refuses a data folder that it cannot use, with the reason', async () => {
    const path = file('text\n', 'sandbox.jsonl')
    expect(await refusalOf({ data: dirname(path) })).toBe(
      `Line 1 of ${path} is not JSON. Restore the file, or pass another folder.`,
    )
  })

  it('refuses a port that is in use, or needs other rights', async () => {
    const { url, close } = await startSandbox()
    onTestFinished(close)
    const { port } = new URL(url)
    expect(await refusalOf({ port })).toBe(
      `Port ${port} is in use. Stop the program that listens there, or pass another --port.`,
    )
    failToListen(Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen', port: 80 }))
    expect(await refusalOf({ port: '80' })).toBe(
      'Port 80 needs more rights than this user has. Pass a --port from 1024 on.',
    )
  })

  it('passes on an error that it does not know, with its stack', async () => {
    const error = new Error('unknown')
    failToListen(error)
    await expect(sandbox({}, new FakeIo())).rejects.toBe(error)
  })
})

/** No server can listen until the end of the test. */
function failToListen(error: Error): void {
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    process.nextTick(() => this.emit('error', error))
    return this
  })
  onTestFinished(() => {
    listen.mockRestore()
  })
}

describe('the token of the sandbox', () => {
  it('is made and printed if other machines can reach it', async () => {
    const { io } = await run({ host: '0.0.0.0' })
    const [, url, token] = /^(http:\/\/127\.0\.0\.1:\d+)\/\?token=([\w-]{32})$/m.exec(io.text)!
    const headers = { Authorization: `Bearer ${token!}` }
    expect((await send(url!, '/_sandbox/overview/', { headers })).status).toBe(200)
    expect((await send(url!, '/_sandbox/overview/')).status).toBe(401)
    expect(io.text).toContain(`\nSANDBOX_TOKEN=${token!} npx service-signature trigger`)
  })

  it.each([
    ['SANDBOX_TOKEN', {}, { SANDBOX_TOKEN: TOKEN }, TOKEN],
    ['an empty SANDBOX_TOKEN', {}, { SANDBOX_TOKEN: '' }, undefined],
    ['a file', { tokenFile: () => file(`${TOKEN}\n`) }, { SANDBOX_TOKEN: `${TOKEN}x` }, TOKEN],
  ])('is taken from %s', async (_, { tokenFile }: { tokenFile?: () => string }, env, expected) => {
    const { token } = await runJson(tokenFile === undefined ? {} : { tokenFile: tokenFile() }, env)
    expect(token).toBe(expected)
  })

  it('is refused without being shown if it is too short', async () => {
    const rule = 'must have a token of 16 to 100 letters, digits, "-", "." or "_"'
    expect(await refusalOf({}, { SANDBOX_TOKEN: 'too short' })).toBe(`SANDBOX_TOKEN ${rule}`)
    const path = file('too short\n')
    expect(await refusalOf({ tokenFile: path }, { SANDBOX_TOKEN: TOKEN })).toBe(`${path} ${rule}`)
  })
})
