import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSandbox, type Sandbox } from '@service-signature/sandbox'
import { main } from '../../src/main.js'
import { attemptLine, type PrintedAttempt } from '../../src/sandbox/attempt-line.js'
import { Endpoint, status } from '../../../../sandbox/test/support/endpoint.js'
import { guardedEndpoint } from '../../../../sandbox/test/support/guarded-endpoint.js'
import {
  earlyEndpoint,
  proxiedEndpoint,
  reprintingEndpoint,
  type Mistaken,
} from '../../../../sandbox/test/support/mistaken-endpoints.js'
import { FakeIo } from '../../../terminal/test/support/fake-io.js'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-signature-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  return folder
}

interface Started {
  readonly io: FakeIo
  readonly url: string
  readonly secret: string
  readonly post: (path: string, body: object) => Promise<{ readonly id: string }>
  /** Pays an intent without a `webhook_url`. */
  readonly pay: () => Promise<void>
  readonly end: () => Promise<number>
}

/** The keys that `listen` has in these tests. */
async function seeded(): Promise<Pick<Sandbox, 'apiKeys' | 'secret'>> {
  const { apiKeys, secret, close } = await startSandbox({ seed: 'listen' })
  await close()
  return { apiKeys, secret }
}

/** `listen` on a free port. It ends with the test at the latest. */
async function listen(endpoint: string, ...argv: readonly string[]): Promise<Started> {
  const io = new FakeIo()
  const code = main(['listen', '--forward-to', endpoint, '--port', '0', '--seed', 'listen', ...argv], io)
  const end = () => {
    io.emit('SIGINT')
    return code
  }
  onTestFinished(async () => {
    await end()
  })
  await io.until(1)
  const [, url] = /(?:Open |"url":")(http:\/\/127\.0\.0\.1:\d+)/.exec(io.text)! as unknown as [string, string]
  const { apiKeys, secret } = await seeded()
  const post = async (path: string, body: object) => {
    const headers = { 'X-Api-Key': apiKeys.account, 'Content-Type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
    return ((await answer.json()) as { data: { id: string } }).data
  }
  const pay = async () => {
    const { id } = await post('/api/v1.4/payments/intent/', { amount: 10.5, amount_currency: 'EUR' })
    await post(`/_sandbox/intents/${id}/pay/`, { card: '4242424242424242' })
  }
  return { io, url, secret, post, pay, end }
}

describe('listen', () => {
  it('prints where the page is, the secret to paste and how to make a payment', async () => {
    const { io, url, secret, end } = await listen(
      'http://127.0.0.1:3000/webhooks',
      '--record',
      temporaryFolder(),
    )
    const lines = io.text.split('\n')
    expect(lines[0]).toBe('Forwarding events to http://127.0.0.1:3000/webhooks')
    expect(lines[1]).toMatch(/^Recording deliveries in .*service-signature-/)
    expect(lines[2]).toBe(`Open ${url} to see every delivery. Press Ctrl+C to stop.`)
    // The page has a button of this name.
    expect(lines[3]).toMatch(/^The first payment: press "Pay a test payment" there, or run: npx /)
    expect(lines[3]).toContain(`trigger transaction.purchase.successful --sandbox ${url}`)
    expect(lines).toContain(
      'The secret of your endpoint, the same at the next start (--new-secret makes another):',
    )
    expect(lines).toContain(`WEBHOOK_SECRET=${secret}`)
    expect(await end()).toBe(0)
  })

  it('forwards the events of an intent without a webhook_url, and nothing else', async () => {
    const endpoint = await Endpoint.start()
    const { io, pay, end } = await listen(endpoint.url)
    for (const count of [2, 4]) {
      await pay()
      await io.until(1 + count)
      expect(endpoint.types.slice(count - 2)).toEqual(['transaction.purchase.successful', 'intent.processed'])
    }
    await end()
    expect(endpoint.received).toHaveLength(4)
  })

  it('with --checks, sends a forgery to the endpoint of an intent that was made over the API', async () => {
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(204), status(401), status(204))
    const { io, pay, end } = await listen(endpoint.url, '--checks')
    await pay()
    await io.until(4)
    expect(endpoint.types).toEqual([
      'transaction.purchase.successful',
      'transaction.purchase.successful',
      'intent.processed',
    ])
    expect(io.out[2]).toMatch(
      /transaction\.purchase\.successful {2}dlv_\w+ {2}-> 401 {2}\d+ ms {2}check: forgery refused \(wrong-secret\)\n$/,
    )
    expect(io.out[1]).toMatch(
      /^\d\d:\d\d:\d\d {2}transaction\.purchase\.successful {2}dlv_\w+ {2}-> 204 {2}\d+ ms\n$/,
    )
    expect(io.out[3]).toMatch(/^\d\d:\d\d:\d\d {2}intent\.processed {17}dlv_\w+ {2}-> 204 {2}\d+ ms\n$/)
    await end()
  })

  it.each<[string, number, (secret: string) => Promise<Mistaken>, readonly RegExp[]]>([
    [
      'JSON.stringify(req.body)',
      1,
      reprintingEndpoint,
      [
        /^The body was printed again\. .* at character \d+, .* becomes .*\.$/,
        /^Verify the raw bytes: before express\.json\(\)/,
      ],
    ],
    [
      'another secret',
      0,
      () => guardedEndpoint({ secret: 'of_another_start' }),
      [
        /^Probably another secret\. .* signed with the secret sha256:[\da-f]{8}\./,
        /^Give your endpoint the secret of this sandbox, and restart it\. /,
        /^With the WEBHOOK_SECRET of your endpoint: npx service-signature explain --request http:.*\/deliveries\/dlv_\w+\/$/,
      ],
    ],
    [
      'a proxy that prints the body again',
      1,
      proxiedEndpoint,
      [/^The body was printed again\. /, /a proxy in front of it prints the body again\.$/],
    ],
    [
      'a clock that is an hour ahead',
      0,
      earlyEndpoint,
      [/^Probably the clock of your endpoint\. .* 60 min ahead of the sandbox\./, /^Set the clock /],
    ],
    [
      'a handler that fails',
      0,
      async () => {
        const endpoint = await Endpoint.start()
        endpoint.replyWith(status(500))
        return { url: endpoint.url, handled: [] }
      },
      [/^Its handler, or a body parser\? It answered 500: /, /^Look for the error in the log/],
    ],
    [
      'no program that listens',
      0,
      () => Promise.resolve({ url: 'http://127.0.0.1:1/', handled: [] }),
      [/^Nothing listens at 127\.0\.0\.1:1\. connect ECONNREFUSED 127\.0\.0\.1:1\.$/, /^Start your endpoint/],
    ],
  ])('prints the cause, the fix and the address on the page: %s', async (_, accepted, endpoint, expected) => {
    const { secret } = await seeded()
    const { url: target, handled } = await endpoint(secret)
    const { io, url, pay, end } = await listen(target, '--checks')
    await pay()
    await io.until(2)
    const [line, ...lines] = io.out[1]!.trimEnd().split('\n')
    const [, id] = / {2}(dlv_\w+) {2}-> /.exec(line!)!
    expect(lines).toHaveLength(expected.length + 1)
    for (const [index, pattern] of expected.entries()) expect(lines[index]!.trimStart()).toMatch(pattern)
    expect(lines.at(-1)).toBe(`          ${url}/deliveries/${id!}/`)
    // A copy that shows what the endpoint verifies is accepted.
    expect(handled).toHaveLength(accepted)
    await end()
  })

  it('prints that an endpoint accepts everything', async () => {
    const endpoint = await Endpoint.start()
    const { io, pay, end } = await listen(endpoint.url, '--checks')
    await pay()
    await io.until(3)
    const [line, cause, fix] = io.out[2]!.split('\n')
    expect(line).toMatch(/-> 204 {2}\d+ ms {2}check: forgery accepted \(wrong-secret\)$/)
    expect(cause).toMatch(/^ {10}Your endpoint accepts forgeries\. It answered 204 to a copy/)
    expect(fix).toMatch(/^ {10}Verify first/)
    await end()
  })

  it('says whether a forgery was accepted', async () => {
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(204), status(401), status(204), status(204), status(401))
    const { io, url, pay, post, end } = await listen(endpoint.url, '--checks')
    await pay()
    await io.until(4)
    const [id] = /dlv_\w+/.exec(io.out[1]!)!
    await post(`/_sandbox/deliveries/${id}/resend/`, { tamper: true })
    await post(`/_sandbox/deliveries/${id}/resend/`, { stale: true })
    await io.until(6)
    expect(io.out[4]).toMatch(
      /-> 204 {2}\d+ ms {2}forgery accepted \(tamper\)\n {10}Your endpoint accepts forgeries/,
    )
    expect(io.out[4]!.endsWith(`\n          ${url}/deliveries/${id}/\n`)).toBe(true)
    expect(io.out[5]).toMatch(/-> 401 {2}\d+ ms {2}forgery refused \(stale\)\n$/)
    await end()
  })

  it('records each delivery in a file of its own, with its last attempt', async () => {
    const endpoint = await Endpoint.start()
    const folder = join(temporaryFolder(), 'new', 'recordings')
    const { io, pay, post, end } = await listen(endpoint.url, '--checks', '--record', folder)
    await pay()
    await io.until(4)
    const [id] = /dlv_\w+/.exec(io.out[1]!)!
    endpoint.replyWith(status(200), status(401))
    await post(`/_sandbox/deliveries/${id}/resend/`, {})
    await post(`/_sandbox/deliveries/${id}/resend/`, { tamper: true })
    await end()
    const files = readdirSync(folder).sort()
    const recorded = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown)
    expect(files.map((file) => file.includes(id))).toEqual(
      files[0]!.includes('intent.processed') ? [false, true, true] : [true, true, false],
    )
    expect(recorded).toContainEqual(
      expect.objectContaining({ type: 'transaction.purchase.successful', answer: { status: 200 } }),
    )
    expect(recorded).toContainEqual(expect.objectContaining({ faults: ['tamper'], answer: { status: 401 } }))
    expect(recorded).toContainEqual(
      expect.objectContaining({ type: 'intent.processed', answer: { status: 204 } }),
    )
  })

  it('goes on when a delivery cannot be recorded', async () => {
    const endpoint = await Endpoint.start()
    const folder = join(temporaryFolder(), 'recordings')
    const { io, pay, end } = await listen(endpoint.url, '--record', folder)
    rmSync(folder, { recursive: true })
    await pay()
    await io.until(3)
    expect(io.err.join('')).toMatch(
      /^Cannot record the delivery: ENOENT.*\nCannot record the delivery: ENOENT/,
    )
    expect(await end()).toBe(0)
  })

  it('prints lines of JSON with --json', async () => {
    const { io, pay, end } = await listen('http://127.0.0.1:1/', '--json')
    await pay()
    await io.until(3)
    await end()
    const [start, attempt] = io.text.split('\n').map((line) => JSON.parse(line || '{}') as object)
    expect(start).toHaveProperty('apiKeys')
    expect(attempt).toEqual({
      at: expect.any(Number) as number,
      delivery: expect.stringMatching(/^dlv_/) as string,
      attempt: 1,
      type: 'transaction.purchase.successful',
      url: 'http://127.0.0.1:1/',
      faults: [],
      status: null,
      error: 'connect ECONNREFUSED 127.0.0.1:1',
      durationMs: expect.any(Number) as number,
      isCheck: false,
      cause: expect.objectContaining({ cause: 'not-listening', certainty: 'known' }) as object,
    })
  })

  it('prints a cause of null for what was accepted', async () => {
    const { secret } = await seeded()
    const { url } = await guardedEndpoint({ secret })
    const { io, pay, end } = await listen(url, '--json')
    await pay()
    await io.until(2)
    await end()
    expect(JSON.parse(io.text.split('\n')[1]!)).toMatchObject({ status: 204, cause: null })
  })

  it('has a help that fits a screen', async () => {
    const io = new FakeIo()
    expect(await main(['listen', '--help'], io)).toBe(0)
    for (const line of io.text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  it.each([
    [[], '--forward-to http://localhost:3000/webhooks'],
    [['--forward-to', 'localhost:3000'], '"defaultEndpoint" must be an address with http: or https:'],
    [['--forward-to', 'http://192.0.2.1/'], 'must lead to this machine'],
    [['--forwrad-to', 'x'], '--forwrad-to'],
  ])('%j is wrong use: 2', async (argv, words) => {
    const io = new FakeIo()
    expect(await main(['listen', ...argv], io)).toBe(2)
    expect(io.err.join('')).toContain(words)
  })

  it('a folder that cannot be made is wrong use: 2', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const io = new FakeIo()
    expect(await main(['listen', '--forward-to', 'http://127.0.0.1:1/', '--record', file], io)).toBe(2)
    expect(io.err.join('')).toContain(`Cannot record into ${file}`)
  })

  it('listens on port 4000 without --port, where trigger looks for it', async () => {
    const io = new FakeIo()
    const busy = await startSandbox({ port: 4000 }).catch(() => undefined)
    onTestFinished(async () => busy?.close())
    expect(await main(['listen', '--forward-to', 'http://127.0.0.1:1/'], io)).toBe(2)
    expect(io.err.join('')).toBe(
      'error: Port 4000 is in use. Stop the program that listens there, or pass another --port.\n',
    )
  })
})

describe('A printed attempt', () => {
  const attempt: PrintedAttempt = {
    body: '{"type":"dispute.opened"}',
    at: 0,
    type: 'intent.processed',
    delivery: 'dlv_1',
    faults: [],
    status: 204,
    error: null,
    durationMs: 1.4,
  }
  const green = '\u001b[32m204\u001b[39m'
  const red = '\u001b[31m500\u001b[39m'

  it.each([true, false])('has colors where there are colors: %s', (hasColor) => {
    const io = new FakeIo({ hasColor })
    expect(attemptLine(attempt, io).includes(green)).toBe(hasColor)
    expect(attemptLine({ ...attempt, status: 500 }, io).includes(red)).toBe(hasColor)
  })

  it('says that a forgery was not answered', () => {
    const broken = { ...attempt, faults: ['tamper', 'stale'], status: null, error: 'connect ECONNREFUSED' }
    expect(attemptLine(broken, new FakeIo())).toMatch(
      /-> connect ECONNREFUSED {2}1 ms {2}forgery not answered \(tamper, stale\)$/,
    )
  })

  it('does not let a type or an error command the terminal', () => {
    const line = attemptLine(
      { ...attempt, type: 'a\u001b[2Jb\n', status: null, error: '\u0007c' },
      new FakeIo(),
    )
    expect(line).toContain('a [2Jb ')
    expect(line).toContain('-> c')
  })
})
