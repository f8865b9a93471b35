import { startSandbox, type SandboxOptions } from '@service-signature/sandbox'
import { UnreachableError, UsageError } from '@service-signature/terminal'
import { createServer, type ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeIo } from '../../../packages/terminal/test/support/fake-io.js'
import { file } from '../../../packages/terminal/test/support/files.js'
import { trigger, type TriggerOptions } from '../../command/trigger.js'
import { Endpoint, status, type Reply } from '../support/endpoint.js'
import { serve } from '../support/serve.js'

const TOKEN = 'a-token-of-the-tests_0123456789'

async function run(event: string | undefined, options: TriggerOptions, env: Record<string, string> = {}) {
  const io = new FakeIo({ env })
  const code = await trigger(event, options, io)
  expect(io.errors).toBe('')
  return { code, out: io.text }
}

async function errorOf(...given: Parameters<typeof run>): Promise<Error> {
  const outcome: unknown = await run(...given).catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(Error)
  return outcome as Error
}

/** A sandbox, and the endpoint that it sends to. */
async function start(options: SandboxOptions = {}) {
  const endpoint = await Endpoint.start()
  const { url, close } = await startSandbox({ defaultEndpoint: endpoint.url, ...options })
  onTestFinished(close)
  return { endpoint, sandbox: url }
}

