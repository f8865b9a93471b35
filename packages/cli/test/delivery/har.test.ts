import { UsageError } from '@service-signature/terminal'
import { describe, expect, it } from 'vitest'
import { FakeIo } from '../../../terminal/test/support/fake-io.js'
import { readDelivery } from '../../src/delivery/read-delivery.js'
import { file } from '../../../terminal/test/support/files.js'
import { known } from '../support/truth.js'

const { body, header } = known
const base64 = Buffer.from(body).toString('base64')
const TEXT_NOTE = expect.stringContaining('A HAR holds the body as text') as string

const page = { request: { method: 'GET', headers: [{ name: 'Accept', value: '*/*' }] } }

function entry(postData?: unknown, ...signatures: readonly string[]) {
  const values = signatures.length === 0 ? [header] : signatures
  const headers = values.map((value) => ({ name: 'service-Signature', value }))
  return { request: { method: 'POST', headers: [{ name: 'Host', value: 'x' }, ...headers], postData } }
}

function har(...entries: readonly unknown[]): string {
  return JSON.stringify({ log: { version: '1.2', entries } })
}

async function read(text: string | Uint8Array, entry?: string) {
  const options = { request: file(text, 'saved.har'), ...(entry !== undefined && { entry }) }
  const { body, header, notes } = await readDelivery(options, new FakeIo())
  return { body: Buffer.from(body).toString('latin1'), header, notes }
}

async function refusal(text: string, entry?: string): Promise<string> {
  const error: unknown = await read(text, entry).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(UsageError)
  return (error as UsageError).message
}

describe('a HAR', () => {
  it('with half a megabyte of white space in its base64 is read at once', async () => {
    const blanks = ' '.repeat(500_000)
    const postData = { text: `${blanks}!`, encoding: 'base64' }
    expect(await refusal(har(entry(postData)))).toContain('This is not base64: it contains "!".')
    const spaced = { text: `${base64}${blanks}`, encoding: 'base64' }
    expect((await read(har(entry(spaced)))).body).toBe(body)
  })

  it('the entry that is signed, among others; and it is said that text is not bytes', async () => {
    await expect(read(har(page, {}, entry({ text: body }), page))).resolves.toEqual({
      body,
      header,
      notes: [TEXT_NOTE],
    })
  })

  it('the text is taken as UTF-8', async () => {
    const { body } = await read(har(entry({ text: '\u00e9' })))
    expect(body).toBe('\u00c3\u00a9')
  })

  it.each([
    { style: 'encoding: base64', postData: { text: base64, encoding: 'base64' } },
    { style: '_base64: true', postData: { text: base64, _base64: true } },
    { style: '_base64 with the bytes', postData: { text: 'other', _base64: base64 } },
    {
      style: 'line breaks in the base64',
      postData: { text: `${base64.slice(0, 8)}\r\n${base64.slice(8)}\n`, encoding: 'base64' },
    },
  ])('$style: the bytes', async ({ postData }) => {
    await expect(read(har(entry(postData)))).resolves.toEqual({ body, header, notes: [] })
  })

  it('a byte order mark and space in front', async () => {
    await expect(read(`\ufeff \n${har(entry({ text: body }))}`)).resolves.toMatchObject({ body, header })
  })

  it('a request without a body has an empty one', async () => {
    await expect(read(har(entry()))).resolves.toEqual({ body: '', header, notes: [] })
    await expect(read(har(entry(null)))).resolves.toEqual({ body: '', header, notes: [] })
  })

  it('a header that was sent twice is joined', async () => {
    await expect(read(har(entry({ text: '' }, 't=1', 't=2')))).resolves.toMatchObject({ header: 't=1, t=2' })
  })

  it('of several the one that --entry counts to, those without a signature left out', async () => {
    const text = har(page, entry({ text: 'a' }, 't=1'), page, entry({ text: 'b' }, 't=2'))
    await expect(read(text, '1')).resolves.toMatchObject({ body: 'a', header: 't=1' })
    await expect(read(text, '2')).resolves.toMatchObject({ body: 'b', header: 't=2' })
  })
})

describe('a HAR is refused', () => {
  const two = har(entry({ text: 'a' }), entry({ text: 'b' }))

  it.each([
    {
      fault: 'several entries and no choice',
      text: two,
      says: 'has 2 signed requests: choose one with --entry 1 to 2.',
    },
    { fault: 'a choice beyond them', text: two, entry: '3', says: 'there is no entry 3.' },
    {
      fault: 'entry 0',
      text: two,
      entry: '0',
      says: '--entry must be a whole number, 1 or above, got "0".',
    },
    { fault: 'an entry that is not a number', text: two, entry: 'x', says: '--entry must be a whole number' },
    { fault: 'no signed entry', text: har(page), says: 'has no request with a Service-Signature header.' },
    { fault: 'no entry', text: har(), says: 'has no request with' },
    {
      fault: 'JSON of another kind',
      text: '{"type":"intent.processed"}',
      says: 'This is JSON, but not a HAR or a saved delivery.',
    },
    {
      fault: 'entries that are not a list',
      text: '{"log":{"entries":{}}}',
      says: 'This is JSON, but not a HAR',
    },
    {
      fault: 'broken JSON',
      text: '{"log": private',
      says: 'This starts like JSON, but is not JSON: it may be cut.',
    },
    {
      fault: 'a body that was not saved',
      text: har(entry({ mimeType: 'application/json', params: [] })),
      says: 'was saved without its body (postData.text).',
    },
    {
      fault: 'a body that is not base64',
      text: har(entry({ text: '%%', encoding: 'base64' })),
      says: 'This is not base64: it contains "%".',
    },
    {
      fault: '_base64 that is not base64',
      text: har(entry({ _base64: 'a*b' })),
      says: 'This is not base64: it contains "*".',
    },
  ])('$fault', async ({ text, entry, says }) => {
    const message = await refusal(text, entry)
    expect(message).toContain(says)
    expect(message).not.toContain('private')
  })
})
