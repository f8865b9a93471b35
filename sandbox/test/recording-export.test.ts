import { curlOf, fixtureName, type AttemptReport } from '@service-signature/deliveries'
import { vectorOf } from '@service-signature/deliveries/node'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Endpoint, never, status } from './support/endpoint.js'
import { Service, type Data } from './support/service.js'

const run = promisify(execFile)

/** An endpoint, and the two deliveries of a payment to it, oldest first. */
async function paid(service: Service, endpoint: Endpoint): Promise<readonly Data[]> {
  const { id } = (await service.intent({ webhook_url: endpoint.url })).data
  await service.pay(id)
  await service.sandbox.drained()
  return service.deliveries()
}

interface File {
  readonly code: number
  readonly type: string
  readonly name: string
  readonly text: string
}

async function download(service: Service, path: string): Promise<File> {
  const response = await fetch(`${service.sandbox.url}/_sandbox/deliveries/${path}`)
  const name = /^attachment; filename="(.*)"$/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return {
    code: response.status,
    type: response.headers.get('content-type')!,
    name: name ?? '',
    text: await response.text(),
  }
}

async function json(service: Service, path: string): Promise<unknown> {
  const { code, type, text } = await download(service, path)
  expect({ code, type }).toEqual({ code: 200, type: 'application/json; charset=utf-8' })
  return JSON.parse(text)
}

function report(fields: Partial<AttemptReport>): AttemptReport {
  return {
    delivery: 'dlv_1',
    attempt: 1,
    type: 'intent.processed',
    url: 'http://127.0.0.1:1/',
    created: 0,
    at: 0,
    headers: {},
    body: '{}',
    faults: [],
    answer: null,
    error: null,
    durationMs: 0,
    ...fields,
  }
}

describe('Exporting a delivery as a fixture', () => {
  it('holds what was sent and the status of the answer', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const [delivery] = await paid(service, endpoint)
    const { name, text } = await download(service, `${delivery!.id}/export/`)
    expect(JSON.parse(text)).toEqual({
      format: 'service-signature-delivery',
      version: 1,
      recorded_at: delivery!.attempts[0]!.at,
      type: 'transaction.purchase.successful',
      url: endpoint.url,
      method: 'POST',
      headers: delivery!.attempts[0]!.headers,
      body: endpoint.received[0]!.bytes.toString(),
      answer: { status: 204 },
    })
    expect(name).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}_transaction\.purchase\.successful_dlv_\w+\.json$/,
    )
  })

  it('names what was broken on purpose, and has no answer if the endpoint gave no answer', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const [delivery] = await paid(service, endpoint)
    endpoint.replyWith(never)
    const resent = service.post(`/_sandbox/deliveries/${delivery!.id}/resend/`, { tamper: true })
    await endpoint.until(3)
    service.clock.advance(10_000)
    await resent
    const file = await download(service, `${delivery!.id}/export/?format=fixture`)
    expect(JSON.parse(file.text)).toMatchObject({ faults: ['tamper'], answer: null })
    expect(file.name).toMatch(/\.tamper\.json$/)
    expect(await json(service, `${delivery!.id}/export/?attempt=1`)).not.toHaveProperty('faults')
  })

  it('holds no key and no secret, in any format but the vector', async () => {
    const service = await Service.start()
    const [delivery] = await paid(service, await Endpoint.start())
    const { account, organization } = service.sandbox.apiKeys
    for (const format of ['fixture', 'har', 'curl']) {
      const { text } = await download(service, `${delivery!.id}/export/?format=${format}`)
      for (const key of [service.sandbox.secret, account, organization]) expect(text).not.toContain(key)
    }
    const { text } = await download(service, `${delivery!.id}/export/?format=vector`)
    expect(text).toContain(service.sandbox.secret)
    for (const key of [account, organization]) expect(text).not.toContain(key)
  })

  it('refuses an attempt that was not made, an unknown delivery and an unknown format', async () => {
    const service = await Service.start()
    const [delivery] = await paid(service, await Endpoint.start())
    const beyond = await service.get(`/_sandbox/deliveries/${delivery!.id}/export/?attempt=2`)
    expect(beyond).toMatchObject({ code: 404, status: { errors: [{ attempt: 'There are 1 attempts' }] } })
    expect((await service.get('/_sandbox/deliveries/dlv_x/export/')).code).toBe(404)
    expect((await service.get('/_sandbox/deliveries/dlv_x/export/?format=pdf')).code).toBe(400)
  })

  it('has a file name without characters that a file system refuses', () => {
    const name = fixtureName(
      report({ type: '../dispute:opened*', delivery: 'dlv_1', created: 1743090080123 }),
    )
    expect(name).toBe('2025-03-27T15-41-20-123_..-dispute-opened-_dlv_1.json')
  })
})

