import { describe, expect, it, vi } from 'vitest'
import { createKeyRings, type KeyRing } from '../../src/secrets/key-ring.js'
import type { SecretOption } from '../../src/secrets/keys.js'

/** The ring for one delivery, and what was imported up to now: a key for the digest is its text in capitals. */
function ringsFor(secret: SecretOption) {
  const importKey = vi.fn((text: string) => text.toUpperCase())
  const rings = createKeyRings({ secret }, ['v3'], importKey)
  const next = async (): Promise<KeyRing<string>> => (typeof rings === 'function' ? rings({}) : rings)
  return { next, importKey }
}

describe('the keys of a source', () => {
  it('come without those that no version needs', async () => {
    const { next } = ringsFor(() => 'a_key')
    expect((await next()).keys).toEqual({ secret: ['A_KEY'], apiKey: [] })
  })

  it('are imported once, however many deliveries they are for', async () => {
    const { next, importKey } = ringsFor(() => ['a_key', 'another'])
    for (let i = 0; i < 3; i++) await next()
    expect(importKey.mock.calls).toEqual([['a_key'], ['another']])
  })

  it('are remembered up to a hundred', async () => {
    let account = 0
    const { next, importKey } = ringsFor(() => `key_of_${account++ % 100}`)
    for (let i = 0; i < 200; i++) await next()
    expect(importKey).toHaveBeenCalledTimes(100)
  })

  it('are all imported again behind more, for memory does not follow the number of accounts', async () => {
    let account = 0
    const { next, importKey } = ringsFor(() => `key_of_${account++ % 101}`)
    for (let i = 0; i < 202; i++) await next()
    expect(importKey).toHaveBeenCalledTimes(202)
  })

  it('are not said to be new where the source gives none again', async () => {
    const { next } = ringsFor({ get: () => 'a_key' })
    expect(await (await next()).renew?.()).toBeUndefined()
  })
})
