import { UsageError } from '@service-signature/terminal'
import { describe, expect, it } from 'vitest'
import { FakeIo } from '../../../terminal/test/support/fake-io.js'
import { readDelivery, type DeliveryOptions } from '../../src/delivery/read-delivery.js'
import { file } from '../../../terminal/test/support/files.js'
import { known } from '../support/truth.js'

const { body, header } = known
const NOTHING_KNOWN = 'This is not a HAR, a raw HTTP request, a curl command or a saved delivery.'

async function read(options: DeliveryOptions, stdin: string | Uint8Array = '') {
  const { body, header, notes } = await readDelivery(options, new FakeIo({ stdin }))
  return { body: Buffer.from(body).toString('latin1'), header, notes }
}

async function refusal(options: DeliveryOptions): Promise<string> {
  const error: unknown = await readDelivery(options, new FakeIo()).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(UsageError)
  return (error as UsageError).message
}

describe('a body and a header', () => {
  it('the header as it is given, and the body from standard input', async () => {
    await expect(read({ header: ` ${header}` }, body)).resolves.toEqual({
      body,
      header: ` ${header}`,
      notes: [],
    })
  })

  it('the body from a file', async () => {
    await expect(read({ header, body: file(body) })).resolves.toEqual({ body, header, notes: [] })
  })

  it.each([
    { style: 'curl -D', text: `HTTP/1.1 200 OK\r\nService-Signature: ${header}\r\n\r\n` },
    {
      style: 'curl -v',
      text: `* Connected\n> POST / HTTP/1.1\n> Host: x\n> service-signature: ${header}\n>\n< ok: 1\n`,
    },
    { style: 'an answer in curl -v', text: `< SERVICE-SIGNATURE: ${header}\n` },
    { style: 'one line without an end', text: `Service-Signature:${header}` },
    { style: 'spaces at its end', text: `Service-Signature: ${header} \t\n` },
    { style: 'a byte order mark in front', text: `\ufeffHost: x\nService-Signature: ${header}\n` },
    { style: 'a name that only ends alike', text: `X-Service-Signature: no\nService-Signature: ${header}\n` },
  ])('header lines: $style', async ({ text }) => {
    await expect(read({ headers: file(text) }, body)).resolves.toEqual({ body, header, notes: [] })
  })

  it('a folded line keeps its line break, because no server takes it', async () => {
    const [time, digest] = header.split(',') as [string, string]
    const headers = file(`Service-Signature: ${time},\r\n ${digest}\r\nHost: x\r\n`)
    await expect(read({ headers }, body)).resolves.toMatchObject({ header: `${time},\r\n ${digest}` })
  })

  it('a header that was sent twice is joined, as a proxy joins it', async () => {
    const headers = file('Service-Signature: t=1\nHost: x\nservice-signature: t=2\n')
    await expect(read({ headers })).resolves.toMatchObject({ header: 't=1, t=2' })
  })

  it('lines without the header leave it open', async () => {
    await expect(read({ headers: file('Host: x\n') })).resolves.toMatchObject({ header: null })
  })

  it('does not read a header in the middle of a line', async () => {
    const headers = file('note that Service-Signature: t=1\n')
    await expect(read({ headers })).resolves.toMatchObject({ header: null })
  })

  it('without any header it is said which options name one', async () => {
    await expect(refusal({})).resolves.toBe(
      'Say where the signature is: --header <value>, --headers <file> or --request <file>.',
    )
  })

  it('an entry without a HAR is refused', async () => {
    await expect(refusal({ header, entry: '1' })).resolves.toContain('named with --request')
  })
})

