import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { Server } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { startSandbox } from '@service-signature/sandbox'
import { main } from '../../src/main.js'
import { Endpoint } from '../../../../sandbox/test/support/endpoint.js'
import { FakeIo } from '../support/fake-io.js'
import { temporaryFolder } from '../../../../sandbox/test/support/folder.js'

async function run(
  ...argv: readonly string[]
): Promise<{ io: FakeIo; end: (signal?: string) => Promise<number> }> {
  const io = new FakeIo()
  const code = main(['sandbox', ...argv], io)
  await once(io, 'written')
  return {
    io,
    end(signal = 'SIGINT') {
      io.emit(signal)
      return code
    },
  }
}

async function refused(...argv: readonly string[]): Promise<{ code: number; err: string; out: string }> {
  const io = new FakeIo()
  const code = await main(['sandbox', ...argv], io)
  return { code, err: io.err.join(''), out: io.out.join('') }
}

describe('main', () => {
  it('prints one line for people, with all that they need', async () => {
    const { io, end } = await run('--seed', 'people')
    const [line] = io.out
    const url = /^The sandbox is at (http:\/\/127\.0\.0\.1:\d+) \| /.exec(line!)![1]!
    const sandbox = await startSandbox({ seed: 'people' })
    const { secret, apiKeys, accountId, close } = sandbox
    expect(line).toBe(
      `The sandbox is at ${url} | account ${accountId} | API key ${apiKeys.account} | public key ${apiKeys.public} | ` +
        `organization key ${apiKeys.organization} | signing secret ${secret}\n`,
    )
    await close()
    expect((await fetch(`${url}/_sandbox/overview/`)).status).toBe(200)
    expect(await end()).toBe(0)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
    expect(io.out).toHaveLength(1)
    expect(io.err).toEqual([])
  })

  it('prints one line of JSON', async () => {
    const { io, end } = await run('--json', '--seed', '7')
    const told = JSON.parse(io.out.join('')) as { url: string }
    const { secret, apiKeys, accountId, close } = await startSandbox({ seed: 7 })
    await close()
    expect(told).toEqual({ url: told.url, secret, apiKeys, accountId })
    expect(io.out[0]).toMatch(/^\{.*\}\n$/)
    expect((await fetch(`${told.url}/openapi.json`)).status).toBe(200)
    await end()
  })

  it.each(['SIGINT', 'SIGTERM'])('ends on %s, and leaves no listener behind', async (signal) => {
    const { io, end } = await run()
    expect(await end(signal)).toBe(0)
    expect([io.listenerCount('SIGINT'), io.listenerCount('SIGTERM')]).toEqual([0, 0])
  })

  it('takes every option', async () => {
    const sandbox = await startSandbox()
    const { port } = new URL(sandbox.url)
    await sandbox.close()
    const { io, end } = await run(
      ...['--port', port, '--host', '127.0.0.1', '--seed', 'a', '--time-scale', '2.5', '--keep', '1000000'],
      ...['--default-endpoint', 'http://127.0.0.1:3000/webhooks'],
      ...['--body-style', 'ecmascript', '--canonical-form', 'python', '--allow-remote', '--json'],
      ...['--default-endpoint', 'http://127.0.0.1:3000/'],
    )
    expect((JSON.parse(io.out.join('')) as { url: string }).url).toBe(`http://127.0.0.1:${port}`)
    await end()
  })

  it('--public-url is the address for people, and not that for programs', async () => {
    const publicUrl = 'http://localhost:4000'
    for (const [argv, expected] of [
      [['--public-url', `${publicUrl}/`], `The sandbox is at ${publicUrl} | `],
      [['--public-url', publicUrl, '--json'], '{"url":"http://127.0.0.1:'],
    ] as const) {
      const { io, end } = await run(...argv)
      expect(io.out.join('').startsWith(expected)).toBe(true)
      await end()
    }
  })

  it('--data keeps the state in a folder, and both lines say where it is', async () => {
    const folder = temporaryFolder()
    const first = await run('--json', '--data', folder)
    const { dataFolder, secret } = JSON.parse(first.io.out.join('')) as { dataFolder: string; secret: string }
    expect(dataFolder).toBe(folder)
    await first.end()
    const second = await run('--data', folder)
    expect(second.io.out.join('')).toMatch(
      new RegExp(` \\| signing secret ${secret} \\| data in ${folder}\n$`),
    )
    await second.end()
  })

  it('a data folder that cannot be used is one plain sentence, and exit code 2', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'sandbox.jsonl')
    writeFileSync(file, 'text\n')
    expect(await refused('--data', folder)).toEqual({
      code: 2,
      err: `error: Line 1 of ${file} is not JSON. Restore the file, or pass another folder.\n`,
      out: '',
    })
  })

  it('--allow-remote lets events out, and nothing else does', async () => {
    for (const [argv, code] of [
      [['--json', '--allow-remote'], 200],
      [['--json'], 400],
    ] as const) {
      const { io, end } = await run(...argv)
      const { url, apiKeys } = JSON.parse(io.out.join('')) as { url: string; apiKeys: { account: string } }
      const answer = await fetch(`${url}/api/v1.4/payments/intent/`, {
        method: 'POST',
        headers: { 'X-Api-Key': apiKeys.account, 'Content-Type': 'application/json' },
        body: JSON.stringify({ amount: 1, amount_currency: 'EUR', webhook_url: 'https://192.0.2.1/' }),
      })
      expect(answer.status).toBe(code)
      await end()
    }
  })

  it.each([
    ['--checks', [3, 2]],
    ['--no-checks', [2, 1]],
    ['--json', [2, 2]],
  ])('with %s, an intent over the API and a composed event are %j requests', async (flag, expected) => {
    const endpoint = await Endpoint.start()
    const { io, end } = await run('--json', flag)
    const { url, apiKeys } = JSON.parse(io.out.join('')) as { url: string; apiKeys: { account: string } }
    const post = async (path: string, body: object) => {
      const headers = { 'X-Api-Key': apiKeys.account, 'Content-Type': 'application/json' }
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return ((await answer.json()) as { data: { id: string } }).data.id
    }
    const [paid, composed] = expected
    const intent = { amount: 1, amount_currency: 'EUR', webhook_url: endpoint.url }
    const id = await post('/api/v1.4/payments/intent/', intent)
    await post(`/_sandbox/intents/${id}/pay/`, { card: '4242424242424242' })
    await endpoint.until(paid!)
    await post('/_sandbox/compose/', { url: `${endpoint.url}/other`, template: 'intent-processed' })
    await endpoint.until(paid! + composed!)
    expect(await end()).toBe(0)
    expect(endpoint.received).toHaveLength(paid! + composed!)
  })

  it('--allow-host can be given several times', async () => {
    const { io, end } = await run('--json', '--allow-host', 'sandbox', '--allow-host', 'other:4000')
    const { port } = new URL((JSON.parse(io.out.join('')) as { url: string }).url)
    for (const [host, status] of [
      ['sandbox:1', 200],
      ['other:4000', 200],
      ['other:1', 403],
    ] as const) {
      const sent = request({ host: '127.0.0.1', port, headers: { host }, agent: false }).end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.resume()
      expect(response.statusCode, host).toBe(status)
    }
    await end()
  })

  it.each([
    [['--prot', '1'], '--prot'],
    [['extra'], 'Too many arguments'],
    [['--port'], '--port'],
    [['--port', 'http'], '"port" must be'],
    [['--port', ''], '"port" must be'],
    [['--port', '70000'], '"port" must be'],
    [['--time-scale', '0'], '"timeScale" must be'],
    [['--keep', '0'], '"keep" must be'],
    [['--body-style', 'json'], '"bodyStyle" must be'],
    [['--default-endpoint', 'nowhere'], '"defaultEndpoint" must be'],
    [['--canonical-form', 'json'], '"canonicalForm" must be'],
    [['--seed', ''], '"seed" must be'],
  ])('%j is wrong use: 2', async (argv, words) => {
    const { code, err, out } = await refused(...argv)
    expect(code).toBe(2)
    expect(err).toContain(words)
    expect(err.trimEnd()).not.toContain('\n    at ')
    expect(out).toBe('')
  })

  it('a port in use is one plain sentence, and exit code 2', async () => {
    const sandbox = await startSandbox()
    const { port } = new URL(sandbox.url)
    expect(await refused('--port', port)).toEqual({
      code: 2,
      err: `error: Port ${port} is in use. Stop the program that listens there, or pass another --port.\n`,
      out: '',
    })
    await sandbox.close()
  })

  it.each(['192.0.2.1', 'nowhere.invalid'])(
    'a --host that is not of this machine (%s) is one plain sentence',
    async (host) => {
      expect(await refused('--host', host)).toEqual({
        code: 2,
        err: `error: The sandbox cannot listen on ${host}, because this machine has no such address. Pass another --host.\n`,
        out: '',
      })
    },
  )

  it('a port without permission is one plain sentence', async () => {
    const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen', port: 80 })
    const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      process.nextTick(() => this.emit('error', error))
      return this
    })
    const outcome = await refused('--port', '80')
    listen.mockRestore()
    expect(outcome).toEqual({
      code: 2,
      err: 'error: Port 80 needs more rights than this user has. Pass a --port from 1024 on.\n',
      out: '',
    })
  })

  it('an error that it does not know is a fault of the command, with its stack', async () => {
    const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      process.nextTick(() => this.emit('error', new Error('unknown')))
      return this
    })
    const { code, err } = await refused()
    expect(code).toBe(70)
    expect(err).toContain('This is a fault of service-signature itself.\nError: unknown\n    at ')
    listen.mockRestore()
  })
})
