import { EVENT_TYPES, type VerifiedWebhook, type WebhookErrorCode } from '@service-signature/core'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { freePort } from '@service-signature/contract/free-port'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run, runJson } from '../support/command.js'
import { rawHeader, startEndpoint, type Endpoint } from '../support/endpoint.js'
import { file } from '../../../terminal/test/support/files.js'
import { replaceTimeLimit } from '../../../terminal/test/support/time-limit.js'
import { apiKey, bothKeys, env, hmac, known, secret, signed, timestamp, v1, v3 } from '../support/truth.js'

const now = timestamp
const accept = { env, now }

/** An endpoint that thanks for everything. */
const thankful = () =>
  startEndpoint((res) => {
    res.writeHead(204).end()
  })

interface Document {
  readonly url: string
  readonly deliveries: readonly Record<string, unknown>[]
  readonly error?: { readonly code: string; readonly message: string }
}

describe('send', () => {
  it('sends the bytes of a file, signed, with the documented case of the header name', async () => {
    const { url, received } = await startEndpoint((res) => res.end('thanks'))
    const argv = ['send', url, '--body', file(known.body, 'event.json'), '--versions', 'v3']
    const outcome = await run(argv, accept)

    expect(received).toHaveLength(1)
    const [request] = received
    expect(request!.body.toString()).toBe(known.body)
    expect(request).toMatchObject({ method: 'POST', url: '/webhooks' })
    expect(rawHeader(request!, 'Service-Signature')).toBe(known.header)
    expect(rawHeader(request!, 'Content-Type')).toBe('application/json')
    expect(rawHeader(request!, 'Content-Length')).toBe('17')
    expect(outcome.code).toBe(0)
    expect(outcome.stderr).toBe('')
    const path = argv[3]!
    expect(outcome.stdout.split('\n')).toEqual([
      `POST ${url}`,
      `  ${path}, 17 bytes, t=1743090080, v3`,
      '  200 OK (0 ms)',
      '    thanks',
      '',
    ])
  })

  it('as JSON, one document', async () => {
    const { url } = await startEndpoint((res) => res.writeHead(202).end('thanks\n'))
    const argv = ['send', url, '--body', '-', '--versions', 'v3']
    const { code, json, stderr } = await runJson(argv, { ...accept, stdin: known.body })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(json).toEqual({
      url,
      deliveries: [
        {
          event: 'standard input',
          bytes: 17,
          timestamp,
          versions: ['v3'],
          header: known.header,
          answer: { status: 202, milliseconds: 0, body: 'thanks\n' },
        },
      ],
    })
  })

  it('every version whose key is there', async () => {
    const { url, received } = await thankful()
    await run(['send', url, '--body', file('{"a":1}')], { env: bothKeys, now })
    const v2 = hmac(secret, `{"a":1}${timestamp}`)
    expect(rawHeader(received[0]!, 'Service-Signature')).toBe(
      `t=${timestamp},v1=${v1('{"a":1}')},v2=${v2},v3=${v3('{"a":1}')}`,
    )
  })

  it('v2 in the form that is asked for', async () => {
    const { url, received } = await thankful()
    const argv = [
      'send',
      url,
      '--body',
      file('{"a":1.0}'),
      '--versions',
      'v2',
      '--canonical-form',
      'ecmascript',
    ]
    await run(argv, accept)
    expect(rawHeader(received[0]!, 'Service-Signature')).toBe(
      `t=${timestamp},v2=${hmac(secret, `{"a":1}${timestamp}`)}`,
    )
  })

  it('a time that is moved', async () => {
    const { url, received } = await thankful()
    const { stdout } = await run(['send', url, '--body', file('x'), '--skew', '-600'], accept)
    expect(rawHeader(received[0]!, 'Service-Signature')).toBe(signed('x', timestamp - 600))
    expect(stdout).toContain(`t=${timestamp - 600} (-600 s from now), v3\n`)
  })

  it('an empty body', async () => {
    const { url, received } = await thankful()
    await run(['send', url, '--body', file(''), '--versions', 'v3'], accept)
    expect(rawHeader(received[0]!, 'Service-Signature')).toBe(signed(''))
    expect(received[0]!.body).toHaveLength(0)
  })
})

