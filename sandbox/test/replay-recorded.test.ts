import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { replayRecorded } from '../server/index.js'
import { Endpoint, status } from './support/endpoint.js'
import { Service } from './support/service.js'

const secret = 'test_signature_key'
const now = () => 1743090080_000

/** A folder with these files, which is removed after the test. */
function folder(files: Readonly<Record<string, unknown>>): string {
  const path = mkdtempSync(join(tmpdir(), 'service-signature-'))
  onTestFinished(() => {
    rmSync(path, { recursive: true })
  })
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(path, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return path
}

function fixture(fields: object = {}) {
  return {
    format: 'service-signature-delivery',
    version: 1,
    recorded_at: '2025-03-27T15:41:20.000000Z',
    type: 'intent.processed',
    url: 'https://shop.example/webhooks',
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Service-Signature': 't=1,v3=old', 'Content-Length': '2' },
    body: '{"type":"intent.processed","amount":10.0}',
    answer: { status: 204 },
    ...fields,
  }
}

function entry(fields: object = {}, request: object = {}) {
  return {
    startedDateTime: '2025-03-27T15:41:21.000Z',
    request: {
      method: 'POST',
      headers: [
        { name: ':authority', value: 'shop.example' },
        { name: 'host', value: 'shop.example' },
        { name: 'x-request-id', value: '7' },
        { name: 'service-signature', value: 't=1,v3=old' },
      ],
      postData: { mimeType: 'application/json', text: '{"type":"from.har"}' },
      ...request,
    },
    response: { status: 200 },
    ...fields,
  }
}

function har(...entries: readonly unknown[]) {
  return { log: { version: '1.2', entries } }
}

/** v3 step by step as the specification computes it. */
function v3(body: Buffer, t: number, key = secret): string {
  return `t=${t},v3=${createHmac('sha256', key)
    .update(body.toString('base64') + String(t))
    .digest('hex')}`
}

describe('replayRecorded', () => {
  it('sends the recorded bytes with a fresh signature, and reports the answer', async () => {
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(422))
    const path = folder({ 'a.json': fixture() })
    const replayed = await replayRecorded(path, { url: endpoint.url, secret, versions: ['v3'], now })
    const [{ method, bytes, headers, rawHeaders }] = endpoint.received as [(typeof endpoint.received)[0]]
    expect(method).toBe('POST')
    expect(bytes.toString()).toBe(fixture().body)
    expect(headers['service-signature']).toBe(v3(bytes, 1743090080))
    expect(rawHeaders.filter((name) => name.toLowerCase() === 'service-signature')).toEqual([
      'Service-Signature',
    ])
    expect(headers).toMatchObject({ 'content-length': '41', 'content-type': 'application/json' })
    expect(replayed).toEqual([
      {
        file: 'a.json',
        type: 'intent.processed',
        status: 422,
        recordedStatus: 204,
        body: 'no',
        durationMs: expect.any(Number) as number,
      },
    ])
  })

  it('signs every version whose key is given, at the present time', async () => {
    const endpoint = await Endpoint.start()
    const options = { url: new URL(endpoint.url), secret, apiKey: 'test_api_key' }
    await replayRecorded(pathToFileURL(folder({ 'a.json': fixture() })), options)
    const header = String(endpoint.received[0]!.headers['service-signature'])
    const [, t] = /^t=(\d+),v1=\w{64},v2=\w{64},v3=\w{64}$/.exec(header)!
    expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(60)
  })

  it.each([
    ['{"amount": 10.0}', '{"amount":10}'],
    ['{', '{'],
  ])('signs a check again as the body printed again: %s', async (body, signed) => {
    const endpoint = await Endpoint.start()
    const path = folder({ 'a.json': fixture({ body, faults: ['reprinted'] }) })
    await replayRecorded(path, { url: endpoint.url, secret, versions: ['v3'], now })
    const [{ bytes, headers }] = endpoint.received as [(typeof endpoint.received)[0]]
    expect(bytes.toString()).toBe(body)
    expect(headers['service-signature']).toBe(v3(Buffer.from(signed), 1743090080))
  })

  it('sends the recorded signature with as: "recorded", without a secret', async () => {
    const endpoint = await Endpoint.start()
    await replayRecorded(folder({ 'a.json': fixture() }), { url: endpoint.url, as: 'recorded' })
    expect(endpoint.received[0]!.headers['service-signature']).toBe('t=1,v3=old')
  })

  it('sends deliveries in the order of their recording, from fixtures, lists and HAR files alike', async () => {
    const endpoint = await Endpoint.start()
    const path = folder({
      'b.json': fixture({ type: 'first', recorded_at: '2025-03-27T15:41:19Z', answer: null }),
      'a.json': [
        fixture({ type: 'second' }),
        fixture({ type: 'fourth', recorded_at: '2026-01-01T00:00:00Z' }),
      ],
      'c.har': `\ufeff${JSON.stringify(har({ request: { headers: {} } }, entry()))}`,
      'notes.txt': 'not a recording',
    })
    const replayed = await replayRecorded(path, { url: endpoint.url, secret })
    expect(replayed.map(({ file, type, recordedStatus }) => [file, type, recordedStatus])).toEqual([
      ['b.json', 'first', null],
      ['a.json#1', 'second', 204],
      ['c.har', 'from.har', 200],
      ['a.json#2', 'fourth', 204],
    ])
    const { headers } = endpoint.received[2]!
    expect(headers['x-request-id']).toBe('7')
    expect(headers.host).toBe(new URL(endpoint.url).host)
  })

  it('reads one file, and bodies that are saved as base64', async () => {
    const endpoint = await Endpoint.start()
    const bytes = Buffer.from([0xff, 0x00, 0x7b])
    const base64 = bytes.toString('base64')
    const path = folder({ 'x.recording': fixture({ body: undefined, body_base64: base64 }) })
    await replayRecorded(join(path, 'x.recording'), { url: endpoint.url, secret })
    const postData = { text: base64, encoding: 'base64' }
    const saved = har(entry({ response: { status: 0 } }, { postData }))
    const replayed = await replayRecorded(folder({ 'a.har': saved }), { url: endpoint.url, secret })
    expect(replayed).toMatchObject([{ type: '(no type)', recordedStatus: null }])
    const proxied = har(entry({}, { postData: { text: '', _base64: base64 } }))
    await replayRecorded(folder({ 'a.har': proxied }), { url: endpoint.url, secret })
    expect(endpoint.received.map((received) => received.bytes)).toEqual([bytes, bytes, bytes])
  })

  it('sends no body where a browser saved none, and a header twice if it was sent twice', async () => {
    const endpoint = await Endpoint.start()
    const headers = [
      { name: 'Service-Signature', value: 't=1' },
      { name: 'Service-Signature', value: 't=2' },
    ]
    const saved = folder({ 'a.har': har(entry({}, { headers, postData: undefined })) })
    await replayRecorded(saved, { url: endpoint.url, as: 'recorded' })
    expect(endpoint.received[0]).toMatchObject({ bytes: Buffer.alloc(0) })
    expect(endpoint.received[0]!.rawHeaders).toEqual([
      ...['Host', new URL(endpoint.url).host],
      ...['Service-Signature', 't=1', 'Service-Signature', 't=2'],
      ...['Content-Length', '0', 'Connection', 'close'],
    ])
  })

  it('takes the type of a fixture from its body if it was not saved', async () => {
    const endpoint = await Endpoint.start()
    const path = folder({ 'a.json': fixture({ type: undefined }) })
    expect(await replayRecorded(path, { url: endpoint.url, secret })).toMatchObject([
      { type: 'intent.processed' },
    ])
  })

  it('has no type for JSON without one', async () => {
    const endpoint = await Endpoint.start()
    const saved = har(entry({}, { postData: { text: '[]' } }))
    expect(await replayRecorded(folder({ 'a.har': saved }), { url: endpoint.url, secret })).toMatchObject([
      { type: '(no type)' },
    ])
  })

  it('breaks again what was broken on purpose', async () => {
    const endpoint = await Endpoint.start()
    const faults = ['tamper', 'stale', 'wrong-secret', 'no-signature']
    const recorded = faults.map((fault) => fixture({ type: fault, faults: [fault] }))
    const options = { url: endpoint.url, secret, versions: ['v3'], now } as const
    await replayRecorded(folder({ 'a.json': recorded }), options)
    const bytes = Buffer.from(fixture().body)
    const headers = endpoint.received.map((received) => received.headers['service-signature'])
    expect(headers[0]).toMatch(/^t=1743090080,v3=[0-9a-f]{64}$/)
    expect(headers[0]).not.toBe(v3(bytes, 1743090080))
    expect(headers[1]).toBe(v3(bytes, 1743090080 - 3600))
    expect(headers[2]).toBe(v3(bytes, 1743090080, `not ${secret}`))
    expect(headers[3]).toBeUndefined()
  })

  it('replays an export of the sandbox, whose forgeries are refused again', async () => {
    const service = await Service.start()
    let current = service.sandbox.secret
    const app = express()
    app.post('/webhooks', serviceSignature({ secret: () => current }), (_, res) => void res.sendStatus(204))
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
    await service.pay((await service.intent({ webhook_url: url })).data.id)
    await service.sandbox.drained()
    const [first, second] = await service.deliveries()
    await service.post(`/_sandbox/deliveries/${first!.id}/resend/`, { tamper: true })
    const download = async (id: string, format: string) => {
      const response = await fetch(
        `${service.sandbox.url}/_sandbox/deliveries/${id}/export/?format=${format}`,
      )
      return response.text()
    }
    const files = {
      'first.json': await download(first!.id, 'fixture'),
      'first.har': await download(first!.id, 'har'),
      'second.json': await download(second!.id, 'fixture'),
      'second.har': await download(second!.id, 'har'),
    }
    current = 'another_secret'
    const replayed = await replayRecorded(folder(files), { url, secret: current })
    expect(replayed).toHaveLength(4)
    for (const { type, status, recordedStatus } of replayed) {
      expect(recordedStatus).toBe(type === 'intent.processed' ? 204 : 401)
      expect(status).toBe(recordedStatus)
    }
  })
})