describe('Exporting a delivery as a HAR', () => {
  it('is HAR 1.2 with the request, the answer and the time', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(400, { 'Content-Type': 'text/plain', 'Set-Cookie': 'a=b' }))
    const { id } = (await service.intent({ webhook_url: `${endpoint.url}?shop=1` })).data
    await service.pay(id)
    await endpoint.until(2)
    await service.sandbox.idle()
    const [delivery] = await service.deliveries()
    const { at, headers, body } = delivery!.attempts[0]!
    const { log } = (await json(service, `${delivery!.id}/export/?format=har`)) as {
      log: { entries: { startedDateTime: string; response: { headers: object[] } }[] }
    }
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'service-signature-sandbox' } })
    expect(log.entries).toHaveLength(1)
    const [entry] = log.entries
    expect(Date.parse(entry!.startedDateTime)).toBe(Date.parse(at))
    expect(entry).toMatchObject({
      time: 0,
      request: {
        method: 'POST',
        url: `${endpoint.url}?shop=1`,
        headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
        queryString: [{ name: 'shop', value: '1' }],
        postData: { mimeType: 'application/json', text: body },
        bodySize: Buffer.byteLength(body),
      },
      response: {
        status: 400,
        statusText: 'Bad Request',
        content: { size: 2, mimeType: 'text/plain', text: 'no' },
        redirectURL: '',
      },
      timings: { send: 0, wait: 0, receive: 0 },
      _type: 'transaction.purchase.successful',
      _faults: [],
    })
    expect(entry!.response.headers).toContainEqual({ name: 'set-cookie', value: 'a=b' })
  })

  it('has status 0 and the error where there was no answer', async () => {
    const service = await Service.start()
    const { id } = (await service.intent({ webhook_url: 'http://127.0.0.1:1/' })).data
    await service.pay(id)
    await service.sandbox.idle()
    const [delivery] = await service.deliveries()
    expect(await json(service, `${delivery!.id}/export/?format=har`)).toMatchObject({
      log: {
        entries: [
          {
            response: {
              status: 0,
              statusText: '',
              _error: expect.stringContaining('ECONNREFUSED') as string,
            },
          },
        ],
      },
    })
  })
})

interface Vector {
  readonly numberOfTests: number
  readonly testGroups: readonly {
    readonly secrets: readonly string[]
    readonly tests: readonly Readonly<Record<string, unknown>>[]
  }[]
}

