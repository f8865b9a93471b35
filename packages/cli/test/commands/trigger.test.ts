import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSandbox } from '@service-signature/sandbox'
import { main } from '../../src/main.js'
import { ControlServer } from '../support/control-server.js'
import { Endpoint, status } from '../../../../sandbox/test/support/endpoint.js'
import { FakeIo } from '../../../terminal/test/support/fake-io.js'

interface Paid {
  readonly transactions_history: readonly { readonly amount: string }[]
}

interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function trigger(...argv: readonly string[]): Promise<Outcome> {
  const io = new FakeIo()
  const code = await main(['trigger', ...argv], io)
  return { code, out: io.text, err: io.err.join('') }
}

function file(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-signature-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** A server that was answered before the stream announced anything. */
async function answering(status: number): Promise<ControlServer> {
  const control = await ControlServer.start()
  control.attempt('dlv_1', { status })
  return control
}

describe('trigger', () => {
  it('prints the first answer, and ends with 0 if it is accepted', async () => {
    const control = await answering(204)
    const outcome = await trigger('transaction.purchase.successful', '--sandbox', control.url)
    expect(outcome).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^\d\d:\d\d:20 {2}intent\.processed {17}dlv_1 {2}-> 204 {2}12 ms\n$/,
      ) as string,
      err: '',
    })
    expect(control.composed).toEqual([{ template: 'purchase-successful' }])
  })

  it('ends with 1 if it is refused, or if the endpoint does not answer', async () => {
    const refusing = await answering(401)
    expect(await trigger('unknown-family', '--sandbox', refusing.url)).toMatchObject({ code: 1, err: '' })
    const silent = await ControlServer.start()
    silent.attempt('dlv_1', { error: 'connect ECONNREFUSED' })
    const outcome = await trigger('dispute.opened', '--sandbox', silent.url)
    expect(outcome.code).toBe(1)
    expect(outcome.out).toContain('-> connect ECONNREFUSED')
  })

  it('prints the cause, the fix and the address on the page, once for a burst', async () => {
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(401))
    const sandbox = await startSandbox({ defaultEndpoint: endpoint.url, checks: 'own' })
    onTestFinished(() => sandbox.close())
    const once = await trigger('transaction', '--sandbox', sandbox.url)
    expect(once.code).toBe(1)
    const lines = once.out.split('\n')
    // The copy that was signed over the body printed again was refused, too.
    expect(lines[1]).toMatch(/^ {10}Probably another secret\. This delivery is valid, .* was refused, too\.$/)
    expect(lines[2]).toMatch(/^ {10}Give your endpoint the secret of this sandbox/)
    expect(lines[3]).toMatch(/^ {10}With the WEBHOOK_SECRET of your endpoint: npx service-signature explain/)
    expect(lines[4]).toMatch(/^ {10}http:\/\/127\.0\.0\.1:\d+\/deliveries\/dlv_\w+\/$/)
    const { out } = await trigger('transaction', '--count', '3', '--sandbox', sandbox.url)
    expect(out.match(/-> 401/g)).toHaveLength(3)
    expect(out.match(/Give your endpoint the secret/g)).toHaveLength(1)
  })

  it('waits for what the stream announces, and prints the answers in the order of sending', async () => {
    const control = await ControlServer.start()
    control.ids = ['dlv_1', 'dlv_2', 'dlv_3', 'dlv_4']
    const steps = [
      () => {
        control.announce('data: {"kind":"intent","id":"int_1"}\n\ndata: {"kind":"delivery","id":"dlv_9"}\n\n')
        control.attempt('dlv_2', { status: 204 })
        control.announce('data: {"kind":"delive')
        control.announce('ry","id":"dlv_2"}\n\n')
      },
      () => {
        control.attempt('dlv_1', { status: 200 })
        control.attempt('dlv_3', { status: 500 })
        control.announce('data: {"kind":"delivery","ids":["dlv_1","dlv_3","dlv_2"]}\n\n')
      },
      () => {
        control.attempt('dlv_4', { status: 204 })
        control.announce('data: {"kind":"delivery"}\n\n')
      },
    ]
    // With each change it asks for the first one whose answer is missing.
    const ends = ['deliveries/dlv_1/', 'deliveries/dlv_1/', 'deliveries/dlv_4/']
    control.afterAnswer = (path) => {
      if (path !== ends[0]) return
      ends.shift()
      steps.shift()!()
    }
    const { code, out } = await trigger('dispute.opened', '--sandbox', control.url)
    expect(code).toBe(1)
    expect(out.match(/dlv_\d/g)).toEqual(['dlv_1', 'dlv_2', 'dlv_3', 'dlv_4'])
    expect(out).toMatch(/\n4 deliveries: 3 accepted, 1 not\n$/)
  })

  it('passes on the endpoint, the sequence and the number', async () => {
    const control = await answering(204)
    const common = ['dispute.opened', '--sandbox', control.url]
    await trigger(...common, '--url', 'http://127.0.0.1:3000/', '--count', '50')
    await trigger(...common, '--sequence', 'delayed', '--delay', '500')
    expect(control.composed).toEqual([
      { template: 'unknown-family', url: 'http://127.0.0.1:3000/', sequence: 'burst', count: 50 },
      { template: 'unknown-family', sequence: 'delayed', delay_ms: 500 },
    ])
  })

  it.each(['transaction', 'transaction.purchase.successful', 'purchase-successful'])(
    'knows a purchase by each of its names: %s',
    async (name) => {
      const control = await answering(204)
      expect(await trigger(name, '--sandbox', control.url)).toMatchObject({ code: 0 })
      expect(control.composed).toEqual([{ template: 'purchase-successful' }])
    },
  )

  it('says if an event of a known family is not recognized, and why', async () => {
    const control = await ControlServer.start()
    control.attempt('dlv_1', { status: 204, body: '{"type":"intent.processed","data":{}}' })
    const { code, out } = await trigger('dispute.opened', '--sandbox', control.url)
    expect(code).toBe(0)
    expect(out).toMatch(/-> 204 {2}12 ms {2}not recognized: data\.intent_id is missing\n$/)
  })

  it.each([
    ['of an unknown family', { body: '{"type":"dispute.opened"}' }],
    ['that is not JSON', { body: 'text' }],
    ['that was broken on purpose', { body: '{"type":"intent.processed"}', faults: ['tamper'] }],
  ])('says nothing of the kind about an event %s', async (_what, fields) => {
    const control = await ControlServer.start()
    control.attempt('dlv_1', { status: 204, ...fields })
    const { out } = await trigger('dispute.opened', '--sandbox', control.url)
    expect(out).toContain('-> 204')
    expect(out).not.toContain('recognized')
  })

  it.each(['intent-processed', 'intent.processed', 'intent'])(
    'sends an event that is recognized, with one amount everywhere, after --set amount=20: %s',
    async (name) => {
      const endpoint = await Endpoint.start()
      const sandbox = await startSandbox({ defaultEndpoint: endpoint.url })
      onTestFinished(() => sandbox.close())
      const outcome = await trigger(name, '--set', 'amount=20', '--sandbox', sandbox.url)
      expect(outcome).toMatchObject({ code: 0, err: '' })
      expect(outcome.out).not.toContain('recognized')
      const body = endpoint.received[0]!.bytes.toString()
      const { intent } = (JSON.parse(body) as { data: { intent: Paid } }).data
      expect(body).toContain('"amount":20.0,')
      expect(intent).toMatchObject({ amount: 20, active_transaction: { amount: '20.00' } })
      expect(intent.transactions_history.map(({ amount }) => amount)).toEqual(['20.00'])
    },
  )

  it('sends an event that --set breaks, and the line says so', async () => {
    const endpoint = await Endpoint.start()
    const sandbox = await startSandbox({ defaultEndpoint: endpoint.url })
    onTestFinished(() => sandbox.close())
    const path = 'data.intent.amount=x'
    const { out } = await trigger('intent.processed', '--set', path, '--sandbox', sandbox.url)
    expect(out).toContain('  not recognized: data.intent.amount must be a finite number, got a string\n')
  })

  it('changes fields of a template', async () => {
    const control = await answering(204)
    const argv = ['purchase-successful', '--set', 'amount=20', '--set', 'type=intent.processed']
    await trigger(...argv, '--sandbox', `${control.url}/`)
    expect(control.composed).toEqual([
      { payload: { type: 'intent.processed', intent: { amount: { value: 20, currency: 'EUR' } } } },
    ])
  })

  it('sends a number of --set as it is written', async () => {
    const control = await answering(204)
    const path = file('event.json', '{"type":"a","amount":1}')
    await trigger(path, '--sandbox', control.url, '--set', 'amount=10.00', '--set', 'type=\u00e9')
    expect(control.composed).toEqual([{ text: '{"type":"\\u00e9","amount":10.00}' }])
  })

  it('sends a file byte for byte, unless fields are changed', async () => {
    const control = await answering(204)
    const path = file('event.json', '{ "type": "a",  "amount": 10.0 }\n')
    await trigger(path, '--sandbox', control.url)
    await trigger(path, '--sandbox', control.url, '--set', 'amount=7')
    expect(control.composed).toEqual([
      { text: '{ "type": "a",  "amount": 10.0 }\n' },
      { payload: { type: 'a', amount: 7 } },
    ])
  })

  it('--list prints the templates by group', async () => {
    const control = await ControlServer.start()
    expect(await trigger('--list', '--sandbox', control.url)).toEqual({
      code: 0,
      out:
        'Events\n  purchase-successful  A successful purchase\n\n' +
        'Unknown\n  unknown-family       An unknown family\n',
      err: '',
    })
  })

  it('has a help that fits a screen', async () => {
    const { code, out } = await trigger('--help')
    expect(code).toBe(0)
    expect(out.split('\n').length).toBeLessThanOrEqual(24)
    for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  })
})

