import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  curlOf,
  fixtureName,
  fixtureOf,
  harOf,
  readDeliveries,
  type AttemptReport,
  type SavedDelivery,
} from '../src/index.js'

const header = 't=1743090080,v3=abc'

function report(fields: Partial<AttemptReport> = {}): AttemptReport {
  return {
    delivery: 'dlv_1',
    attempt: 1,
    type: 'intent.processed',
    url: 'http://127.0.0.1:1/',
    created: 0,
    at: 1743090080371,
    headers: { 'Content-Type': 'application/json', 'Service-Signature': header },
    body: '{}',
    faults: [],
    answer: null,
    error: null,
    durationMs: 0,
    ...fields,
  }
}

const WRITERS = {
  curl: curlOf,
  HAR: (report: AttemptReport) =>
    JSON.stringify(harOf([report], { creator: { name: 'test', version: '1' }, statusTexts: STATUS_CODES })),
  fixture: (report: AttemptReport) => JSON.stringify(fixtureOf(report)),
  'line of a log': (report: AttemptReport) =>
    `12:00 info ${JSON.stringify({ message: 'x', delivery: fixtureOf(report) })}\n`,
}

function readBack(text: string): SavedDelivery {
  const [delivery, ...others] = readDeliveries(Buffer.from(text))
  expect(others).toEqual([])
  return delivery!
}

describe.each(Object.entries(WRITERS))('a delivery that was written as %s', (_format, write) => {
  it.each([
    ['letters beyond ASCII and line breaks', '{\n\t"a": "\u00e9\u{1f600}"\r\n}\n'],
    ['quotes and what a shell expands', `{"a":"it's \\"$HOME\\" \`id\` !! \\\\n"}`],
    ['an at sign at its start', '@/etc/hostname'],
    ['a NUL, percent signs and a hyphen at its start', '-%s\0\\0\\'],
    ['nothing', ''],
  ])('is read with the same signature and body: %s', (_what, body) => {
    const { header: read, body: bytes } = readBack(write(report({ body })))
    expect({ header: read, body: Buffer.from(bytes).toString() }).toEqual({ header, body })
  })

  it('is read without a signature if it was sent without one', () => {
    const unsigned = report({ headers: { 'Content-Type': 'application/json' }, faults: ['no-signature'] })
    expect(readBack(write(unsigned)).header).toBeNull()
  })
})

it.each([WRITERS.HAR, WRITERS.fixture])('a recording has what a replay needs', (write) => {
  const answer = { status: 401, headers: { 'set-cookie': ['a=b', 'c=d'] }, body: 'no' }
  const { receivedAt, exchange } = readBack(write(report({ faults: ['tamper'], answer })))
  expect(receivedAt).toBe(1743090080371)
  expect(exchange).toEqual({
    method: 'POST',
    headers: Object.entries(report().headers),
    type: 'intent.processed',
    faults: ['tamper'],
    status: 401,
  })
  expect(readBack(write(report())).exchange).toMatchObject({ status: null })
})

it('the name of a fixture has no characters that a file system refuses', () => {
  const name = fixtureName(report({ type: '../dispute:opened*', created: 1743090080123 }))
  expect(name).toBe('2025-03-27T15-41-20-123_..-dispute-opened-_dlv_1.json')
})
