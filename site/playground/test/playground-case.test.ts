import { describe, expect, it } from 'vitest'
import { completeCase, receivedTime, type PlaygroundCase } from '../src/playground-case.js'

describe('a case', () => {
  it('is empty, with the defaults of the verifier, where nothing is given', () => {
    expect(completeCase({})).toEqual({
      header: null,
      body: new Uint8Array(),
      secrets: [],
      apiKeys: [],
      versions: ['v3'],
      receivedAt: 'header',
      toleranceSeconds: 300,
      futureToleranceSeconds: 60,
    })
  })

  it('keeps what is given, and copies the bytes of the body', () => {
    const body = Buffer.from('{}')
    const given = completeCase({
      header: ['a', 'b'],
      body,
      secret: ['one ', ''],
      apiKey: 'key',
      versions: ['v1', 'v2'],
      receivedAt: 'now',
      toleranceSeconds: Infinity,
      futureToleranceSeconds: 0,
    })
    body[0] = 0
    expect(given).toEqual({
      header: ['a', 'b'],
      body: Uint8Array.from([0x7b, 0x7d]),
      secrets: ['one '],
      apiKeys: ['key'],
      versions: ['v1', 'v2'],
      receivedAt: 'now',
      toleranceSeconds: Infinity,
      futureToleranceSeconds: 0,
    })
  })

  it('requires v1 if only the API key is given', () => {
    expect(completeCase({ apiKey: 'key' }).versions).toEqual(['v1'])
    expect(completeCase({ apiKey: 'key', secret: 'secret' }).versions).toEqual(['v3'])
  })

  it.each<[unknown, string]>([
    [{ headers: {} }, 'The playground has no option "headers". Did you mean "header"?'],
    [{ header: 5 }, '"header" must be a string, a list of strings or null, got number'],
    [{ header: ['a', 5] }, '"header" must be a string, a list of strings or null, got object'],
    [{ body: {} }, 'The body must be the raw bytes'],
    [{ secret: 5 }, '"secret" must be a string or a list, got number'],
    [{ apiKey: ['a', null] }, '"apiKey" must be a string or a list, got object'],
    [{ secret: Array(21).fill('key') }, '"secret" has more than 20 keys'],
    [{ versions: [] }, '"versions" must be a list'],
    [{ receivedAt: 'then' }, '"receivedAt" must be a Unix time in milliseconds, "header" or "now"'],
    [{ receivedAt: NaN }, '"receivedAt" must be a Unix time'],
    [{ toleranceSeconds: 0 }, '"toleranceSeconds" must be greater than 0'],
    [{ futureToleranceSeconds: -1 }, '"futureToleranceSeconds" must be 0 or greater'],
  ])('is refused: %j', (given, message) => {
    expect(() => completeCase(given as PlaygroundCase)).toThrow(message)
  })
})

it.each([
  [5, { timestamp: '20' }, 5],
  ['now', { timestamp: '20' }, 7],
  ['header', { timestamp: '20' }, 20_000],
  ['header', undefined, 7],
] as const)('received %s with %j is %d', (receivedAt, header, time) => {
  expect(receivedTime({ receivedAt }, header, 7)).toBe(time)
})