describe('trigger', () => {
  it('prints the first answer, and ends with 0 if it is accepted, 1 if not', async () => {
    const { endpoint, sandbox } = await start()
    endpoint.replyWith(status(204), status(401))
    const accepted = await run('transaction.purchase.successful', { sandbox })
    expect(accepted.code).toBe(0)
    expect(accepted.out).toMatch(/^\d\d:\d\d:\d\d 204 [ \d]+ ms transaction\.purchase\.successful dlv_\w+\n$/)
    expect(await run('dispute.opened', { sandbox })).toMatchObject({ code: 1 })
    const silent = await run('dispute.opened', { sandbox, url: 'http://127.0.0.1:1/' })
    expect(silent.code).toBe(1)
    expect(silent.out).toMatch(/^\S+ --- .*\n {9}Nothing listens at 127\.0\.0\.1:1\. connect ECONNREFUSED/)
    expect(endpoint.types).toEqual(['transaction.purchase.successful', 'dispute.opened'])
  })

  it('says of a forged copy that the endpoint refused it, as it must', async () => {
    const { endpoint, sandbox } = await start({ checks: 'own' })
    endpoint.replyWith(status(204), status(401))
    const { code, out } = await run('transaction', { sandbox })
    expect(code).toBe(0)
    const [, copy, said] = out.split('\n')
    expect(copy).toMatch(/^\S+ 401 .* dlv_\w+$/)
    expect(said).toBe(
      '         Check: Refused, as it must: it was signed with another secret, and your endpoint answered 401.',
    )
  })

  it('prints a cause with fix, command and address on the page, once for a burst', async () => {
    const { endpoint, sandbox } = await start({ checks: 'own' })
    endpoint.replyWith(status(401))
    const reached = sandbox.replace('127.0.0.1', 'localhost')
    const { code, out } = await run('transaction', { sandbox: reached, count: '3' })
    expect(code).toBe(1)
    expect(out.match(/^\S+ 401 /gm)).toHaveLength(3)
    const lines = out.split('\n')
    // The copy that was signed over the re-serialized body was refused, too.
    expect(lines[1]).toMatch(
      /^ {9}Probably another secret, or a changed body\. This delivery is valid, .* was refused, too\.$/,
    )
    expect(lines[2]).toBe('         It says: no')
    expect(lines[3]).toMatch(/^ {9}Give your endpoint the secret of this sandbox/)
    expect(lines[4]).toBe('         With the WEBHOOK_SECRET of your endpoint, run:')
    expect(lines[5]).toBe(`npx service-signature explain --request ${lines[6]!}`)
    expect(lines[6]).toMatch(/^http:\/\/localhost:\d+\/deliveries\/dlv_\w+\/$/)
    expect(out.match(/Give your endpoint the secret/g)).toHaveLength(1)
    expect(out.match(/^ {9}Same cause as above: Probably another secret, or a changed body$/gm)).toHaveLength(
      2,
    )
    expect(out).toMatch(/\n3 deliveries: 0 accepted, 3 not\n$/)
  })

  it('prints the answers in the order in which the deliveries were sent', async () => {
    const { endpoint, sandbox } = await start()
    let answerFirst!: () => void
    const first: Reply = (response) => {
      answerFirst = () => response.writeHead(500).end()
    }
    const last: Reply = (response) => {
      response.writeHead(204).end()
      answerFirst()
    }
    endpoint.replyWith(first, status(204), last)
    const { code, out } = await run('dispute.opened', { sandbox, count: '3' })
    expect(code).toBe(1)
    expect(out.match(/(?<=^\S+ )\d+/gm)).toEqual(['500', '204', '204'])
    expect(out).toMatch(/\n3 deliveries: 2 accepted, 1 not\n$/)
  })

  it('passes on the sequence and the delay', async () => {
    const { endpoint, sandbox } = await start()
    const delayed = await run('dispute.opened', { sandbox, sequence: 'delayed', delay: '0' })
    expect(delayed.code).toBe(0)
    const { out } = await run('intent', { sandbox, sequence: 'duplicate' })
    expect(out).toMatch(/\n2 deliveries: 2 accepted, 0 not\n$/)
    expect(endpoint.types).toEqual(['dispute.opened', 'intent.processed', 'intent.processed'])
    const twice = await errorOf('intent', { sandbox, sequence: 'twice' })
    expect(twice).toBeInstanceOf(UsageError)
    expect(twice.message).toMatch(/^The sandbox refused it: .*\n {2}sequence must be /)
  })

  it.each(['transaction', 'transaction.purchase.successful', 'purchase-successful'])(
    'knows a purchase by each of its names: %s',
    async (name) => {
      const { endpoint, sandbox } = await start()
      expect(await run(name, { sandbox })).toMatchObject({ code: 0 })
      expect(endpoint.types).toEqual(['transaction.purchase.successful'])
    },
  )

  it('changes fields of a template, each amount as it is written', async () => {
    const { endpoint, sandbox } = await start()
    const { out } = await run('intent', { sandbox, set: ['amount=20', 'data.intent.id=int_1'] })
    expect(out).not.toContain('recognized')
    const body = endpoint.received[0]!.bytes.toString()
    // The sandbox prints it as Python does.
    expect(body).toContain('"amount":20.0,')
    const { intent } = (JSON.parse(body) as { data: { intent: object } }).data
    expect(intent).toMatchObject({ id: 'int_1', amount: 20, active_transaction: { amount: '20.00' } })
    await run('dispute.opened', { sandbox, set: ['amount=10.00', 'type=\u00e9'] })
    const written = endpoint.received[1]!.bytes.toString()
    expect(written).toMatch(/"type":\s*"\\u00e9"/)
    expect(written).toMatch(/"value":\s*10\.00,/)
  })

  it('sends a file byte for byte, unless fields are changed', async () => {
    const { endpoint, sandbox } = await start()
    const text = '{ "type": "a",  "amount": 10.0 }\n'
    await run(file(text, 'event.json'), { sandbox })
    await run(file(text, 'event.json'), { sandbox, set: ['amount=7'] })
    expect(endpoint.received[0]!.bytes.toString()).toBe(text)
    expect(endpoint.events[1]).toEqual({ type: 'a', amount: 7 })
  })

  it('ends with 1 if a fault of the sandbox loses the delivery, and says so', async () => {
    const { endpoint, sandbox } = await start()
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ deliveries: { lost: true } })
    const set = await fetch(`${sandbox}/_sandbox/faults/`, { method: 'PUT', headers, body })
    expect(set.status).toBe(200)
    const { code, out } = await run('intent', { sandbox, count: '2' })
    expect(code).toBe(1)
    const line = 'intent\\.processed dlv_\\w+ was never sent, because the fault "Lost" is set\n'
    expect(out).toMatch(new RegExp(`^(?:${line}){2}2 deliveries: 0 accepted, 2 not\n$`))
    expect(endpoint.received).toEqual([])
  })

  it('lists the templates by group', async () => {
    const { endpoint, sandbox } = await start()
    const { code, out } = await run(undefined, { sandbox, list: true })
    expect(code).toBe(0)
    expect(out).toMatch(
      /^Events\n {2}purchase-successful {2}A purchase that succeeded\n(?: {2}\S.*\n)+\nUnknown\n/,
    )
    expect(endpoint.received).toEqual([])
  })

  it('reads SANDBOX_TOKEN, or the token within the printed address, and shows neither', async () => {
    const { endpoint, sandbox } = await start({ token: TOKEN })
    const outcomes = [
      await run('intent', { sandbox }, { SANDBOX_TOKEN: TOKEN }),
      await run('intent', { sandbox: `${sandbox}/?token=${TOKEN}` }, { SANDBOX_TOKEN: 'of-another-sandbox' }),
    ]
    for (const { code, out } of outcomes) expect([code, out.includes(TOKEN)]).toEqual([0, false])
    for (const [env, fault] of [
      [{}, 'needs its token'],
      [{ SANDBOX_TOKEN: `${TOKEN}x` }, 'has another token'],
    ] as const) {
      expect((await errorOf('intent', { sandbox }, env)).message).toBe(
        `The sandbox at ${sandbox} ${fault}. ` +
          'Set SANDBOX_TOKEN to its token, or pass the address that it printed, with ?token=...',
      )
    }
    expect(endpoint.types).toEqual(['intent.processed', 'intent.processed'])
  })

  it.each<[string | undefined, Partial<TriggerOptions>, string]>([
    [undefined, {}, 'Name one event, such as intent.processed. --list prints what there is.'],
    ['a', { sandbox: `127.0.0.1:4000/?token=${TOKEN}` }, 'http://127.0.0.1:4000, got 127.0.0.1:4000/'],
    ['a', { sandbox: `localhost:4000/?token=${TOKEN}` }, 'http://127.0.0.1:4000, got localhost:4000/'],
    ['purchase', {}, 'There is no event "purchase". --list prints what there is'],
    ['missing.json', {}, 'Cannot read missing.json: there is no such file.'],
    ['dispute.opened', { count: 'many' }, '--count must be a whole number, 1 or above, got "many"'],
    ['dispute.opened', { delay: 'long' }, '--delay must be a whole number of milliseconds'],
    ['dispute.opened', { set: ['x'] }, '--set must be path=value'],
  ])('refuses %s with %j, and sends nothing', async (event, options, words) => {
    const { endpoint, sandbox } = await start()
    const error = await errorOf(event, { sandbox, ...options })
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toContain(words)
    expect(error.message).not.toContain(TOKEN)
    expect(endpoint.received).toEqual([])
  })

  it('refuses to change a file that is not JSON', async () => {
    const { sandbox } = await start()
    const path = file('oops', 'event.json')
    const error = new UsageError(`${path} is not JSON, so --set cannot change it.`)
    expect(await errorOf(path, { sandbox, set: ['a=1'] })).toEqual(error)
  })
})

