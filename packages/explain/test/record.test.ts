import { WebhookError, type WebhookErrorCode } from '@service-signature/core'
import { readDeliveries } from '@service-signature/deliveries'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { recordRefusals, type RecordRefusalsOptions } from '../src/record.js'

const HOUR = 3_600_000
const START = Date.UTC(2025, 2, 27, 15, 41, 20)
const MEBIBYTE = 1024 * 1024
const header = 't=1743090080,v3=abc'
const body = Buffer.from('{"name":"Zo\u00eb"}')

let folder: string
let time: number

beforeEach(() => {
  const parent = mkdtempSync(join(tmpdir(), 'refusals-'))
  onTestFinished(() => {
    rmSync(parent, { recursive: true })
  })
  folder = join(parent, 'a', 'b')
  time = START
})

/** A hook whose clock is `time`; the test says which code is refused when. */
function recorder(options: Partial<RecordRefusalsOptions> = {}) {
  const onRejected = recordRefusals({ folder, now: () => time, ...options })
  return (code: WebhookErrorCode = 'ERR_SIGNATURE_MISMATCH', refusal: object = { header, body }) =>
    onRejected(new WebhookError(code), refusal as Parameters<typeof onRejected>[1])
}

const names = () => readdirSync(folder).sort()
const contents = () => names().map((name) => readFileSync(join(folder, name)))
const codes = () => names().map((name) => /ERR_[A-Z_]+(?=_)/.exec(name)![0])
const bytes = () => names().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

function watchWarnings() {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  onTestFinished(() => {
    warn.mockRestore()
  })
  return warn
}

