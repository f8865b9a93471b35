import { curlOf, type AttemptReport } from '@service-signature/deliveries'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Endpoint, never, status } from '../support/endpoint.js'
import { Service, startWithEndpoint, type Data } from '../support/service.js'
import { digestsOf, partsOf } from '../support/signature.js'

const run = promisify(execFile)

/** The first delivery of a payment. */
async function paid() {
  const { service, endpoint } = await startWithEndpoint()
  const [first] = (await service.sent(endpoint.url)) as [Data, Data]
  return { service, endpoint, first }
}

async function fileOf({ sandbox }: Service, path: string) {
  const response = await fetch(`${sandbox.url}/_sandbox/deliveries/${path}`)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const [, name] = /^attachment; filename="(.*)"$/.exec(response.headers.get('content-disposition')!)!
  return { type: response.headers.get('content-type')!, name: name!, text }
}

async function jsonOf(service: Service, path: string): Promise<unknown> {
  const { type, text } = await fileOf(service, path)
  expect(type).toBe('application/json; charset=utf-8')
  return JSON.parse(text)
}

describe('A delivery as a fixture', () => {
  it('has what was sent and the status of the answer', async () => {
    const { service, endpoint, first } = await paid()
    const { name, text } = await fileOf(service, `${first.id}/export/`)
    expect(JSON.parse(text)).toEqual({
      format: 'service-signature-delivery',
      version: 1,
      recorded_at: first.attempts[0]!.at,
      type: 'transaction.purchase.successful',
      url: endpoint.url,
      method: 'POST',
      headers: first.attempts[0]!.headers,
      body: endpoint.received[0]!.bytes.toString(),
      answer: { status: 204 },
    })
    expect(name).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}_transaction\.purchase\.successful_dlv_\w+\.json$/,
    )
  })

  it('names what was broken on purpose, and has no answer if the endpoint gave none', async () => {
    const { service, endpoint, first } = await paid()
    endpoint.replyWith(never)
    const resent = service.resend(first.id, { tamper: true })
    await endpoint.until(3)
    service.clock.advance(10_000)
    await resent
    const file = await fileOf(service, `${first.id}/export/?format=fixture`)
    expect(JSON.parse(file.text)).toMatchObject({ faults: ['tamper'], answer: null })
    expect(file.name).toMatch(/\.tamper\.json$/)
    expect(await jsonOf(service, `${first.id}/export/?attempt=1`)).not.toHaveProperty('faults')
  })
})

it('no export has a key, and only the vector has the secret', async () => {
  const { service, first } = await paid()
  const { account, organization } = service.sandbox.apiKeys
  for (const format of ['fixture', 'har', 'curl', 'vector']) {
    const { text } = await fileOf(service, `${first.id}/export/?format=${format}`)
    for (const key of [account, organization]) expect(text).not.toContain(key)
    expect(text.includes(service.sandbox.secret)).toBe(format === 'vector')
  }
})

describe('A delivery as a HAR', () => {
  it('is HAR 1.2 with the request, the answer and the time', async () => {
    const { service, endpoint } = await startWithEndpoint()
    endpoint.replyWith(status(400, { 'Content-Type': 'text/plain', 'Set-Cookie': 'a=b' }))
    const [delivery] = await service.sent(`${endpoint.url}?shop=1`)
    const { at, headers, body } = delivery!.attempts[0]!
    const request = {
      method: 'POST',
      url: `${endpoint.url}?shop=1`,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      queryString: [{ name: 'shop', value: '1' }],
      postData: { mimeType: 'application/json', text: body },
      bodySize: Buffer.byteLength(body),
    }
    const response = {
      status: 400,
      statusText: 'Bad Request',
      headers: expect.arrayContaining([{ name: 'set-cookie', value: 'a=b' }]) as object[],
      content: { size: 2, mimeType: 'text/plain', text: 'no' },
      redirectURL: '',
    }
    const times = {
      startedDateTime: new Date(at).toISOString(),
      time: 0,
      timings: { send: 0, wait: 0, receive: 0 },
    }
    const entry = { ...times, request, response, _type: 'transaction.purchase.successful', _faults: [] }
    expect(await jsonOf(service, `${delivery!.id}/export/?format=har`)).toMatchObject({
      log: { version: '1.2', creator: { name: 'service-signature-sandbox' }, entries: [entry] },
    })
  })

  it('has status 0 and the error where there was no answer', async () => {
    const service = await Service.start()
    const [delivery] = await service.sent('http://127.0.0.1:1/')
    const response = { status: 0, _error: expect.stringContaining('ECONNREFUSED') as string }
    const har = { log: { entries: [{ response }] } }
    expect(await jsonOf(service, `${delivery!.id}/export/?format=har`)).toMatchObject(har)
  })
})

