import { describe, expect, it } from 'vitest'
import { readDeliveries } from '../src/index.js'

const read = (content: unknown) =>
  readDeliveries(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)))

/** The deliveries with their bodies as text, without what only a replay needs. */
const texts = (content: unknown) =>
  read(content).map(({ label, header, body, receivedAt, notes }) => ({
    label,
    header,
    body: Buffer.from(body).toString(),
    ...(receivedAt !== undefined && { receivedAt }),
    notes,
  }))

const header = 't=1743090080,v3=abc'
const body = '{"name": "Zo\u00eb"}'

describe('a HAR', () => {
  const entry = (request: object, startedDateTime?: string) => ({ startedDateTime, request })
  const har = (...entries: readonly object[]) => ({ log: { version: '1.2', entries } })
  const signed = [{ name: 'service-signature', value: header }]
  const postData = { mimeType: 'application/json', text: body }

  it('has the deliveries among its requests', () => {
    const loaded = texts(
      har(
        entry({ method: 'GET', url: 'https://shop.example/', headers: [] }),
        entry(
          { method: 'POST', url: 'https://shop.example/a', headers: signed, postData },
          '2025-03-27T15:41:32Z',
        ),
        entry({ method: 'POST', url: 'https://shop.example/b', headers: signed }),
        entry({ method: 'POST' }),
      ),
    )
    expect(loaded).toEqual([
      {
        label: '2025-03-27T15:41:32Z POST https://shop.example/a',
        header,
        body,
        receivedAt: 1743090092_000,
        notes: [expect.stringContaining('A HAR holds the body as text') as string],
      },
      { label: 'POST https://shop.example/b', header, body: '', notes: [] },
    ])
  })

  it('joins a header that was sent twice', () => {
    const [delivery] = read(har(entry({ headers: [...signed, ...signed], postData: null })))
    expect(delivery!.header).toBe(`${header}, ${header}`)
  })

  it.each([
    { text: 'H4sI/w==', encoding: 'base64' },
    { text: 'H4sI/w==', _base64: true },
    { text: '', _base64: 'H4sI/w==' },
  ])('may have the body in base64: %j', (data) => {
    const [{ body: bytes, notes }] = read(har(entry({ headers: signed, postData: data }))) as [never]
    expect({ bytes, notes }).toEqual({ bytes: Uint8Array.from([0x1f, 0x8b, 0x08, 0xff]), notes: [] })
  })

  it('is refused without a signed request, or without a body that was there', () => {
    expect(() => read(har(entry({ headers: [] })))).toThrow('has no request with a Service-Signature header')
    expect(() => read(har(entry({ headers: signed, postData: {} })))).toThrow('was saved without its body')
  })
})

describe('a saved delivery', () => {
  const saved = {
    format: 'service-signature-delivery',
    version: 1,
    recorded_at: '2025-03-27T15:41:32.000000Z',
    type: 'intent.processed',
    headers: { 'Content-Type': 'application/json', 'Service-Signature': header },
    body,
  }
  const loaded = {
    label: '2025-03-27T15:41:32.000000Z intent.processed',
    header,
    body,
    receivedAt: 1743090092_000,
    notes: [],
  }

  it('is one object, or several in a list, also after a byte order mark', () => {
    expect(texts(saved)).toEqual([loaded])
    expect(texts([saved, saved])).toEqual([loaded, loaded])
    expect(texts(`\ufeff${JSON.stringify(saved)}`)).toEqual([loaded])
  })

  it('may have bytes, and no header', () => {
    const { format, version } = saved
    expect(read({ format, version, headers: {}, body_base64: 'H4v/' })).toEqual([
      {
        label: '',
        header: null,
        body: Uint8Array.from([0x1f, 0x8b, 0xff]),
        notes: [],
        exchange: { headers: [] },
      },
    ])
  })

  it.each([
    [{ version: 2 }, 'Version 2 of saved deliveries is unknown; expected 1.'],
    [{ headers: [] }, '"headers" of a saved delivery must be an object whose values are strings.'],
    [{ headers: { a: 5 } }, '"headers" of a saved delivery must be an object whose values are strings.'],
    [{ headers: null }, '"headers" of a saved delivery must be an object whose values are strings.'],
    [{ body: 5 }, 'A saved delivery must have a string "body" or "body_base64".'],
  ])('is refused with %j', (change, message) => {
    expect(() => read({ ...saved, ...change })).toThrow(message)
  })
})