describe('a recorded refusal', () => {
  it('has a request line, the signature, the code, the time and the body, and nothing else', async () => {
    const request = { headers: { cookie: 'a=session', authorization: 'Bearer token' }, url: '/?token=1' }
    await recorder()('ERR_SIGNATURE_MISMATCH', { header, body, request })
    expect(contents().map(String)).toEqual([
      `POST / HTTP/1.1\r\nService-Signature: ${header}\r\n` +
        `Refused: ERR_SIGNATURE_MISMATCH at 2025-03-27T15:41:20.000Z\r\n\r\n${body.toString()}`,
    ])
  })

  it('is read as a delivery that arrived when it was refused', async () => {
    await recorder()()
    expect(readDeliveries(contents()[0]!)).toEqual([
      {
        label: 'POST / HTTP/1.1',
        header,
        body,
        receivedAt: START,
        notes: ['It was refused with ERR_SIGNATURE_MISMATCH at 2025-03-27T15:41:20.000Z.'],
      },
    ])
  })

  it('says if the body was never read', async () => {
    await recorder()('ERR_BODY_TOO_LARGE', { header })
    expect(readDeliveries(contents()[0]!)).toMatchObject([
      { header, body: Buffer.alloc(0), refusedUnread: 'ERR_BODY_TOO_LARGE' },
    ])
  })

  it.each([
    ['no header', undefined, null],
    ['the null of a Headers object', null, null],
    ['two values', ['t=1', 't=2'], 't=1, t=2'],
    ['all headers of the request', { 'service-signature': header, cookie: 'a=session' }, header],
    ['a Headers object', new Headers({ 'service-signature': header, cookie: 'a=session' }), header],
    ['bytes above ASCII', 't=\u00ff', 't=\u00ff'],
    ['line breaks', 't=1\r\nCookie: a\n\n{}\r\n\r\n', 't=1\r\n Cookie: a\n \n {}'],
  ])('keeps the signature apart from other headers and the body: %s', async (_what, given, expected) => {
    await recorder()('ERR_SIGNATURE_MALFORMED', { header: given, body })
    const [file] = contents()
    expect(readDeliveries(file!)[0]!.header).toBe(expected)
    expect(Buffer.from(readDeliveries(file!)[0]!.body)).toEqual(body)
    expect(String(file)).not.toContain('session')
  })

  it('can be read by its owner alone, in a folder that is made for it', async () => {
    await recorder()()
    expect(statSync(join(folder, names()[0]!)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('leaves the mode of a folder that exists', async () => {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o750)
    await recorder()()
    expect(statSync(folder).mode & 0o777).toBe(0o750)
  })

  it('has the body as it was at the time of the refusal', async () => {
    const reused = Buffer.from(body)
    const written = recorder()('ERR_SIGNATURE_MISMATCH', { header, body: reused })
    reused.fill(0)
    await written
    expect(Buffer.from(readDeliveries(contents()[0]!)[0]!.body)).toEqual(body)
  })
})

describe('recordRefusals', () => {
  it('records the first refusal of each code, and then one an hour', async () => {
    const refuse = recorder()
    await refuse()
    await refuse('ERR_SIGNATURE_MISSING')
    time += HOUR - 1
    expect(refuse()).toBeUndefined()
    expect(names()).toHaveLength(2)
    time += 1
    await refuse()
    expect(codes()).toEqual(['ERR_SIGNATURE_MISMATCH', 'ERR_SIGNATURE_MISSING', 'ERR_SIGNATURE_MISMATCH'])
  })

  it('goes on recording after the clock was set back', async () => {
    const refuse = recorder()
    await refuse()
    time -= 24 * HOUR
    await refuse()
    expect(names()).toHaveLength(2)
  })

  it('records the statuses 400, 401, 403, 413 and 415 alone', async () => {
    const refuse = recorder()
    for (const code of [
      ...(['ERR_BODY_NOT_JSON', 'ERR_SIGNATURE_MISMATCH', 'ERR_ACCOUNT_UNEXPECTED'] as const),
      ...(['ERR_BODY_TOO_LARGE', 'ERR_BODY_ENCODED'] as const),
    ]) {
      await refuse(code)
    }
    expect(names()).toHaveLength(5)
    for (const code of [
      ...(['ERR_BODY_TIMEOUT', 'ERR_DELIVERY_IN_PROGRESS', 'ERR_BODY_CONSUMED'] as const),
      ...(['ERR_SECRET_UNAVAILABLE', 'ERR_REPLAY_STORE_UNAVAILABLE'] as const),
    ]) {
      expect(refuse(code)).toBeUndefined()
    }
  })

  it('removes the oldest file of the most frequent code first', async () => {
    const refuse = recorder({ keep: 4 })
    await refuse('ERR_ACCOUNT_UNEXPECTED')
    for (let hour = 0; hour < 10; hour++, time += HOUR) await refuse('ERR_SIGNATURE_MISMATCH')
    expect(codes()).toEqual(['ERR_ACCOUNT_UNEXPECTED', ...Array<string>(3).fill('ERR_SIGNATURE_MISMATCH')])
    expect(names().map((name) => name.slice(0, 13))).toEqual([
      '2025-03-27T15',
      '2025-03-27T22',
      '2025-03-27T23',
      '2025-03-28T00',
    ])
  })

  it('removes the oldest file where each code has one', async () => {
    const refuse = recorder({ keep: 1 })
    await refuse('ERR_ACCOUNT_UNEXPECTED')
    time += 1
    await refuse('ERR_SIGNATURE_MISMATCH')
    expect(codes()).toEqual(['ERR_SIGNATURE_MISMATCH'])
  })

  it('keeps at most 16 MiB, and warns of a request that is larger alone', async () => {
    const warn = watchWarnings()
    const refuse = recorder()
    const large = { header, body: Buffer.alloc(5 * MEBIBYTE) }
    for (let hour = 0; hour < 5; hour++, time += HOUR) await refuse('ERR_SIGNATURE_MISMATCH', large)
    expect(names()).toHaveLength(3)
    expect(warn).not.toHaveBeenCalled()
    await refuse('ERR_SIGNATURE_MISSING', { header, body: Buffer.alloc(16 * MEBIBYTE) })
    expect(names()).toHaveLength(3)
    expect(warn).toHaveBeenCalledOnce()
  })

  it('of 100,000 forgeries in four days keeps 20 files at most, and writes one an hour of each code', async () => {
    const refuse = recorder()
    const forgery = { header, body: Buffer.alloc(MEBIBYTE) }
    const kinds = ['ERR_SIGNATURE_MISMATCH', 'ERR_SIGNATURE_MISSING', 'ERR_SIGNATURE_MALFORMED'] as const
    let written = 0
    for (let count = 0; count < 100_000; count++, time += 3456) {
      const writing = refuse(kinds[count % 3], forgery)
      if (writing === undefined) continue
      written++
      await writing
      expect(names().length).toBeLessThanOrEqual(20)
      expect(bytes()).toBeLessThanOrEqual(16 * MEBIBYTE)
    }
    expect(written).toBeLessThanOrEqual(3 * 97)
    expect(new Set(codes())).toEqual(new Set(kinds))
  })

  it('leaves other files and symbolic links in the folder alone, and does not count them', async () => {
    mkdirSync(folder, { recursive: true })
    const outside = join(folder, '..', 'outside')
    writeFileSync(outside, 'untouched')
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    const link = '2000-01-01T00-00-00.000Z_ERR_SIGNATURE_MISMATCH_00000000-0000-4000-8000-000000000000.http'
    symlinkSync(outside, join(folder, link))
    symlinkSync(join(folder, '..', 'missing'), join(folder, link.replace('2000', '2001')))
    const refuse = recorder({ keep: 1 })
    await refuse()
    time += HOUR
    await refuse()
    expect(names()).toHaveLength(4)
    expect(readFileSync(outside, 'utf8')).toBe('untouched')
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine')
    expect(existsSync(join(folder, '..', 'missing'))).toBe(false)
  })

  it('warns once if it cannot write, and never rejects', async () => {
    const warn = watchWarnings()
    mkdirSync(join(folder, '..'), { recursive: true })
    writeFileSync(folder, 'a file where the folder should be')
    const refuse = recorder()
    await refuse()
    await refuse('ERR_SIGNATURE_MISSING')
    expect(warn.mock.calls).toEqual([
      [
        `A refusal was not recorded in ${folder}; the response is not affected`,
        { type: 'ServiceSignatureWarning', detail: expect.stringMatching(/EEXIST|ENOTDIR/) as string },
      ],
    ])
    rmSync(folder)
    await refuse('ERR_SIGNATURE_MALFORMED')
    expect(names()).toHaveLength(1)
  })

  it.each<[message: string, error: typeof TypeError | typeof RangeError, options: unknown]>([
    ['recordRefusals: expected an options object, got undefined', TypeError, undefined],
    ['recordRefusals has no option "foldr". Did you mean "folder"?', TypeError, { foldr: '/x' }],
    ['"folder" must be the path of a folder, got undefined', TypeError, {}],
    ['"folder" must be the path of a folder, got an empty string', TypeError, { folder: '' }],
    ['"now" must be a function that returns milliseconds, got number', TypeError, { folder: '/x', now: 5 }],
    [
      '"keep" must be a whole number greater than 0, at most 1000, got 0',
      RangeError,
      { folder: '/x', keep: 0 },
    ],
    [
      '"keep" must be a whole number greater than 0, at most 1000, got string',
      TypeError,
      { folder: '/x', keep: '5' },
    ],
  ])('throws: %s', (message, error, options) => {
    const record = () => recordRefusals(options as RecordRefusalsOptions)
    expect(record).toThrow(error)
    expect(record).toThrow(message)
  })
})