describe('A delivery as a test vector', () => {
  const schema = readFileSync(new URL('../../../test-vectors/schema.json', import.meta.url), 'utf8')
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(schema) as object)

  async function vectorIn(service: Service, path: string): Promise<unknown> {
    const file = await jsonOf(service, path)
    expect(validate(file), JSON.stringify(validate.errors)).toBe(true)
    return file
  }

  it('is in the form of the published vectors, with the secret that signs it', async () => {
    const { service, endpoint, first } = await paid()
    const [received] = endpoint.received
    const { secret } = service.sandbox
    const test = {
      tcId: 1000,
      comment: 'transaction.purchase.successful',
      flags: ['Recorded'],
      body: received!.bytes.toString('hex'),
      header: received!.headers['service-signature'],
      now: Date.parse(first.attempts[0]!.at),
      result: 'valid',
      secretIndex: 0,
    }
    const vector = { numberOfTests: 1, testGroups: [{ secrets: [secret], tests: [test] }] }
    expect(await vectorIn(service, `${first.id}/export/?format=vector`)).toMatchObject(vector)
    const { t, v3 } = partsOf(received!)
    expect(v3).toBe(digestsOf(received!.bytes, t, secret, '').v3)
  })

  it.each([
    ['tamper', 'ERR_SIGNATURE_MISMATCH'],
    ['stale', 'ERR_TIMESTAMP_TOO_OLD'],
    ['wrong_secret', 'ERR_SIGNATURE_MISMATCH'],
    ['no_signature', 'ERR_SIGNATURE_MISSING'],
  ])('of a delivery with the fault %s expects %s', async (fault, code) => {
    const { service, first } = await paid()
    await service.resend(first.id, { [fault]: true })
    const comment = `transaction.purchase.successful, ${fault.replace('_', '-')}`
    const tests = [{ comment, result: 'invalid', code }]
    const file = await vectorIn(service, `${first.id}/export/?format=vector&attempt=2`)
    expect(file).toMatchObject({ testGroups: [{ tests }] })
  })
})

describe('A delivery as a curl command line', () => {
  it('sends the same bytes and the same headers', async () => {
    const { service, endpoint, first } = await paid()
    const { type, text, name } = await fileOf(service, `${first.id}/export/?format=curl`)
    expect({ type, name }).toEqual({ type: 'text/plain; charset=utf-8', name: `${first.id}.sh` })
    expect((await run('sh', ['-c', text])).stdout).toContain('204 No Content')
    const [sent, , again] = endpoint.received
    expect(again!.bytes.equals(sent!.bytes)).toBe(true)
    for (const header of ['Content-Type', 'User-Agent', 'Service-Signature', 'Content-Length']) {
      const value = sent!.rawHeaders[sent!.rawHeaders.indexOf(header) + 1]
      expect(again!.rawHeaders[again!.rawHeaders.indexOf(header) + 1]).toBe(value)
    }
  })

  it.each([
    ['quotes and what a shell expands', `{"a":"it's \\"$HOME\\" \`id\` !! \\\\n"}`],
    ['line breaks and letters beyond ASCII', '{\n\t"a": "\u00e9\u{1f600}"\r\n}\n'],
    ['an at sign at its start, which names a file to curl', '@/etc/hostname'],
    ['more bytes than an argument may have', `{"a":"${"'%".repeat(100_000)}"}`],
  ])('sends a body with %s', async (_, body) => {
    const endpoint = await Endpoint.start()
    const url = `${endpoint.url}?list[]={a}&b='c'`
    const shell = run('sh', [], { maxBuffer: 1e6 })
    const sent = {
      url,
      body,
      headers: { 'X-Text': "it's; $(id)" },
    } as Partial<AttemptReport> as AttemptReport
    shell.child.stdin!.end(curlOf(sent))
    await shell
    const [received] = endpoint.received
    expect(received!.bytes.equals(Buffer.from(body))).toBe(true)
    expect(received!.headers['x-text']).toBe("it's; $(id)")
    expect(received!.path).toBe(`/webhooks?list[]={a}&b='c'`)
  })
})

it.each([
  ['x/export/?attempt=2', 404, [{ attempt: 'There are 1 attempts' }]],
  ['dlv_x/export/', 404, undefined],
  ['x/export/?format=pdf', 400, undefined],
])('GET /_sandbox/deliveries/%.30s is refused: %i', async (path, code, errors) => {
  const { service, first } = await paid()
  const answer = await service.get(`/_sandbox/deliveries/${path.replace(/^x/, first.id)}`)
  expect(answer).toMatchObject({ code, ...(errors && { status: { errors } }) })
})