describe('replayRecorded refuses', () => {
  const url = 'http://127.0.0.1:1/'

  it.each([
    ['a misspelled option', { url, secert: secret }, 'replayRecorded has no option "secert"'],
    ['an address that is not one', { url: 'localhost', secret }, '"url" must be the address of an endpoint'],
    ['another protocol', { url: 'ftp://a/', secret }, '"url" must be the address of an endpoint'],
    ['an unknown "as"', { url, secret, as: 'is' }, '"as" must be "signed" or "recorded"'],
    ['no key', { url }, 'sign needs "secret", "apiKey" or both'],
  ])('%s', async (_, options, message) => {
    const replaying = replayRecorded(folder({ 'a.json': fixture() }), options as never)
    await expect(replaying).rejects.toThrow(TypeError)
    await expect(replaying).rejects.toThrow(message)
  })

  it.each([
    ['text', 'oops', 'a.json: This is not a HAR, a raw HTTP request, a curl command or a saved delivery.'],
    ['other JSON', { name: 'package' }, 'a.json: This is JSON, but not a HAR or a saved delivery.'],
    ['a list of something else', [fixture(), {}], 'a.json: This is JSON, but not a HAR or a saved delivery.'],
    ['null', null, 'a.json: This is JSON, but not a HAR or a saved delivery.'],
    [
      'a delivery without its answer',
      "curl -d '{}' http://127.0.0.1:1/",
      'a.json: Only a fixture and a HAR can be sent again.',
    ],
    [
      'a later version',
      fixture({ version: 2 }),
      'a.json: Version 2 of saved deliveries is unknown; expected 1.',
    ],
    [
      'a time that is not one',
      fixture({ recorded_at: 'soon' }),
      'a.json: It has no time of recording such as 2025-03-27T15:41:20Z.',
    ],
    ['no time', fixture({ recorded_at: 5 }), 'a.json: It has no time of recording'],
    ['no headers', fixture({ headers: null }), 'must be an object whose values are strings.'],
    ['a list of headers', fixture({ headers: [] }), 'must be an object whose values are strings.'],
    ['a header that is not text', fixture({ headers: { a: 1 } }), 'whose values are strings.'],
    ['no body', fixture({ body: null }), 'A saved delivery must have a string "body" or "body_base64".'],
    [
      'base64 that is not base64',
      fixture({ body: undefined, body_base64: '%' }),
      'This is not base64: it contains "%".',
    ],
    [
      'an unknown fault',
      fixture({ faults: ['rain'] }),
      'a.json: The faults must be a list of tamper, stale,',
    ],
    ['faults that are not a list', fixture({ faults: 'tamper' }), 'a.json: The faults must be a list of'],
    ['no answer', fixture({ answer: {} }), 'a.json: "answer" must be null, or have a "status".'],
    [
      'a fixture of a list',
      [fixture(), fixture({ answer: {} })],
      'a.json#2: "answer" must be null, or have a "status".',
    ],
    ['a HAR without entries', har(), 'a.json: The HAR has no request with a Service-Signature header.'],
    [
      'a HAR without a time',
      har(entry({ startedDateTime: 1 })),
      'a.json: It has no time of recording such as 2025-03-27T15:41:20Z.',
    ],
    [
      'a HAR without a body',
      har(entry({}, { postData: { mimeType: 'application/json' } })),
      'a.json: A request in the HAR was saved without its body (postData.text).',
    ],
  ])('a file with %s', async (_, content, message) => {
    await expect(replayRecorded(folder({ 'a.json': content }), { url, secret })).rejects.toThrow(message)
  })

  it('a folder without recordings, so that a test of it does not pass', async () => {
    const path = folder({ 'notes.txt': '' })
    const message = `There are no recorded deliveries in ${path}.`
    await expect(replayRecorded(path, { url, secret })).rejects.toThrow(message)
    await expect(replayRecorded(join(path, 'x'), { url, secret })).rejects.toThrow('ENOENT')
  })

  it('an endpoint that does not answer, and names the file', async () => {
    const replaying = replayRecorded(folder({ 'a.json': fixture() }), { url, secret })
    await expect(replaying).rejects.toThrow('a.json: no answer from http://127.0.0.1:1/: ECONNREFUSED')
    const odd = folder({ 'a.json': fixture({ headers: { 'a b': 'x' } }) })
    await expect(replayRecorded(odd, { url, secret })).rejects.toThrow('ERR_INVALID_HTTP_TOKEN')
  })
})
