import { startSandbox, type Sandbox } from '@service-signature/sandbox'
import { UsageError } from '@service-signature/terminal'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeIo } from '../../../packages/terminal/test/support/fake-io.js'
import { attemptLines, type PrintedAttempt } from '../../command/attempt-line.js'
import { listen, type ListenOptions } from '../../command/listen.js'
import { Endpoint, status } from '../support/endpoint.js'
import { temporaryFolder } from '../support/folder.js'
import { guardedEndpoint } from '../support/guarded-endpoint.js'
import { reprintingEndpoint } from '../support/reprinting-endpoint.js'
import { running } from '../support/running.js'

/** The keys that `listen` has in these tests. */
async function seeded(): Promise<Pick<Sandbox, 'apiKeys' | 'secret'>> {
  const { apiKeys, secret, close } = await startSandbox({ seed: 'listen' })
  await close()
  return { apiKeys, secret }
}

/** `listen` on a free port. */
async function start(forwardTo: string, options: ListenOptions = {}) {
  const given = { forwardTo, port: '0', seed: 'listen', ...options }
  const { io, end } = await running((io) => listen(given, io))
  const [, url] = /(?:Open |"url":")(http:\/\/127\.0\.0\.1:\d+)/.exec(io.text)!
  const { apiKeys, secret } = await seeded()
  const post = async (path: string, body: object) => {
    const headers = { 'X-Api-Key': apiKeys.account, 'Content-Type': 'application/json' }
    const answer = await fetch(url! + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
    return ((await answer.json()) as { data: { id: string } }).data
  }
  /** Pays an intent without a `webhook_url`. */
  const pay = async () => {
    const { id } = await post('/api/v1.4/payments/intent/', { amount: 10.5, amount_currency: 'EUR' })
    await post(`/_sandbox/intents/${id}/pay/`, { card: '4242424242424242' })
  }
  return { io, url: url!, secret, post, pay, end }
}

describe('listen', () => {
  it('prints where the page is, the secret to paste and how to make a payment', async () => {
    const record = temporaryFolder()
    const { io, url, secret, end } = await start('http://127.0.0.1:3000/webhooks', { record })
    expect(io.text.split('\n')).toEqual([
      'Forwarding events to http://127.0.0.1:3000/webhooks',
      `Recording deliveries in ${record}`,
      `Open ${url} to see every delivery. Press Ctrl+C to stop.`,
      // The page has a button of this name.
      `The first payment: press "Pay a test payment" there, or run: npx service-signature trigger transaction.purchase.successful --sandbox ${url}`,
      'The secret of your endpoint, the same at the next start (--new-secret makes another):',
      `WEBHOOK_SECRET=${secret}`,
      '',
      '',
    ])
    expect(await end()).toBe(0)
  })

  it('prints the token if other machines can reach it', async () => {
    const { io } = await start('http://127.0.0.1:3000/', { host: '0.0.0.0' })
    const [, token] = /^Open http:\S+\/\?token=([\w-]{32}) to see every delivery\./m.exec(io.text)!
    expect(io.text).toContain(`run: SANDBOX_TOKEN=${token!} npx service-signature trigger`)
  })

  it('forwards the events of an intent without a webhook_url, and nothing else', async () => {
    const endpoint = await Endpoint.start()
    const { io, pay, end } = await start(endpoint.url)
    for (const count of [2, 4]) {
      await pay()
      await io.until(1 + count)
      expect(endpoint.types.slice(count - 2)).toEqual(['transaction.purchase.successful', 'intent.processed'])
    }
    await end()
    expect(endpoint.received).toHaveLength(4)
  })

  it('with checks, sends a forgery to the endpoint of an intent that was made over the API', async () => {
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(204), status(401), status(204))
    const { io, pay } = await start(endpoint.url, { checks: true })
    await pay()
    await io.until(4)
    const purchase = 'transaction.purchase.successful'
    expect(endpoint.types).toEqual([purchase, purchase, 'intent.processed'])
    expect(io.out[1]).toMatch(/^\d\d:\d\d:\d\d {2}transaction\.\S+ {2}dlv_\w+ {2}-> 204 {2}\d+ ms\n$/)
    expect(io.out[2]).toMatch(/ {2}-> 401 {2}\d+ ms {2}check: forgery refused \(wrong-secret\)\n$/)
    expect(io.out[3]).toMatch(/^\S+ {2}intent\.processed {17}dlv_\w+ {2}-> 204 {2}\d+ ms\n$/)
  })

  it('prints the cause, the fix and the address on the page, once', async () => {
    const { secret } = await seeded()
    const { url: endpoint, handled } = await reprintingEndpoint(secret)
    const { io, url, pay } = await start(endpoint, { checks: true })
    await pay()
    await io.until(3)
    const [line, title, fix, address] = io.out[1]!.trimEnd().split('\n')
    const [, id] = / {2}(dlv_\w+) {2}-> 401/.exec(line!)!
    expect(title).toMatch(/^ {10}The body was re-serialized\. .* at character \d+, .* becomes .*\.$/)
    expect(fix).toMatch(/^ {10}Verify the raw bytes: before express\.json\(\)/)
    expect(address).toBe(`          ${url}/deliveries/${id!}/`)
    expect(io.out[2]).toMatch(/check: forgery accepted \(reprinted\)\n$/)
    // The copy that shows what the endpoint verifies.
    expect(handled).toHaveLength(1)
  })

  it('prints the command that answers the question, if there is one', async () => {
    const { url } = await guardedEndpoint({ secret: 'of_another_start' })
    const { io, pay } = await start(url)
    await pay()
    await io.until(2)
    expect(io.out[1]).toMatch(
      /\n {10}With the WEBHOOK_SECRET of your endpoint: npx service-signature explain --request http:\S+\/deliveries\/dlv_\w+\/\n/,
    )
  })

  it('prints a title that is a question without a full stop, and the error of an endpoint that does not answer', async () => {
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(500))
    const failing = await start(endpoint.url)
    await failing.pay()
    await failing.io.until(2)
    expect(failing.io.out[1]).toMatch(/\n {10}Its handler, or a body parser\? It answered 500: /)
    const silent = await start('http://127.0.0.1:1/')
    await silent.pay()
    await silent.io.until(2)
    expect(silent.io.out[1]).toMatch(
      /-> connect ECONNREFUSED 127\.0\.0\.1:1 {2}\d+ ms\n {10}Nothing listens at /,
    )
  })

  it('prints whether a forgery was accepted', async () => {
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(204), status(401), status(204), status(204), status(401))
    const { io, pay, post } = await start(endpoint.url, { checks: true })
    await pay()
    await io.until(4)
    const [id] = /dlv_\w+/.exec(io.out[1]!)!
    await post(`/_sandbox/deliveries/${id}/resend/`, { tamper: true })
    await post(`/_sandbox/deliveries/${id}/resend/`, { stale: true })
    await io.until(6)
    expect(io.out[4]).toMatch(/ms {2}forgery accepted \(tamper\)\n {10}Your endpoint accepts forgeries\. /)
    expect(io.out[5]).toMatch(/-> 401 {2}\d+ ms {2}forgery refused \(stale\)\n$/)
  })

  it('records each delivery in a file of its own, with its last attempt', async () => {
    const endpoint = await Endpoint.start()
    const record = join(temporaryFolder(), 'new', 'recordings')
    const { io, pay, post, end } = await start(endpoint.url, { checks: true, record })
    await pay()
    await io.until(4)
    const [id] = /dlv_\w+/.exec(io.out[1]!)!
    endpoint.replyWith(status(200), status(401))
    await post(`/_sandbox/deliveries/${id}/resend/`, {})
    await post(`/_sandbox/deliveries/${id}/resend/`, { tamper: true })
    await end()
    const files = readdirSync(record)
    expect(files.filter((file) => file.includes(id))).toHaveLength(2)
    const recorded = files.map((file) => JSON.parse(readFileSync(join(record, file), 'utf8')) as object)
    const purchase = 'transaction.purchase.successful'
    expect(recorded).toHaveLength(3)
    for (const expected of [
      { type: 'intent.processed', answer: { status: 204 } },
      { type: purchase, answer: { status: 200 } },
      { type: purchase, answer: { status: 401 }, faults: ['tamper'] },
    ])
      expect(recorded).toContainEqual(expect.objectContaining(expected))
  })

  it('continues when a delivery cannot be recorded', async () => {
    const endpoint = await Endpoint.start()
    const record = join(temporaryFolder(), 'recordings')
    const { io, pay, end } = await start(endpoint.url, { record })
    rmSync(record, { recursive: true })
    await pay()
    await io.until(3)
    expect(io.errors).toMatch(/^Cannot record the delivery: ENOENT.*\nCannot record the delivery: ENOENT/)
    expect(await end()).toBe(0)
  })

  it('prints lines of JSON with --json', async () => {
    const { io, pay } = await start('http://127.0.0.1:1/', { json: true })
    await pay()
    await io.until(3)
    const [first, attempt] = io.text.split('\n').map((line) => JSON.parse(line || '{}') as object)
    expect(first).toHaveProperty('apiKeys')
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
    const endpoint = await Endpoint.start()
    const accepted = await start(endpoint.url, { json: true })
    await accepted.pay()
    await accepted.io.until(2)
    expect(JSON.parse(accepted.io.out[1]!)).toMatchObject({ status: 204, cause: null })
  })

  it.each<[ListenOptions, string]>([
    [{}, 'Pass the address of your endpoint: --forward-to http://localhost:3000/webhooks'],
    [{ forwardTo: 'localhost:3000' }, '"defaultEndpoint" must be an address with http: or https:'],
    [{ forwardTo: 'http://192.0.2.1/' }, 'must lead to this machine'],
    [{ forwardTo: 'http://127.0.0.1:1/', record: '/dev/null/a' }, 'Cannot record into /dev/null/a: '],
  ])('refuses %j', async (options, words) => {
    const error: unknown = await listen(options, new FakeIo()).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(UsageError)
    expect((error as Error).message).toContain(words)
  })

  it('listens on port 4000 without --port, where trigger looks for it', async () => {
    const busy = await startSandbox({ port: 4000 }).catch(() => undefined)
    onTestFinished(async () => busy?.close())
    await expect(listen({ forwardTo: 'http://127.0.0.1:1/' }, new FakeIo())).rejects.toThrow(
      'Port 4000 is in use. Stop the program that listens there, or pass another --port.',
    )
  })
})