describe('events', () => {
  it('a transaction without being asked: the one of the test kit, with ids of its own', async () => {
    const { url, received } = await thankful()
    const { stdout } = await run(['send', url], accept)
    const body = JSON.parse(received[0]!.body.toString()) as ReturnType<typeof transactionEvent>
    const { intent, transaction } = body
    expect(body).toEqual(transactionEvent({ intent: { id: intent.id }, transaction: { id: transaction.id } }))
    expect(intent.id).toMatch(/^int_[0-9a-f]{32}$/)
    expect(transaction.id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(transaction.id).not.toBe(transactionEvent().transaction.id)
    expect(stdout).toContain('  transaction.purchase.successful, ')
  })

  it('an intent, whose ids agree', async () => {
    const { url, received } = await thankful()
    const { code, stdout } = await run(['send', url, '--event', 'intent'], accept)
    const body = JSON.parse(received[0]!.body.toString()) as ReturnType<typeof intentEvent>
    const { intent, intent_id } = body.data
    const expected = intentEvent()
    expected.data.intent_id = intent_id
    expected.data.intent.id = intent_id
    for (const transaction of [
      expected.data.intent.active_transaction!,
      expected.data.intent.transactions_history![0]!,
    ]) {
      transaction.id = intent.active_transaction!.id
    }
    expect(body).toEqual(expected)
    expect(intent_id).not.toBe(intentEvent().data.intent_id)
    expect(stdout).toContain('  intent.processed, ')
    expect(code).toBe(0)
  })

  it('changed by --set, a number with its digits', async () => {
    const { url, received } = await thankful()
    const sets = ['--set', 'intent.amount.value=10.0', '--set', 'type=transaction.refund.successful']
    const { stdout } = await run(['send', url, '--event', 'transaction', ...sets], accept)
    expect(received[0]!.body.toString()).toContain('"amount":{"value":10.0,"currency":"EUR"}')
    expect(stdout).toContain('  transaction.refund.successful, ')
  })

  const purchase = (status: string) => ({
    transaction: {
      status: `purchase.${status}`,
      operations: [{ type: 'purchase', status, statuses: [{ value: status }] }],
    },
  })
  /** What an event of each type must say, as the sandbox prints it. */
  const STATUSES: Readonly<Record<string, object>> = {
    'transaction.purchase.successful': purchase('successful'),
    'transaction.purchase.failed': purchase('failed'),
    'intent.processed': { data: { intent: { status: 'PROCESSED' } } },
  }

  it.each([
    ...EVENT_TYPES.map((type) => [type, type]),
    ['transaction', 'transaction.purchase.successful'],
    ['purchase-successful', 'transaction.purchase.successful'],
    ['intent', 'intent.processed'],
    ['intent-processed', 'intent.processed'],
  ] as readonly [string, string][])(
    '--event %s sends an event with the statuses of its type',
    async (name, type) => {
      const { url, received } = await thankful()
      const { code, stdout } = await run(['send', url, '--event', name], accept)
      expect(code).toBe(0)
      expect(JSON.parse(received[0]!.body.toString())).toMatchObject({ type, ...STATUSES[type]! })
      expect(stdout).toContain(`  ${type}, `)
    },
  )

  it.each([
    ['transaction', 'transaction.purchase.failed', purchase('failed')],
    ['intent', 'intent.canceled', { data: { intent: { status: 'CANCELED' } } }],
    ['transaction', 'intent.processed', purchase('successful')],
    ['intent', 'transaction.purchase.failed', STATUSES['intent.processed']!],
    ['transaction', '5', purchase('successful')],
  ])(
    '--event %s --set type=%s changes the statuses with the type in its family',
    async (event, type, statuses) => {
      const { url, received } = await thankful()
      await run(['send', url, '--event', event, '--set', `type=${type}`], accept)
      const body = JSON.parse(received[0]!.body.toString()) as { type: unknown }
      expect(body).toMatchObject(statuses)
      expect(String(body.type)).toBe(type)
    },
  )

  it('--set of a status applies after that of the type', async () => {
    const { url, received } = await thankful()
    const sets = [
      '--set',
      'transaction.status=purchase.declined',
      '--set',
      'type=transaction.purchase.failed',
    ]
    await run(['send', url, ...sets], accept)
    const { transaction } = JSON.parse(received[0]!.body.toString()) as ReturnType<typeof transactionEvent>
    expect(transaction.status).toBe('purchase.declined')
    expect(transaction.operations![0]!.status).toBe('failed')
  })

  it('--repeat sends each with ids of its own, one after the other', async () => {
    let open = 0
    let most = 0
    const { url, received } = await startEndpoint((res) => {
      most = Math.max(most, ++open)
      setImmediate(() => {
        open--
        res.end()
      })
    })
    const { json } = await runJson(['send', url, '--repeat', '3'], accept)
    expect((json as Document).deliveries).toHaveLength(3)
    expect(new Set(received.map(({ body }) => body.toString())).size).toBe(3)
    expect(most).toBe(1)
  })

  it('--duplicate sends the same bytes twice, and says which are the second', async () => {
    const { url, received } = await thankful()
    const { code, stdout } = await run(['send', url, '--duplicate', '--repeat', '2'], accept)
    const sent = received.map(({ body, rawHeaders }) => body.toString() + rawHeaders.join())
    expect(code).toBe(0)
    expect(sent).toHaveLength(4)
    expect(sent[1]).toBe(sent[0])
    expect(sent[3]).toBe(sent[2])
    expect(sent[2]).not.toBe(sent[0])
    expect(stdout.match(/, the same bytes again\n/g)).toHaveLength(2)
  })

  it('as JSON, a duplicate is marked', async () => {
    const { url } = await thankful()
    const { json } = await runJson(['send', url, '--duplicate'], accept)
    const [first, second] = (json as Document).deliveries
    expect(first).not.toHaveProperty('duplicate')
    expect(second).toEqual({ ...first, duplicate: true })
  })
})

describe('the body', () => {
  /** Verifies the parsed and printed body, as many hand-written endpoints do. It uses no code of this project. */
  async function startNaive(): Promise<Endpoint & { readonly handled: readonly object[] }> {
    const handled: object[] = []
    const endpoint = await startEndpoint((res, req, _nth, body) => {
      const parsed = JSON.parse(body.toString()) as object
      const [, t, digest] = /t=(\d+).*v3=(\w+)/.exec(String(req.headers['service-signature']))!
      const isGenuine = digest === v3(JSON.stringify(parsed), t)
      if (isGenuine) handled.push(parsed)
      res.writeHead(isGenuine ? 200 : 401).end()
    })
    return { ...endpoint, handled }
  }

  it.each([
    { what: 'a transaction', argv: [] },
    { what: 'an intent', argv: ['--event', 'intent.processed'] },
    { what: 'text', argv: ['--set', 'transaction.method.display_name=J\u00f5ul'] },
  ])('is printed as the service prints it, so reserializing is found: $what', async ({ argv }) => {
    const { url, handled } = await startNaive()
    const { code, stdout } = await run(['send', url, ...argv], accept)
    expect({ code, handled }).toEqual({ code: 1, handled: [] })
    expect(stdout).toContain('  401 Unauthorized')
  })

  it.each(['transaction.purchase.successful', 'intent.processed'])(
    'is printed as JSON.stringify prints it with --body-style ecmascript: %s',
    async (event) => {
      const { url, handled } = await startNaive()
      const { code } = await run(['send', url, '--event', event, '--body-style', 'ecmascript'], accept)
      expect(code).toBe(0)
      expect(handled).toHaveLength(1)
    },
  )

  it('has no letter beyond ASCII, and a text of --set neither', async () => {
    const { url, received } = await startNaive()
    await run(['send', url, '--set', 'transaction.custom_message=J\u00f5ul'], accept)
    const text = received[0]!.body.toString()
    expect(text).not.toMatch(/[^\x20-\x7e]/)
    expect(text).toContain('"Credit card \\u2013 Visa, Mastercard"')
    expect(text).toContain('"custom_message":"J\\u00f5ul"')
  })
})

describe('tampering', () => {
  const body = '{"amount":19,"x":"a b"}'

  it.each([
    { kind: 'body', text: '{"amount":29,"x":"a b"}', header: signed(body) },
    { kind: 'timestamp', text: body, header: signed(body).replace(`t=${timestamp}`, `t=${timestamp + 1}`) },
  ])('$kind: nothing else is changed', async ({ kind, text, header }) => {
    const { url, received } = await startEndpoint((res) => res.writeHead(401).end())
    const argv = ['send', url, '--body', file(body), '--versions', 'v3', '--tamper', kind]
    const { code, stdout } = await run(argv, accept)
    expect(received[0]!.body.toString()).toBe(text)
    expect(rawHeader(received[0]!, 'Service-Signature')).toBe(header)
    expect(code).toBe(1)
    expect(stdout).toContain(`, ${kind} changed after signing\n`)
    expect(stdout).not.toContain('Accepted')
  })

  it('signature: the last digit of every version', async () => {
    const { url, received } = await thankful()
    const argv = ['send', url, '--body', file(body), '--versions', 'v1,v3', '--tamper', 'signature']
    const { json } = await runJson(argv, { env: bothKeys, now })
    const header = rawHeader(received[0]!, 'Service-Signature')!
    const genuine = `t=${timestamp},v1=${v1(body.replace(' ', ''))},v3=${v3(body)}`
    const differs = Array.from(genuine).flatMap((letter, i) => (header[i] === letter ? [] : [i]))
    expect(differs).toEqual([genuine.indexOf(',v3') - 1, genuine.length - 1])
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v3=[0-9a-f]{64}$/)
    expect((json as Document).deliveries[0]).toMatchObject({ header, tampered: 'signature', timestamp })
  })

  it('a signature that ends with 0 is changed too', async () => {
    const { url, received } = await thankful()
    // Found by trying: the v3 of this body ends with 0.
    const ending = Array.from({ length: 200 }, (_, i) => String(i)).find((text) => v3(text).endsWith('0'))!
    await run(['send', url, '--body', file(ending), '--versions', 'v3', '--tamper', 'signature'], accept)
    expect(rawHeader(received[0]!, 'Service-Signature')).toBe(signed(ending).replace(/0$/, '1'))
  })

  it.each([
    { what: 'a body without a digit', body: '{"a":true}', text: '{"a":trux}' },
    { what: 'an empty body', body: '', text: '0' },
    {
      what: 'bytes that are not text',
      body: Buffer.from('ff39fe', 'hex'),
      text: Buffer.from('ff31fe', 'hex'),
    },
  ])('$what is changed too', async ({ body, text }) => {
    const { url, received } = await thankful()
    await run(['send', url, '--body', file(body), '--versions', 'v3', '--tamper', 'body'], accept)
    expect(received[0]!.body).toEqual(Buffer.from(text as string))
  })

  it('an endpoint that accepts it is called out, in color where there is color', async () => {
    const { url } = await thankful()
    const { code, stdout } = await run(['send', url, '--tamper', 'body'], { ...accept, hasColor: true })
    expect(code).toBe(0)
    expect(stdout).toContain('\u001b[32m204 No Content\u001b[39m')
    expect(stdout).toContain('\u001b[33mAccepted, although it was changed after signing')
  })
})

