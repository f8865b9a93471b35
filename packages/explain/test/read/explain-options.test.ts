import { describe, expect, it } from 'vitest'
import type { ExplainOptions } from '../../src/index.js'
import { entries } from '../support/runtimes.js'
import { event, header, now, secret } from '../support/genuine.js'

describe.each(entries)('wrong use, on $digest', ({ explain }) => {
  it.each<[message: string, options: unknown]>([
    ['explain: expected an options object, got undefined', undefined],
    ['explain: expected an options object, got null', null],
    ['explain: expected an options object, got string', secret],
    ['explain needs "secret", "apiKey" or both: the keys that are in use', {}],
    ['explain needs "secret", "apiKey" or both', { secret: undefined }],
    ['explain has no option "secrets". Did you mean "secret"?', { secrets: [secret] }],
    ['explain has no option "api_key". Did you mean "apiKey"?', { secret, api_key: secret }],
    ['explain has no option "replay". There are: secret, apiKey, versions,', { secret, replay: 1 }],
    ['"secret" is empty: is the environment variable set?', { secret: '' }],
    ['"apiKey[1]" is empty: is the environment variable set?', { apiKey: ['a', ''] }],
    ['"secret" is an empty list: it must contain at least one key', { secret: [] }],
    ['"secret" must be a string, got null', { secret: null }],
    ['"secret[0]" must be a string, got number', { secret: [7] }],
    ['"secret" must be a string, got function', { secret: () => secret }],
    ['"apiKey" is missing: v1 is signed with it', { secret, versions: ['v3', 'v1'] }],
    ['"secret" is missing: v2 is signed with it', { apiKey: secret, versions: ['v2'] }],
    ['"versions" must be a list of one or more of v1, v2, v3', { secret, versions: [] }],
    ['"versions" contains an unknown version; expected v1, v2, v3', { secret, versions: ['v4'] }],
    ['"now" must be a function that returns milliseconds, got string', { secret, now: '2025' }],
    ['"now" must return a number of milliseconds, got NaN', { secret, now: NaN }],
    ['"toleranceSeconds" must be greater than 0 (or Infinity)', { secret, toleranceSeconds: '300' }],
  ])('is a TypeError: %s', async (message, options) => {
    const call = explain(event, header, options as ExplainOptions)
    await expect(call).rejects.toThrow(TypeError)
    await expect(call).rejects.toThrow(message)
    await expect(call).rejects.not.toThrow(secret)
  })

  it.each<[message: string, options: ExplainOptions]>([
    ['"toleranceSeconds" must be greater than 0 (or Infinity), got 0', { secret, toleranceSeconds: 0 }],
    ['"futureToleranceSeconds" must be 0 or greater, got -1', { secret, futureToleranceSeconds: -1 }],
    ['"secret" has more than 20 keys', { secret: Array.from({ length: 21 }, (_, index) => `key_${index}`) }],
  ])('is a RangeError: %s', async (message, options) => {
    const call = explain(event, header, options)
    await expect(call).rejects.toThrow(RangeError)
    await expect(call).rejects.toThrow(message)
  })

  it.each([
    ['an object', { type: 'intent.processed' }],
    ['nothing', undefined],
    ['a promise', Promise.resolve(event)],
  ])('is a TypeError if the body is %s', async (_, body) => {
    await expect(explain(body as never, header, { secret })).rejects.toThrow(
      /^The body must be the raw bytes/,
    )
  })

  it('ignores options of a prototype', async () => {
    const options = Object.create({ secret }) as ExplainOptions
    await expect(explain(event, header, options)).rejects.toThrow('explain needs "secret"')
  })

  it('uses the current time by default', async () => {
    const seconds = Math.floor(Date.now() / 1000)
    const report = await explain(event, `t=${seconds},v3=${'0'.repeat(64)}`, { secret })
    expect(report.checks.find(({ name }) => name === 'time window')).toMatchObject({ outcome: 'passed' })
    const late = await explain(event, header, { secret, now: () => now + 1e9 })
    expect(late.code).toBe('ERR_TIMESTAMP_TOO_OLD')
  })

  it('requires v1 if there is only an API key', async () => {
    const report = await explain(event, header, { apiKey: secret, now })
    expect(report.checks.find(({ name }) => name === 'versions present')?.detail).toBe('v1')
  })
})