describe('a raw request', () => {
  const signature = `Service-Signature: ${header}`

  it.each([
    { style: 'with CRLF', text: `POST / HTTP/1.1\r\nHost: x\r\n${signature}\r\n\r\n${body}` },
    { style: 'with LF', text: `POST /webhooks?a=b HTTP/1.1\nhost: x\n${signature.toLowerCase()}\n\n${body}` },
    {
      style: 'of HTTP/2, as tools print it',
      text: `POST /webhooks HTTP/2\nhost: x\n${signature}\n\n${body}`,
    },
    { style: 'without a version', text: `POST /webhooks\n${signature}\n\n${body}` },
    {
      style: 'with a length, and more bytes after it',
      text: `POST / HTTP/1.1\r\nContent-Length: 17\r\n${signature}\r\n\r\n${body}\n`,
    },
    {
      style: 'with a length that is not a number',
      text: `POST / HTTP/1.1\r\nContent-Length: many\r\n${signature}\r\n\r\n${body}`,
    },
    {
      style: 'in one chunk',
      text: `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${signature}\r\n\r\n11\r\n${body}\r\n0\r\n\r\n`,
    },
    {
      style: 'in chunks with extensions and trailers',
      text: `POST / HTTP/1.1\r\ntransfer-encoding: Chunked\r\n${signature}\r\n\r\n00A ;x=1\r\n"webhook_p\r\n7\r\nayload"\r\n0\r\nDigest: x\r\n\r\n`,
    },
    {
      style: 'in chunks whose lines have lost their CR',
      text: `POST / HTTP/1.1\nTransfer-Encoding: chunked\n${signature}\n\n11\n${body}\n0\n\n`,
    },
    {
      style: 'in chunks, with a length as well',
      text: `POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n${signature}\r\n\r\n11\r\n${body}\r\n0\r\n\r\n`,
    },
  ])('$style', async ({ text }) => {
    await expect(read({ request: file(text) })).resolves.toEqual({ body, header, notes: [] })
  })

  it('its body is taken byte for byte, blank lines in it too', async () => {
    const bytes = Buffer.from('ff00c30d0a0d0a0a0aefbbbf0a', 'hex')
    const request = file(Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\n${signature}\r\n\r\n`), bytes]))
    const { body } = await read({ request })
    expect(Buffer.from(body, 'latin1')).toEqual(bytes)
  })

  it('it can come from standard input', async () => {
    await expect(read({ request: '-' }, `POST / HTTP/1.1\n${signature}\n\n${body}`)).resolves.toEqual({
      body,
      header,
      notes: [],
    })
  })

  it('an empty body is a body', async () => {
    const request = file(`POST / HTTP/1.1\n${signature}\n\n`)
    await expect(read({ request })).resolves.toEqual({ body: '', header, notes: [] })
  })

  it('a body that is shorter than its length is taken, with a note', async () => {
    const request = file(`POST / HTTP/1.1\nContent-Length: 18\n${signature}\n\n${body}`)
    await expect(read({ request })).resolves.toEqual({
      body,
      header,
      notes: ['Content-Length is 18 bytes, and there are 17: the body is cut, or has lost carriage returns.'],
    })
  })

  it.each([
    { fault: 'no chunks', rest: body },
    { fault: 'a length that is not hex', rest: `1g\r\n${body}\r\n0\r\n\r\n` },
    { fault: 'a chunk that is too short', rest: `13\r\n${body}\r\n0\r\n\r\n` },
    { fault: 'a chunk that is too long', rest: `10\r\n${body}\r\n0\r\n\r\n` },
    { fault: 'a chunk that ends with the file', rest: `11\r\n${body}` },
    { fault: 'no last chunk', rest: `11\r\n${body}\r\n` },
    { fault: 'an empty line', rest: `\r\n${body}` },
    { fault: 'a length that no file has', rest: `fffffffff\r\n${body}\r\n0\r\n\r\n` },
  ])('said to be chunked, with $fault: taken as it stands, with a note', async ({ rest }) => {
    const request = file(`POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${signature}\r\n\r\n${rest}`)
    const { body, notes } = await read({ request })
    expect(body).toBe(rest)
    expect(notes).toEqual(['The head says "chunked", but the body is not: it is used as it is.'])
  })

  it.each([
    {
      fault: 'no blank line',
      text: `POST / HTTP/1.1\r\n${signature}\r\n`,
      says: 'The request has no blank line between its headers and its body.',
    },
    { fault: 'no request line', text: `${signature}\r\n\r\n${body}`, says: NOTHING_KNOWN },
    { fault: 'nothing', text: '', says: NOTHING_KNOWN },
    { fault: 'an answer', text: `HTTP/1.1 200 OK\r\n\r\n${body}`, says: NOTHING_KNOWN },
    { fault: 'a body alone', text: `[1]\n\n`, says: 'This is JSON, but not a HAR or a saved delivery.' },
  ])('refused: $fault', async ({ text, says }) => {
    const request = file(text)
    await expect(refusal({ request })).resolves.toBe(`${request}: ${says}`)
  })

  it('is the only entry of its file', async () => {
    const request = file(`POST / HTTP/1.1\n${signature}\n\n${body}`)
    await expect(read({ request, entry: '1' })).resolves.toMatchObject({ body })
    await expect(refusal({ request, entry: '2' })).resolves.toContain(
      'has 1 signed request: there is no entry 2.',
    )
  })
})

describe('a curl command', () => {
  it.each([
    ['as a browser copies it', `curl 'http://x/' -H 'Service-Signature: ${header}' --data-raw '${body}'`],
    [
      'with lines that continue',
      `curl -X POST http://x/ \\\n  -H "service-signature: ${header}" \\\n  -d '${body}'`,
    ],
    ['after a prompt', `$ curl -H'Service-Signature: ${header}' --data-binary '${body}' http://x/\n`],
  ])('%s', async (_, command) => {
    await expect(read({ request: '-' }, command)).resolves.toMatchObject({ body, header })
  })

  it('whose body is in a file is refused, and the message names the file', async () => {
    const request = file(`curl -H 'Service-Signature: ${header}' --data-binary @event.json http://x/`)
    await expect(refusal({ request })).resolves.toBe(
      `${request}: The body is in the file event.json, not in the command: give the header and the body on their own.`,
    )
  })
})

describe('a log', () => {
  const saved = (text: string) => ({
    ...{ format: 'service-signature-delivery', version: 1, recorded_at: '2025-03-27T15:41:32Z' },
    ...{ headers: { 'Service-Signature': header }, body: text },
  })

  it.each([
    ['a line', JSON.stringify(saved(body))],
    ['a field of a record', JSON.stringify({ level: 40, msg: 'refused', delivery: saved(body) })],
    ['a line after a time', `2025-03-27T15:41:32Z WARN ${JSON.stringify(saved(body))}`],
    ['a line among others', `{"level":30}\nlistening\n${JSON.stringify(saved(body))}\n{"level":`],
  ])('has the delivery as %s', async (_, text) => {
    await expect(read({ request: file(text) })).resolves.toMatchObject({ body, header })
  })

  it('has several deliveries, of which --entry chooses one, and the message lists them', async () => {
    const request = file(`${JSON.stringify(saved('a'))}\n${JSON.stringify(saved('b'))}\n`)
    await expect(read({ request, entry: '2' })).resolves.toMatchObject({ body: 'b' })
    await expect(refusal({ request })).resolves.toContain('\n  2  2025-03-27T15:41:32Z')
  })
})
