import { describe, expect, it, vi } from 'vitest'
import { nodeHmac } from '../../src/signature/hmac/node.js'
import { KeyRing, type NeededKeys, type SecretOption } from '../../src/signature/keys.js'
import { refusalOf } from '../support/refusal.js'

/** The keys for the next delivery, and the imports so far: an imported key is its text in capitals. */
function ringFor(secret: SecretOption, apiKey?: SecretOption, needed: NeededKeys = { secret: 'v3' }) {
  const importKey = vi.fn((text: string) => text.toUpperCase())
  const hmac = { ...nodeHmac, importKey: importKey as never }
  const ring = new KeyRing({ secret, ...(apiKey !== undefined && { apiKey }) }, needed, hmac)
  const next = () => ring.forDelivery({})
  return { next, importKey }
}

describe('the keys of a source', () => {
  it('do not include those that no listed version needs', async () => {
    const { next } = ringFor(() => 'a_key')
    expect((await next()).keys).toEqual({ secret: ['A_KEY'], apiKey: [] })
  })

  it('are imported once, however many deliveries they are for', async () => {
    const { next, importKey } = ringFor(() => ['a_key', 'another'])
    for (let i = 0; i < 3; i++) await next()
    expect(importKey.mock.calls).toEqual([['a_key'], ['another']])
  })

  it('are remembered up to a hundred', async () => {
    let account = 0
    const { next, importKey } = ringFor(() => `key_of_${account++ % 100}`)
    for (let i = 0; i < 200; i++) await next()
    expect(importKey).toHaveBeenCalledTimes(100)
  })

  it('are all imported again if there are more, so that memory does not follow the number of accounts', async () => {
    let account = 0
    const { next, importKey } = ringFor(() => `key_of_${account++ % 101}`)
    for (let i = 0; i < 202; i++) await next()
    expect(importKey).toHaveBeenCalledTimes(202)
  })

  it('are not new after a mismatch if the source has no refresh', async () => {
    const { next } = ringFor({ get: () => 'a_key' })
    expect(await (await next()).renew()).toBeUndefined()
  })

  it('are refreshed after a mismatch if they were fetched before the delivery', async () => {
    const source = { fetchCount: 1, get: () => 'a_key', refresh: vi.fn(() => 'new_key') }
    const { next } = ringFor(source)
    expect(await (await next()).renew()).toEqual({ secret: ['NEW_KEY'], apiKey: [] })
  })

  it('are not refreshed after a mismatch if they were fetched for the delivery', async () => {
    const refresh = vi.fn(() => 'new_key')
    const source = {
      fetchCount: 0,
      get: () => {
        source.fetchCount++
        return 'a_key'
      },
      refresh,
    }
    const { keys, renew } = await ringFor(source).next()
    expect(keys.secret).toEqual(['A_KEY'])
    expect(await renew()).toBeUndefined()
    expect(refresh).not.toHaveBeenCalled()
  })
})

describe('a function for the keys', () => {
  it.each<[answer: string, secret: () => undefined | null | Promise<undefined | null>]>([
    ['undefined', () => undefined],
    ['null', () => null],
    ['undefined', () => Promise.resolve(undefined)],
    ['null', () => Promise.resolve(null)],
  ])('that returns %s makes the account unknown', async (answer, secret) => {
    const { next } = ringFor(secret)
    const error = await refusalOf(next)
    expect(error).toMatchObject({ code: 'ERR_SECRET_UNKNOWN', status: 401, retryable: false })
    expect(error.message).toBe(
      `There is no key for this request: the function "secret" returned ${answer}. The request is for an account that is not set up here. If the account exists, add its key where the function looks it up.`,
    )
    expect(error).not.toHaveProperty('cause')
  })

  it('makes the account unknown for apiKey too', async () => {
    const { next } = ringFor('a_key', () => undefined, { apiKey: 'v1', secret: 'v3' })
    expect((await refusalOf(next)).message).toContain('the function "apiKey" returned undefined')
  })

  it.each<[mistake: string, secret: () => unknown]>([
    ['an empty string', () => ''],
    ['an empty list', () => []],
    ['a number', () => 1],
    ['false', () => false],
    ['an object', () => ({})],
    ['a list with undefined', () => [undefined]],
    ['a source without a key', () => ({ get: () => undefined })],
  ])('that returns %s is a mistake, and the delivery can be retried', async (_, secret) => {
    const { next } = ringFor(secret as () => string)
    expect(await refusalOf(next)).toMatchObject({ code: 'ERR_SECRET_UNAVAILABLE', status: 503 })
  })

  it.each<[from: string, secret: SecretOption]>([
    ['a function', () => ['a_key', undefined]],
    ['a source', { get: () => Promise.resolve(['a_key', undefined]) }],
    ['a refresh', { get: () => 'a_key', refresh: () => ['a_key', undefined] }],
  ])('and an item of a list that is undefined from %s is named for the operator', async (_, secret) => {
    const { next } = ringFor(secret)
    const error = await refusalOf(async () => (await next()).renew())
    expect(error).toMatchObject({ code: 'ERR_SECRET_UNAVAILABLE', status: 503 })
    expect(error.cause).toEqual(
      new TypeError(
        '"secret[1]" is undefined. Is the environment variable set? If there is no such key now, leave the item out.',
      ),
    )
  })

  it('that returns the name of a variable is a mistake, and the message does not show it', async () => {
    const { next } = ringFor(() => '${WEBHOOK_SECRET}')
    const error = await refusalOf(next)
    expect(error).toMatchObject({ code: 'ERR_SECRET_UNAVAILABLE', status: 503 })
    expect((error.cause as Error).message).toMatch(/^"secret" is the name of a variable, and not its value/)
  })
})