const ATTEMPT = {
  verdict: 'accepted',
  verdict_text: 'Your endpoint accepted it: it answered 204.',
  ...{ at: '2025-03-27T15:41:20.371000Z', body: '{}', faults: [], duration_ms: 12 },
  ...{ answer: { status: 204 }, error: null, cause: null },
}
const DELIVERY = { type: 'dispute.opened', status: 'delivered', next_attempt_at: null, attempts: [ATTEMPT] }
const TEMPLATE = { name: 'a', title: 'A', group: 'Events', type: 'dispute.opened', payload: {} }

/** Answers as a sandbox whose only delivery is dlv_1, by path, but with what the test decides. */
async function imitate(
  answers: Record<string, (stream: ServerResponse) => unknown>,
  refusal?: object,
): Promise<TriggerOptions> {
  let stream!: ServerResponse
  const all: typeof answers = {
    'templates/': () => [TEMPLATE],
    'compose/': () => ({ deliveries: [{ id: 'dlv_1' }] }),
    'deliveries/dlv_1/': () => DELIVERY,
    ...answers,
  }
  const server = createServer((request, response) => {
    const path = request.url!.replace('/_sandbox/', '')
    if (path === 'stream') {
      stream = response
      stream.write(': listening\n\n')
      return
    }
    const isRefused = path === 'compose/' && refusal !== undefined
    const text = JSON.stringify({ status: isRefused ? refusal : {}, data: all[path]!(stream) })
    response.writeHead(isRefused ? 400 : 200).end(text)
  })
  return { sandbox: await serve(server) }
}