describe('attemptLines', () => {
  const attempt: PrintedAttempt = {
    body: '{"type":"dispute.opened"}',
    at: 0,
    type: 'intent.processed',
    delivery: 'dlv_1',
    faults: [],
    answer: { status: 204 },
    error: null,
    durationMs: 1.4,
    cause: null,
  }
  const lines = (fields: Partial<PrintedAttempt>, hasColor = false) =>
    attemptLines({ ...attempt, ...fields }, 'http://127.0.0.1:4000', new FakeIo({ hasColor }))

  it.each([true, false])('has colors where there are colors: %s', (hasColor) => {
    expect(lines({}, hasColor).includes('\u001b[32m204\u001b[39m')).toBe(hasColor)
    expect(lines({ answer: { status: 500 } }, hasColor).includes('\u001b[31m500\u001b[39m')).toBe(hasColor)
  })

  it('says that a forgery was not answered', () => {
    expect(lines({ faults: ['tamper', 'stale'], answer: null, error: 'connect ECONNREFUSED' })).toMatch(
      /-> connect ECONNREFUSED {2}1 ms {2}forgery not answered \(tamper, stale\)$/,
    )
  })

  it('says why an event of a known family is not recognized, unless it was broken on purpose', () => {
    const body = '{"type":"intent.processed","data":{}}'
    expect(lines({ body })).toMatch(/-> 204 {2}1 ms {2}not recognized: data\.intent_id is missing$/)
    for (const fields of [{}, { body: 'text' }, { body, faults: ['tamper'] }])
      expect(lines(fields)).not.toContain('recognized')
  })
})
