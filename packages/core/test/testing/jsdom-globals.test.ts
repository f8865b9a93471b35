import { afterEach, expect, it, vi } from 'vitest'
import { intentEvent, printBody, transactionEvent, verifiedWebhook } from '../../src/entries/testing.js'

// Jest's jsdom lacks all of them.
const stubMissing = () => {
  vi.stubGlobal('TextEncoder', undefined)
  vi.stubGlobal('TextDecoder', undefined)
  vi.stubGlobal('structuredClone', undefined)
}
afterEach(() => {
  vi.unstubAllGlobals()
})

it('verifiedWebhook has the printed body as bytes, without the globals that jsdom lacks', () => {
  const expected = [transactionEvent(), intentEvent()].map((payload) => Buffer.from(printBody(payload)))
  stubMissing()
  const made = [verifiedWebhook(transactionEvent()).rawBody, verifiedWebhook(intentEvent()).rawBody]
  expect(made.map((bytes) => Buffer.from(bytes))).toEqual(expected)
})

it.each([
  ['\u00e9', '"\\u00e9"'],
  ['\u{1f600}', '"\\ud83d\\ude00"'],
  ['\ud800', '"\\ud800"'],
  ['\u007f', '"\\u007f"'],
  ['~\n', '"~\\n"'],
])('printBody escapes %j as Python does, without the globals that jsdom lacks', (text, printed) => {
  stubMissing()
  expect(printBody(text)).toBe(printed)
})