describe('trigger with a server that is not as expected', () => {
  it('asks again only after a change of a delivery, however the stream is cut', async () => {
    let asked = 0
    const options = await imitate({
      'deliveries/dlv_1/'(stream) {
        if (++asked > 1) return DELIVERY
        stream.write('data: {"kind":"intent","id":"int_1"}\n\ndata: {"kind":"delive')
        stream.write('ry","id":"dlv_1"}\n\n')
        return { ...DELIVERY, attempts: [] }
      },
    })
    expect(await run('a', options)).toMatchObject({ code: 0 })
    expect(asked).toBe(2)
  })

  it.each(['end', 'destroy'] as const)(
    'ends with 3 if the stream ends before the answer (%s)',
    async (end) => {
      const options = await imitate({
        'deliveries/dlv_1/'(stream) {
          stream[end]()
          return { ...DELIVERY, attempts: [] }
        },
      })
      const error = new UnreachableError('The sandbox ended before the endpoint answered.')
      expect(await errorOf('a', options)).toEqual(error)
    },
  )

  it('ends with 3 if nothing listens, and says how to start a sandbox', async () => {
    const start = 'Start it: npx service-signature listen --forward-to <url of your endpoint>'
    const error = new UnreachableError(`There is no sandbox at http://127.0.0.1:1. ${start}`)
    expect(await errorOf('a', { sandbox: 'http://127.0.0.1:1' })).toEqual(error)
  })

  it('ends with 3 if another program answers, and prints its status without what commands the terminal', async () => {
    const server = createServer((_, response) => {
      // Node refuses to send this, so the bytes of U+009B are written to the socket.
      const head = 'HTTP/1.1 404 No \u00c2\u009b31m\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
      response.socket!.end(head, 'latin1')
    })
    const sandbox = await serve(server)
    const error = await errorOf('a', { sandbox })
    expect(error).toBeInstanceOf(UnreachableError)
    expect(error.message).toMatch(/ is not a sandbox: it answered 404 No .*31m\.$/)
    expect(error.message).not.toMatch(/\p{Cc}/u)
  })

  // A title of the window, a color, the other direction, a color in one byte, and a line of its own.
  const COMMANDS = 'no \u001b]0;pwned\u0007\u001b[31m\u202e\u009b31m\r\nFAKE: accepted'
  const cause = { title: COMMANDS, detail: COMMANDS, fix: COMMANDS, command: COMMANDS }
  const attempt = { ...ATTEMPT, answer: null, verdict_text: COMMANDS, faults: [COMMANDS], cause }

  const delivery = { ...DELIVERY, type: COMMANDS, attempts: [attempt] }
  const template = { ...TEMPLATE, name: COMMANDS, title: COMMANDS, group: COMMANDS }

  it.each<[string, object, Parameters<typeof imitate>, lines: number]>([
    ['a refusal', {}, [{}, { message: COMMANDS, errors: [{ [COMMANDS]: COMMANDS }, { count: 7 }] }], 3],
    ['a list', { list: true }, [{ 'templates/': () => [template] }], 2],
    ['a delivery and its cause', {}, [{ 'deliveries/dlv_1/': () => delivery }], 7],
  ])('prints nothing of %s that commands the terminal', async (_, options, answers, lines) => {
    const printed = await run('dispute.opened', { ...(await imitate(...answers)), ...options }).then(
      ({ out }) => out,
      (error: unknown) => (error as Error).message,
    )
    expect(printed).toContain('FAKE')
    expect(printed).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(printed).not.toMatch(/^FAKE/m)
    expect(printed.trimEnd().split('\n')).toHaveLength(lines)
  })
})
