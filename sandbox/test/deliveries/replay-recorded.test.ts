import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { replayRecorded } from '../../server/index.js'
import { cut, Endpoint, status, type Received } from '../support/endpoint.js'
import { temporaryFolder } from '../support/folder.js'

const secret = 'test_signature_key'
const now = () => 1743090080_000
/** Signs with v3 alone at a known time. */
const signed = { secret, versions: ['v3'], now } as const

/** A folder with these files. */
function folder(files: Readonly<Record<string, unknown>>): string {
  const path = temporaryFolder()
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

/** v3 as the specification computes it. */
function v3(body: string, t: number, key = secret): string {
  const message = Buffer.from(body).toString('base64') + String(t)
  return `t=${t},v3=${createHmac('sha256', key).update(message).digest('hex')}`
}

const signatureOf = ({ headers }: Received) => headers['service-signature']

describe('replayRecorded', () => {
  it('sends the recorded bytes with a fresh signature, and reports the answer', async () => {
    const endpoint = await Endpoint.start()
    endpoint.replyWith(status(422))
    const replayed = await replayRecorded(folder({ 'a.json': fixture() }), { url: endpoint.url, ...signed })
    const [{ method, bytes, headers, rawHeaders }] = endpoint.received as [Received]
    expect(method).toBe('POST')
    expect(bytes.toString()).toBe(fixture().body)
    expect(headers).toMatchObject({
      'service-signature': v3(fixture().body, 1743090080),
      'content-length': '41',
      'content-type': 'application/json',
    })
    expect(rawHeaders.filter((name) => /^service-signature$/i.test(name))).toEqual(['Service-Signature'])
    const answer = { status: 422, recordedStatus: 204, body: 'no', durationMs: expect.any(Number) as number }
    expect(replayed).toEqual([{ file: 'a.json', type: 'intent.processed', ...answer }])
  })

  it('signs every version whose key is given, at the present time', async () => {
    const endpoint = await Endpoint.start()
    const options = { url: new URL(endpoint.url), secret, apiKey: 'test_api_key' }
    await replayRecorded(pathToFileURL(folder({ 'a.json': fixture() })), options)
    const header = String(signatureOf(endpoint.received[0]!))
    const [, t] = /^t=(\d+),v1=\w{64},v2=\w{64},v3=\w{64}$/.exec(header)!
    expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(60)
  })

  it('sends the recorded signature with as: "recorded", without a secret, twice if it was sent twice', async () => {
    const endpoint = await Endpoint.start()
    const headers = ['t=1', 't=2'].map((value) => ({ name: 'Service-Signature', value }))
    const path = folder({ 'a.json': fixture(), 'b.har': har(entry({}, { headers, postData: undefined })) })
    await replayRecorded(path, { url: endpoint.url, as: 'recorded' })
    expect(endpoint.received.map(signatureOf)).toEqual(['t=1,v3=old', 't=1, t=2'])
    // A browser saves no empty body.
    expect(endpoint.received[1]!.bytes).toHaveLength(0)
  })

  it('sends deliveries in the order of their recording, from fixtures, lists and HAR files alike', async () => {
    const endpoint = await Endpoint.start()
    const path = folder({
      'b.json': fixture({ type: undefined, recorded_at: '2025-03-27T15:41:19Z', answer: null }),
      'a.json': [
        fixture({ type: 'second' }),
        fixture({ type: 'fourth', recorded_at: '2026-01-01T00:00:00Z' }),
      ],
      'c.har': `\ufeff${JSON.stringify(har({ request: { headers: {} } }, entry()))}`,
      'notes.txt': 'not a recording',
    })
    const replayed = await replayRecorded(path, { url: endpoint.url, secret })
    expect(replayed.map(({ file, type, recordedStatus }) => [file, type, recordedStatus])).toEqual([
      ['b.json', 'intent.processed', null],
      ['a.json#1', 'second', 204],
      ['c.har', 'from.har', 200],
      ['a.json#2', 'fourth', 204],
    ])
    const { headers } = endpoint.received[2]!
    expect(headers).toMatchObject({ 'x-request-id': '7', host: new URL(endpoint.url).host })
  })

  it('reads one file of any name, of JSON or of bytes', async () => {
    const endpoint = await Endpoint.start()
    const recorded = fixture({ type: undefined, body: undefined, body_base64: '/wB7' })
    const path = folder({ 'x.recording': recorded, 'c.har': har(entry({}, { postData: { text: '[]' } })) })
    for (const name of ['x.recording', 'c.har']) {
      const replayed = await replayRecorded(join(path, name), { url: endpoint.url, secret })
      expect(replayed).toMatchObject([{ type: '(no type)' }])
    }
    expect(endpoint.received[0]!.bytes).toEqual(Buffer.from([0xff, 0x00, 0x7b]))
  })

  it('breaks again what was broken on purpose', async () => {
    const endpoint = await Endpoint.start()
    const faults = ['tamper', 'stale', 'wrong-secret', 'no-signature', 'reprinted']
    const recorded = faults.map((fault) => fixture({ type: fault, faults: [fault] }))
    const notJson = fixture({ body: '{', faults: ['reprinted'] })
    await replayRecorded(folder({ 'a.json': [...recorded, notJson] }), { url: endpoint.url, ...signed })
    const { body } = fixture()
    const [tampered, ...others] = endpoint.received.map(signatureOf)
    expect(tampered).toMatch(/^t=1743090080,v3=[0-9a-f]{64}$/)
    expect(tampered).not.toBe(v3(body, 1743090080))
    expect(others).toEqual([
      v3(body, 1743090080 - 3600),
      v3(body, 1743090080, `not ${secret}`),
      undefined,
      v3('{"type":"intent.processed","amount":10}', 1743090080),
      v3('{', 1743090080),
    ])
  })
})

describe('replayRecorded refuses', () => {
  const url = 'http://127.0.0.1:1/'

  it.each([
    ['a misspelled option', { url, secert: secret }, 'replayRecorded has no option "secert"'],
    ['an address that is not one', { url: 'localhost', secret }, '"url" must be the address of an endpoint'],
    ['an unknown "as"', { url, secret, as: 'is' }, '"as" must be "signed" or "recorded"'],
    ['no key', { url }, 'sign needs "secret", "apiKey" or both'],
  ])('%s', async (_, options, message) => {
    const replaying = replayRecorded(folder({ 'a.json': fixture() }), options as never)
    await expect(replaying).rejects.toThrow(TypeError)
    await expect(replaying).rejects.toThrow(message)
  })

  it.each([
    ['text', 'oops', 'a.json: This is not a HAR, a raw HTTP request, a curl command or a saved delivery.'],
    ['a list of something else', [fixture(), {}], 'a.json: This is JSON, but not a HAR or a saved delivery.'],
    ['only a request', `curl -d '{}' ${url}`, 'a.json: Only a fixture and a HAR can be sent again.'],
    ['a time that is not one', fixture({ recorded_at: 'soon' }), 'a.json: It has no time of recording such'],
    ['an unknown fault', fixture({ faults: ['rain'] }), 'a.json: The faults must be a list of tamper,'],
    ['no status', [fixture(), fixture({ answer: {} })], 'a.json#2: "answer" must be null, or have a'],
  ])('a file with %s', async (_, content, message) => {
    const endpoint = await Endpoint.start()
    const replaying = replayRecorded(folder({ 'a.json': content }), { url: endpoint.url, secret })
    await expect(replaying).rejects.toThrow(message)
    expect(endpoint.received).toEqual([])
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
    const endpoint = await Endpoint.start()
    endpoint.replyWith(cut)
    const half = replayRecorded(folder({ 'a.json': fixture() }), { url: endpoint.url, secret })
    await expect(half).rejects.toThrow('ECONNRESET')
    const odd = folder({ 'a.json': fixture({ headers: { 'a b': 'x' } }) })
    await expect(replayRecorded(odd, { url, secret })).rejects.toThrow('ERR_INVALID_HTTP_TOKEN')
  })
})