describe('the answer', () => {
  it.each([
    { status: 200, code: 0 },
    { status: 299, code: 0 },
    { status: 302, code: 1 },
    { status: 401, code: 1 },
    { status: 500, code: 1 },
  ])('$status ends with $code', async ({ status, code }) => {
    const { url } = await startEndpoint((res) => res.writeHead(status).end())
    await expect(run(['send', url], accept)).resolves.toMatchObject({ code })
  })

  it('one bad answer among good ones is enough', async () => {
    const { url, received } = await startEndpoint((res, _req, nth) =>
      res.writeHead(nth === 2 ? 500 : 200).end(),
    )
    await expect(run(['send', url, '--repeat', '3'], accept)).resolves.toMatchObject({ code: 1 })
    expect(received).toHaveLength(3)
  })

  it('a redirect is not followed', async () => {
    const other = await thankful()
    const { url } = await startEndpoint((res) => res.writeHead(307, { Location: other.url }).end())
    const { code, stdout } = await run(['send', url], accept)
    expect(code).toBe(1)
    expect(stdout).toContain('307 Temporary Redirect')
    expect(other.received).toHaveLength(0)
  })

  it('its text cannot command the terminal, and is cut', async () => {
    const { url } = await startEndpoint((res) => res.writeHead(400).end(`\u001b[2J${'x'.repeat(300)}`))
    const { stdout } = await run(['send', url], accept)
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toContain(`    [2J${'x'.repeat(194)}...\n`)
  })

  it('of a long one the beginning is read, and the rest is left', async () => {
    const { url } = await startEndpoint((res) => {
      const more = (): void => {
        if (res.destroyed) return
        res.write('y'.repeat(65_536), more)
      }
      more()
    })
    const { code, json } = await runJson(['send', url], accept)
    expect(code).toBe(0)
    expect((json as Document).deliveries[0]).toMatchObject({
      answer: { status: 200, body: 'y'.repeat(16_384) },
    })
  })
})