describe('trigger ends with 2', () => {
  it.each([
    [[], 'Name one event'],
    [['a', 'b'], 'Too many arguments'],
    [['a', '--sandbox', 'here'], '--sandbox must be an address such as http://127.0.0.1:4000, got here'],
    [['a', '--contu', '1'], '--contu'],
  ])('for %j, without asking the sandbox', async (argv, words) => {
    const { code, err, out } = await trigger(...argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(words)
  })

  it.each([
    [['purchase'], 'There is no event "purchase". --list prints what there is'],
    [['missing.json'], 'Cannot read missing.json: ENOENT'],
    [['dispute.opened', '--count', 'many'], '--count must be a whole number, 1 or above, got "many"'],
    [['dispute.opened', '--set', 'x'], '--set must be path=value'],
  ])('for %j', async (argv, words) => {
    const control = await ControlServer.start()
    const { code, err } = await trigger(...argv, '--sandbox', control.url)
    expect(code).toBe(2)
    expect(err).toContain(words)
    expect(control.composed).toEqual([])
  })

  it('for a change of a file that is not JSON', async () => {
    const control = await ControlServer.start()
    const path = file('event.json', 'oops')
    const { code, err } = await trigger(path, '--set', 'a=1', '--sandbox', control.url)
    expect({ code, err }).toEqual({
      code: 2,
      err: `error: ${path} is not JSON, so --set cannot change it.\n`,
    })
  })

  it('with the words of the sandbox, if that refuses it', async () => {
    const control = await ControlServer.start()
    control.refusal = {
      code: 400,
      message: 'The request is not valid',
      errors: [{ count: 'must be <= 500' }],
    }
    const { code, err } = await trigger('dispute.opened', '--count', '501', '--sandbox', control.url)
    expect({ code, err }).toEqual({
      code: 2,
      err: 'error: The sandbox refused it: The request is not valid\n  count must be <= 500\n',
    })
  })
})

describe('trigger prints nothing of a server that commands the terminal', () => {
  // A title of the window, a color, the other direction, a color in one byte, and a line of its own.
  const COMMANDS = 'no \u001b]0;pwned\u0007\u001b[31m\u202e\u009b31m\r\nFAKE: accepted'

  async function expectHarmless(control: ControlServer, ...argv: readonly string[]): Promise<string> {
    const { out, err } = await trigger(...argv, '--sandbox', control.url)
    expect(out + err).toContain('FAKE')
    expect(out + err).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(out + err).not.toMatch(/^FAKE/m)
    return out + err
  }

  it.each([
    ['the message', { code: 400, message: COMMANDS, errors: [] }],
    ['the name of a field', { code: 400, message: 'no', errors: [{ [COMMANDS]: 'is wrong' }] }],
    ['what is wrong with a field', { code: 400, message: 'no', errors: [{ count: COMMANDS }] }],
    ['a number where a text is expected', { code: 400, message: 'FAKE', errors: [{ count: 7 }] }],
  ])('of a refusal: %s', async (_what, refusal) => {
    const control = await ControlServer.start()
    control.refusal = refusal
    await expectHarmless(control, 'dispute.opened')
  })

  it.each(['name', 'title', 'group'])('of a list: %s', async (field) => {
    const control = await ControlServer.start()
    control.templates = [{ ...control.templates[0]!, [field]: COMMANDS }]
    await expectHarmless(control, '--list')
  })

  it('of an attempt: its type, its id, its error and what was broken on purpose', async () => {
    const control = await ControlServer.start()
    control.ids = [encodeURIComponent(COMMANDS)]
    control.fields = { id: COMMANDS, type: COMMANDS }
    control.attempt(control.ids[0]!, { error: COMMANDS, faults: [COMMANDS] })
    const printed = await expectHarmless(control, 'dispute.opened')
    expect(printed.trimEnd().split('\n')).toHaveLength(1)
  })

  it('of a cause: its title, its evidence, its fix and its command', async () => {
    const control = await ControlServer.start()
    const cause = { title: COMMANDS, detail: COMMANDS, fix: COMMANDS, command: COMMANDS }
    control.attempt('dlv_1', { status: 401, cause })
    const printed = await expectHarmless(control, 'dispute.opened')
    expect(printed.trimEnd().split('\n')).toHaveLength(5)
  })

  it('of an answer that is not of a sandbox: the text of its status', async () => {
    const server = createServer((_, response) => {
      // Node refuses to send these, so the bytes of U+009B are written to the socket.
      response.socket!.end(
        'HTTP/1.1 404 FAKE \u00c2\u009b31m\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
        'latin1',
      )
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { err } = await trigger('a', '--sandbox', url)
    expect(err).toMatch(/ is not a sandbox: it answered 404 FAKE .*31m\.\n$/)
    expect(err).not.toMatch(/[^\P{Cc}\n]/u)
  })
})

describe('trigger ends with 3', () => {
  it('if there is no sandbox, and says how to start one', async () => {
    const { code, err } = await trigger('a', '--sandbox', 'http://127.0.0.1:1')
    expect(code).toBe(3)
    expect(err).toContain('There is no sandbox at http://127.0.0.1:1. Start it: npx service-signature listen')
  })

  it.each(['breakOff', 'end'] as const)(
    'if the stream ends before the endpoint answered (%s)',
    async (end) => {
      const control = await ControlServer.start()
      control.afterAnswer = (path) => {
        if (path === 'deliveries/dlv_1/') control[end]()
      }
      expect(await trigger('dispute.opened', '--sandbox', control.url)).toEqual({
        code: 3,
        out: '',
        err: 'error: The sandbox ended before the endpoint answered.\n',
      })
    },
  )

  it('if another program answers there', async () => {
    const server = createServer((_, response) => response.writeHead(404).end('<h1>no</h1>')).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const outcome = await trigger('a', '--sandbox', url)
    expect(outcome).toEqual({
      code: 3,
      out: '',
      err: `error: ${url} is not a sandbox: it answered 404 Not Found.\n`,
    })
  })
})