describe('a raw request', () => {
  const request = (head: readonly string[], rest: string, lineBreak = '\r\n') =>
    ['POST /webhooks HTTP/1.1', 'Host: shop.example', `Service-Signature: ${header}`, ...head, '', rest].join(
      lineBreak,
    )

  it.each(['\r\n', '\n'])('is read with line breaks %j, and with letters beyond ASCII', (lineBreak) => {
    expect(texts(request([], body, lineBreak))).toEqual([
      { label: 'POST /webhooks HTTP/1.1', header, body, notes: [] },
    ])
  })

  it('may have no signature, and other lines', () => {
    expect(read('POST /webhooks\r\nHost: a\r\n\r\n{}')[0]!.header).toBeNull()
    expect(read('POST / HTTP/1.1\nService-Signature: t=1\n???\n\n{}')[0]!.header).toBe('t=1')
  })

  const FOLDED =
    'A header line of the request is folded, which HTTP no longer allows: Node answers 400 before any handler runs.'

  it.each([
    ['Service-Signature: t=1,\r\n v3=abc', 't=1,\r\n v3=abc'],
    ['Service-Signature: t=1,\n\tv3=abc\n  ', 't=1,\n\tv3=abc'],
    ['Service-Signature:\r\n t=1,v3=abc', '\r\n t=1,v3=abc'],
    ['Service-Signature: t=1\nX-Other: a\n b', 't=1'],
  ])('keeps the line breaks of a folded header, and has a note: %j', (head, expected) => {
    const [delivery] = texts(`POST / HTTP/1.1\n${head}\n\n{}`)
    expect(delivery).toMatchObject({ header: expected, body: '{}', notes: [FOLDED] })
  })

  it('ends with the length that it names', () => {
    expect(texts(request(['Content-Length: 2'], '{}\r\nHTTP/1.1 200 OK'))[0]).toMatchObject({
      body: '{}',
      notes: [],
    })
    expect(texts(request(['Content-Length: x'], '{}'))[0]!.body).toBe('{}')
    expect(texts(request(['Content-Length: 20'], '{}'))[0]!.notes).toEqual([
      'Content-Length is 20 bytes, and there are 2: the body is cut, or has lost carriage returns.',
    ])
  })

  it('is read without its chunks', () => {
    const chunked = (rest: string) => texts(request(['Transfer-Encoding: chunked'], rest))[0]!
    expect(chunked('5;name=value\r\n{"a":\r\n2\n1}\n0\r\n\r\n')).toMatchObject({ body: '{"a":1}', notes: [] })
    for (const rest of ['{"a":1}', '{"a":1}\r\n', '5\r\n{"a":1}\r\n0\r\n\r\n', '2\r\n{}']) {
      expect(chunked(rest)).toMatchObject({
        body: rest,
        notes: ['The head says "chunked", but the body is not: it is used as it is.'],
      })
    }
  })

  it('is refused without a blank line', () => {
    expect(() => read('POST / HTTP/1.1\r\nHost: a\r\n{}')).toThrow('has no blank line')
  })
})

describe('a curl command', () => {
  it.each([
    [`curl -H 'Service-Signature: ${header}' --data-binary '${body}' https://shop.example/`, body],
    [`$ curl https://shop.example/ -X POST -H "service-signature:${header}" -d '{"a":' -d 1}`, '{"a":&1}'],
    [
      `curl --header 'Service-Signature: ${header}' \\\n  --json "{\\"a\\": \\"\\$\\"}" \\\r\n  'https://shop.example/'`,
      '{"a": "$"}',
    ],
    [
      `curl -sS -XPOST -H'Service-Signature: ${header}' --url-query a -u me:key --data-raw '@a' https://shop.example/`,
      '@a',
    ],
    [
      `curl -H 'Service-Signature: ${header}' -d$'{"a":"\\x41\\u00e9\\U0001f600\\n\\'\\101"}' https://shop.example/`,
      '{"a":"A\u00e9\u{1f600}\n\'A"}',
    ],
    [
      `printf '@{"a":"100%%\\055\\n\\t\\r\\\\"}' | curl --data-binary @- -H 'Service-Signature: ${header}' https://shop.example/`,
      '@{"a":"100%-\n\t\r\\"}',
    ],
    [`curl -H "Service-Signature: ${header}" -d one\\ word\\\ntwo https://shop.example/`, 'one wordtwo'],
    [`curl -H "Service-Signature: ${header}" -d "a\\\nb" https://shop.example/`, 'ab'],
  ])('%s', (command, expected) => {
    expect(texts(command)).toEqual([
      { label: 'curl https://shop.example/', header, body: expected, notes: [] },
    ])
  })

  it('may be short', () => {
    expect(texts('curl -H')).toEqual([{ label: 'curl', header: null, body: '', notes: [] }])
    expect(texts('curl -d')[0]!.body).toBe('')
    expect(texts('printf | curl -d @-')[0]!.body).toBe('')
    expect(texts("curl -H 'Service-Signature;' -H name a")[0]!.header).toBe('')
  })

  it.each([
    [
      'curl -d @body.json a',
      'The body is in the file body.json, not in the command: give the header and the body on their own.',
    ],
    ['curl -d @- a', 'The body is in the standard input'],
    ['curl --data-urlencode a=b a', 'curl encodes the body of --data-urlencode'],
    ['curl -F a=b a', 'curl encodes the body of -F'],
    ["curl -d '{", "A quote (') in the command is not closed."],
    ['curl -d "{\\"', 'A quote (") in the command is not closed.'],
  ])('is refused: %s', (command, message) => {
    expect(() => read(command)).toThrow(message)
  })
})

it.each([
  ['{"type": "intent.processed"}', 'This is JSON, but not a HAR or a saved delivery.'],
  ['[]', 'This is JSON, but not a HAR or a saved delivery.'],
  ['{"log": ', 'This starts like JSON, but is not JSON: it may be cut.'],
  ['hello', 'This is not a HAR, a raw HTTP request, a curl command or a saved delivery.'],
])('refuses %s', (text, message) => {
  expect(() => read(text)).toThrow(message)
})