describe('an endpoint that cannot be reached ends with 3', () => {
  it('nothing listens', async () => {
    const port = await freePort()
    const outcome = await run(['send', `http://127.0.0.1:${port}/`], accept)
    expect(outcome.code).toBe(3)
    expect(outcome.stderr).toMatch(
      /^error: Nothing listens at 127\.0\.0\.1:\d+\. connect ECONNREFUSED .* Start your endpoint/,
    )
  })

  it('as JSON: what was sent before, and the error', async () => {
    const { url, received } = await startEndpoint((res, req, nth) => {
      if (nth === 2) req.socket.destroy()
      else res.end()
    })
    const { code, json, stderr } = await runJson(['send', url, '--repeat', '3'], accept)
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    const { deliveries, error } = json as Document
    expect(deliveries).toHaveLength(2)
    expect(deliveries[0]).toHaveProperty('answer')
    expect(deliveries[1]).not.toHaveProperty('answer')
    expect(error!.code).toBe('ERR_UNREACHABLE')
    expect(error!.message).toContain('Your endpoint hung up without an answer.')
    expect(received).toHaveLength(2)
  })

  it('no answer within the time', async () => {
    const { url, received } = await startEndpoint(replaceTimeLimit().end)
    const outcome = await run(['send', url, '--timeout', '0.2'], accept)
    expect(outcome.code).toBe(3)
    expect(outcome.stderr).toContain('There was no answer within 0.2 s.')
    expect(received).toHaveLength(1)
  })

  it('an answer that is not whole within the time', async () => {
    replaceTimeLimit().endAfterHead()
    const { url } = await startEndpoint((res) => res.writeHead(200).write('a'))
    const outcome = await run(['send', url, '--timeout', '0.2'], accept)
    expect(outcome.stderr).toContain('There was no answer within 0.2 s.')
  })

  it('an answer that is not HTTP', async () => {
    const server = createServer((socket) => socket.end('220 mail.example ESMTP\r\n')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const outcome = await run(['send', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`], accept)
    expect(outcome.code).toBe(3)
    expect(outcome.stderr).toContain('does not speak HTTP.')
  })

  it('TLS to a port without TLS', async () => {
    const { url } = await thankful()
    const outcome = await run(['send', url.replace('http:', 'https:')], accept)
    expect(outcome.code).toBe(3)
    expect(outcome.stderr).toMatch(
      /^error: 127\.0\.0\.1:\d+ does not use TLS\. .* Use http: in the address\.\n$/,
    )
  })
})

describe('send is refused with 2, and nothing is sent', () => {
  it.each([
    { fault: 'no URL', url: 'localhost', argv: [], says: 'The URL must be a whole one' },
    {
      fault: 'another protocol',
      url: 'ftp://user:pass@x/',
      argv: [],
      says: 'such as http://localhost:3000/webhooks.',
    },
    {
      fault: 'an unknown event',
      argv: ['--event', 'refund'],
      says: `--event must be one of ${EVENT_TYPES.join(', ')}, got "refund".`,
    },
    {
      fault: 'an unknown style',
      argv: ['--body-style', 'json'],
      says: '--body-style must be one of python, ecmascript, got "json".',
    },
    {
      fault: 'a style of a file',
      argv: ['--body-style', 'python', '--body', '/dev/null'],
      says: 'with --body the bytes of the file',
    },
    {
      fault: 'an unknown tampering',
      argv: ['--tamper', 'all'],
      says: '--tamper must be one of body, signature, timestamp',
    },
    { fault: 'no repeat', argv: ['--repeat', '0'], says: '--repeat must be a whole number, 1 or above' },
    {
      fault: 'no whole skew',
      argv: ['--skew', '1.5'],
      says: '--skew must be a whole number of seconds, such as -600',
    },
    { fault: 'a skew beyond all time', argv: ['--skew', '-1743090081'], says: '--skew must be' },
    {
      fault: 'no time-out',
      argv: ['--timeout', '0'],
      says: '--timeout must be a number of seconds above 0, at most 3600',
    },
    { fault: 'a time-out without end', argv: ['--timeout', 'Infinity'], says: '--timeout must be' },
    {
      fault: 'a path that leads nowhere',
      argv: ['--repeat', '2', '--set', 'type.x=1'],
      says: '--set cannot set "x"',
    },
    {
      fault: 'an event and a file',
      argv: ['--event', 'intent', '--body', '/dev/null'],
      says: 'with --body the bytes of the file are sent as they are',
    },
    {
      fault: 'a change of a file',
      argv: ['--set', 'a=1', '--body', '/dev/null'],
      says: 'with --body the bytes of the file',
    },
    {
      fault: 'v2 of a body that is not JSON',
      argv: ['--versions', 'v2', '--body', '/dev/null'],
      says: 'v2 signs JSON',
    },
    {
      fault: 'no key',
      argv: ['--versions', 'v1'],
      says: 'No account API key. Set PAYMENT_API_KEY or pass --api-key-file',
    },
  ])('$fault', async ({ url, argv, says }) => {
    const endpoint = await thankful()
    const outcome = await run(['send', url ?? endpoint.url, ...argv], accept)
    expect(outcome.code).toBe(2)
    expect(outcome.stderr).toContain(says)
    expect(outcome.stderr).not.toContain('pass@')
    expect(endpoint.received).toHaveLength(0)
  })
})

it('a password in the URL goes to the endpoint and is not printed', async () => {
  const { url, received } = await thankful()
  const { stdout } = await run(['send', url.replace('//', '//user:pass@')], accept)
  expect(rawHeader(received[0]!, 'Authorization')).toBe(
    `Basic ${Buffer.from('user:pass').toString('base64')}`,
  )
  expect(stdout).toContain(`POST ${url}\n`)
  expect(stdout).not.toContain('pass')
})

describe('an Express endpoint with the middleware', () => {
  async function startMerchant(): Promise<{
    url: string
    handled: VerifiedWebhook[]
    rejected: WebhookErrorCode[]
  }> {
    const handled: VerifiedWebhook[] = []
    const rejected: WebhookErrorCode[] = []
    const app = express()
    const guard = serviceSignature({
      secret,
      apiKey,
      versions: ['v1', 'v2', 'v3'],
      now: () => now * 1000,
      onRejected: ({ code }) => rejected.push(code),
    })
    app.post('/webhooks', guard, (req, res) => {
      handled.push(req.webhook!)
      res.sendStatus(204)
    })
    // As in production: the error is not printed.
    app.set('env', 'test')
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`, handled, rejected }
  }

  const world = { env: bothKeys, now }

  it.each([
    { what: 'a transaction', argv: [], shape: 'transaction' },
    { what: 'an intent', argv: ['--event', 'intent'], shape: 'intent' },
    {
      what: 'v2 as Python prints it',
      argv: ['--canonical-form', 'python', '--set', 'intent.amount.value=10.0'],
      shape: 'transaction',
    },
    { what: 'a time within the tolerance', argv: ['--skew', '-300'], shape: 'transaction' },
  ])('accepts $what', async ({ argv, shape }) => {
    const { url, handled, rejected } = await startMerchant()
    const { code } = await run(['send', url, ...argv], world)
    expect({ code, rejected }).toEqual({ code: 0, rejected: [] })
    expect(handled.map(({ event }) => event.shape)).toEqual([shape])
  })

  it.each([
    { what: 'a changed body', argv: ['--tamper', 'body'], reason: 'ERR_SIGNATURE_MISMATCH' },
    { what: 'a changed signature', argv: ['--tamper', 'signature'], reason: 'ERR_SIGNATURE_MISMATCH' },
    { what: 'a changed time', argv: ['--tamper', 'timestamp'], reason: 'ERR_SIGNATURE_MISMATCH' },
    { what: 'an old delivery', argv: ['--skew', '-301'], reason: 'ERR_TIMESTAMP_TOO_OLD' },
    { what: 'a delivery of the future', argv: ['--skew', '+61'], reason: 'ERR_TIMESTAMP_IN_FUTURE' },
    { what: 'a delivery without v1', argv: ['--versions', 'v2,v3'], reason: 'ERR_SIGNATURE_VERSION_MISSING' },
  ])('refuses $what, and its handler does not run', async ({ argv, reason }) => {
    const { url, handled, rejected } = await startMerchant()
    const { code, stdout } = await run(['send', url, ...argv], world)
    expect(code).toBe(1)
    expect(rejected).toEqual([reason])
    expect(handled).toHaveLength(0)
    expect(stdout).toContain('401 Unauthorized')
  })
})
