import { replayStoreCases } from '@service-signature/core/testing'
import { describe, expect, it } from 'vitest'
import { DOCUMENT, open, PLAIN, useEngine } from './support/open.js'
import { isMissing } from '@service-signature/contract/services'

const engine = useEngine()

describe.skipIf(isMissing('drivers')).each([PLAIN, DOCUMENT])('the replay store over $name', (library) => {
  for (const { name, run } of replayStoreCases(async (times) => {
    const { inbox, other, advance } = await open(engine(), library, times)
    return { store: inbox, other, advance }
  })) {
    it(name, run)
  }

  it('stores a long key and one with a NUL as their SHA-256', async () => {
    const { inbox, items } = await open(engine(), library)
    const long = '\u20ac'.repeat(255)
    for (const key of ['a\0b', 'x'.repeat(256), 'sha256:', long]) {
      expect((await inbox.claim(key)).status).toBe('new')
    }
    const stored = [...(await items()).keys()]
    expect(stored.filter((key) => /^sha256:[0-9a-f]{64}$/.test(key))).toHaveLength(3)
    expect(stored).toContain(long)
  })

  it('makes one call for each step', async () => {
    const { inbox } = await open(engine(), library)
    const before = engine().calls.length
    const { token } = await inbox.claim('key')
    await inbox.claim('key')
    await inbox.commit('key', token)
    await inbox.claim('key')
    await inbox.release('other', token)
    expect(engine().calls.slice(before)).toEqual(['PutItem', 'PutItem', 'PutItem', 'PutItem', 'DeleteItem'])
  })

  it('leaves the connection open for the next call', async () => {
    const { inbox } = await open(engine(), library)
    const before = engine().connections
    for (const key of ['a', 'b', 'a', 'c']) await inbox.commit(key, (await inbox.claim(key)).token)
    expect(engine().connections).toBe(before)
  })

  it('recognizes its own claim when the SDK sends it a second time', async () => {
    const { inbox } = await open(engine(), library)
    let attempts = 0
    engine().after = (call) => call !== 'PutItem' || ++attempts > 1
    expect((await inbox.claim('key')).status).toBe('new')
    engine().after = () => undefined
    expect(attempts).toBe(2)
    expect((await inbox.claim('key')).status).toBe('in-progress')
  })

  it('compares the time itself, and writes it in whole seconds for time to live', async () => {
    const { inbox, items, advance } = await open(engine(), library, { leaseSeconds: 0.5, ttlSeconds: 400.5 })
    const began = Date.now() / 1000
    const { token } = await inbox.claim('key')
    const claimed = (await items()).get('key')!
    expect(Object.keys(claimed).sort()).toEqual(['claim_token', 'expires_at', 'key'])
    expect(Number(claimed['expires_at']!['N'])).toBe(Math.ceil(began + 0.5))
    await inbox.commit('key', token)
    const handled = (await items()).get('key')!
    expect(Object.keys(handled).sort()).toEqual(['expires_at', 'handled_at', 'key'])
    expect(Number.isInteger(Number(handled['expires_at']!['N']))).toBe(true)
    await advance(402)
    // The row is still there.
    expect((await items()).size).toBe(1)
    expect((await inbox.claim('key')).status).toBe('new')
  })
})