describe('Exporting a delivery as a test vector', () => {
  const schema = new URL('../../test-vectors/schema.json', import.meta.url)
  const validate = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync(schema, 'utf8')) as Record<string, unknown>,
  )

  async function vector(service: Service, path: string): Promise<Vector> {
    const file = await json(service, path)
    expect(validate(file), JSON.stringify(validate.errors)).toBe(true)
    return file as Vector
  }

  it('is in the form of the published vectors, with the secret that signs it', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const [delivery] = await paid(service, endpoint)
    const { numberOfTests, testGroups } = await vector(service, `${delivery!.id}/export/?format=vector`)
    const [{ secrets, tests }] = testGroups as [Vector['testGroups'][0]]
    const [{ bytes, headers }] = endpoint.received as [(typeof endpoint.received)[0]]
    expect({ numberOfTests, secrets }).toEqual({ numberOfTests: 1, secrets: [service.sandbox.secret] })
    expect(tests).toEqual([
      {
        tcId: 1000,
        comment: 'transaction.purchase.successful',
        flags: ['Recorded'],
        body: bytes.toString('hex'),
        header: headers['service-signature'],
        now: Date.parse(delivery!.attempts[0]!.at),
        result: 'valid',
        secretIndex: 0,
      },
    ])
    const { t, v3 } = /t=(?<t>\d+),.*v3=(?<v3>\w+)/.exec(String(tests[0]!['header']))!.groups!
    const message = bytes.toString('base64') + t!
    expect(v3).toBe(createHmac('sha256', secrets[0]!).update(message).digest('hex'))
  })

  it.each([
    ['tamper', 'ERR_SIGNATURE_MISMATCH'],
    ['stale', 'ERR_TIMESTAMP_TOO_OLD'],
    ['wrong_secret', 'ERR_SIGNATURE_MISMATCH'],
    ['no_signature', 'ERR_SIGNATURE_MISSING'],
  ])('of a delivery with the fault %s it expects %s', async (fault, code) => {
    const service = await Service.start()
    const [delivery] = await paid(service, await Endpoint.start())
    await service.post(`/_sandbox/deliveries/${delivery!.id}/resend/`, { [fault]: true })
    const { testGroups } = await vector(service, `${delivery!.id}/export/?format=vector&attempt=2`)
    expect(testGroups[0]!.tests).toMatchObject([
      { comment: `transaction.purchase.successful, ${fault.replace('_', '-')}`, result: 'invalid', code },
    ])
  })

  it('of a delivery without a signature has no header, and a comment in ASCII', () => {
    const file = vectorOf(report({ type: 'intent.\u00e9', faults: ['no-signature'] }), 'test_signature_key')
    expect(validate(file), JSON.stringify(validate.errors)).toBe(true)
    expect(file.testGroups[0]!.tests).toMatchObject([
      { comment: 'intent.?, no-signature', header: null, result: 'invalid', code: 'ERR_SIGNATURE_MISSING' },
    ])
  })
})

describe('Exporting a delivery as a curl command line', () => {
  it('sends the same bytes and the same headers', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const [delivery] = await paid(service, endpoint)
    const { type, text, name } = await download(service, `${delivery!.id}/export/?format=curl`)
    expect({ type, name }).toEqual({ type: 'text/plain; charset=utf-8', name: `${delivery!.id}.sh` })
    expect((await run('sh', ['-c', text])).stdout).toContain('204 No Content')
    const [sent, , again] = endpoint.received
    expect(again!.bytes.equals(sent!.bytes)).toBe(true)
    for (const header of ['Content-Type', 'User-Agent', 'Service-Signature', 'Content-Length']) {
      const value = sent!.rawHeaders[sent!.rawHeaders.indexOf(header) + 1]
      expect(again!.rawHeaders).toContain(header)
      expect(again!.rawHeaders[again!.rawHeaders.indexOf(header) + 1]).toBe(value)
    }
  })

  it.each([
    ['quotes and what a shell expands', `{"a":"it's \\"$HOME\\" \`id\` !! \\\\n"}`],
    ['line breaks and letters beyond ASCII', '{\n\t"a": "\u00e9\u{1f600}"\r\n}\n'],
    ['an at sign at its start, which names a file to curl', '@/etc/hostname'],
    ['a NUL, percent signs and a hyphen at its start', '-%s\0\\0\\'],
    ['more bytes than an argument may have', `{"a":"${"'%".repeat(100_000)}"}`],
    ['nothing', ''],
  ])('sends a body with %s', async (_, body) => {
    const endpoint = await Endpoint.start()
    const url = `${endpoint.url}?list[]={a}&b='c'`
    const shell = run('sh', [], { maxBuffer: 1e6 })
    shell.child.stdin!.end(curlOf(report({ url, body, headers: { 'X-Text': "it's; $(id)" } })))
    await shell
    const [received] = endpoint.received
    expect(received!.bytes.equals(Buffer.from(body))).toBe(true)
    expect(received!.headers['x-text']).toBe("it's; $(id)")
    expect(received!.path).toBe(`/webhooks?list[]={a}&b='c'`)
  })
})
