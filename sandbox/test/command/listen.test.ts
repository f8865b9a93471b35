import { startSandbox, type Sandbox } from '@service-signature/sandbox'
import { UsageError } from '@service-signature/terminal'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeIo } from '../../../packages/terminal/test/support/fake-io.js'
import { AttemptLines, type PrintedAttempt } from '../../command/attempt-line.js'
import { listen, type ListenOptions } from '../../command/listen.js'
import { caller } from '../support/call.js'
import { Endpoint, status } from '../support/endpoint.js'
import { temporaryFolder } from '../support/folder.js'
import { reprintingEndpoint } from '../support/express-endpoints.js'
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
  const [, url] = /(?:^|"url":")(http:\/\/127\.0\.0\.1:\d+)/m.exec(io.text)!
  const { apiKeys } = await seeded()
  const { post } = caller({ url: url!, apiKeys })
  /** Pays an intent without a `webhook_url`. */
  const pay = async () => {
    const { id } = await post('/api/v1.4/payments/intent/', { amount: 10.5, amount_currency: 'EUR' })
    await post(`/_sandbox/intents/${id}/pay/`, { card: '4242424242424242' })
  }
  return { io, url: url!, post, pay, end }
}

describe('listen', () => {
  it('prints the steps of "sandbox" with the address of the endpoint, and where it records', async () => {
    const record = temporaryFolder()
    const { io, url, end } = await start('http://127.0.0.1:3000/webhooks', { record })
    expect(io.text).toContain(
      '\n2. The address of your endpoint, where events go:\nhttp://127.0.0.1:3000/webhooks\n\n3. ',
    )
    const command = `npx service-signature trigger transaction.purchase.successful --sandbox ${url}`
    expect(io.text).toContain(`\n${command}\n\nRecording deliveries in ${record}\n`)
    expect(await end()).toBe(0)
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

  it('prints the cause, the fix and the address on the page, once', async () => {
    const { secret } = await seeded()
    const { url: endpoint, handled } = await reprintingEndpoint(secret)
    const { io, url, pay } = await start(endpoint, { checks: true })
    await pay()
    await io.until(4)
    const [line, title, said, fix, address] = io.out[1]!.trimEnd().split('\n')
    const [, id] = / 401 .* (dlv_\w+)$/.exec(line!)!
    expect(title).toMatch(/^ {9}The body was re-serialized\. .* at character \d+, .* becomes .*\.$/)
    expect(said).toBe('         It says: Unauthorized')
    expect(fix).toMatch(/^ {9}Verify the raw bytes: before express\.json\(\)/)
    expect(address).toBe(`${url}/deliveries/${id!}/`)
    expect(io.out[2]).toMatch(
      /^\S+ 204 .*\n {9}Check: Your endpoint accepted a forgery: its signature was that of the re-serialized/,
    )
    expect(io.out[3]).toMatch(/^\S+ 401 .*\n {9}Check: Refused, as it must/)
    // The copy that shows what the endpoint verifies.
    expect(handled).toHaveLength(1)
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
      verdict: 'no-answer',
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

  it('listens on port 4000 without --port, where trigger looks for it, or else on the next free one', async () => {
    const busy = await startSandbox({ port: 4000 }).catch(() => undefined)
    onTestFinished(async () => busy?.close())
    const { io } = await running((io) => listen({ forwardTo: 'http://127.0.0.1:1/' }, io))
    const [, port] = /^Port 4000 is in use; this is port (40\d\d)\.$/m.exec(io.errors)!
    expect(io.text).toContain(`\nhttp://127.0.0.1:${port!}\n`)
  })
})

describe('AttemptLines', () => {
  const attempt: PrintedAttempt = {
    body: '{"type":"dispute.opened"}',
    at: 0,
    type: 'transaction.purchase.successful',
    delivery: 'dlv_2032d6242888d430a73cafb6',
    faults: [],
    answer: { status: 204 },
    verdict: 'accepted',
    verdictText: 'Your endpoint accepted it: it answered 204.',
    durationMs: 998.6,
    cause: null,
  }
  const page = 'http://127.0.0.1:4000'
  const lines = (fields: Partial<PrintedAttempt>, hasColor = false) =>
    new AttemptLines(page, new FakeIo({ hasColor, width: 80 })).of({ ...attempt, ...fields })
  const cause = {
    title: 'T',
    detail: 'words '.repeat(30).trim(),
    said: 'no '.repeat(60),
    fix: 'words '.repeat(30),
  }

  it('are no longer than the terminal, but for commands and addresses', () => {
    const command = `npx service-signature explain --request ${page}/deliveries/${attempt.delivery}/`
    const printed = lines({ cause: { ...cause, command }, faults: ['tamper'], durationMs: 6100 }).split('\n')
    expect(printed.filter((line) => line.length > 80)).toEqual([command])
    expect(printed[0]).toContain(' 204  6.1 s transaction')
    expect(printed.at(-1)).toBe(`${page}/deliveries/${attempt.delivery}/`)
  })

  it('have the cause once, until a delivery is handled as it must be', () => {
    const printer = new AttemptLines(page, new FakeIo())
    const print = (fields: Partial<PrintedAttempt>) => printer.of({ ...attempt, ...fields })
    expect(print({ cause: { ...cause, title: 'Q?' } })).toContain('Q? words')
    expect(print({ cause })).toContain('T. words')
    expect(print({ cause })).toMatch(/\n {9}Same cause as above: T$/)
    const check = { isCheck: true, faults: ['stale'], cause } as const
    expect(print(check)).toMatch(/\n {9}Check: Your endpoint accepted it: it answered 204\.$/)
    expect(print(check)).toMatch(/\n {9}Check: the same as above$/)
    print({})
    expect(print({ cause })).toContain('T. words')
  })

  it.each([
    ['accepted', [], 204, '32'],
    ['accepts-forgeries', [], 204, '31'],
    ['refused', [], 401, '31'],
    ['accepted-forgery', ['tamper'], 204, '31'],
    ['refused-forgery', ['tamper'], 401, '32'],
    ['refused-forgery', ['tamper'], 500, '31'],
    ['refused-forgery', ['tamper'], 404, '31'],
  ] as const)('%s, %j, %i has the color %s', (verdict, faults, code, color) => {
    const fields = { verdict, faults, answer: { status: code } }
    expect(lines(fields, true)).toContain(`\u001b[${color}m${code}\u001b[39m`)
    expect(lines(fields)).not.toContain('\u001b')
  })

  it('say why an event of a known family is not recognized, unless it was broken on purpose', () => {
    const body = '{"type":"intent.processed","data":{}}'
    expect(lines({ body })).toMatch(/\n {9}Not recognized: data\.intent_id is missing\.$/)
    for (const fields of [{}, { body: 'text' }, { body, faults: ['tamper'] }])
      expect(lines(fields)).not.toContain('recognized')
  })
})
