import { describe, expect, it } from 'vitest'
import { Faults } from '../server/faults/faults.js'
import { fieldErrors } from '../server/http/errors.js'
import { manualClock } from '../server/index.js'
import { seededRandom } from '../server/store/random.js'
import { KINDS } from '../server/store/table.js'
import { Store } from '../server/store/store.js'
import { testCard } from '../server/cards/test-cards.js'

describe('manualClock', () => {
  it('stands still until it is advanced', () => {
    const clock = manualClock(1000)
    expect([clock.now(), clock.now()]).toEqual([1000, 1000])
    clock.advance(5)
    expect(clock.now()).toBe(1005)
  })

  it('begins now, unless told otherwise', () => {
    const before = Date.now()
    const time = manualClock().now()
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now())
  })

  it('calls back in the order in which things fall due, each at its time', () => {
    const clock = manualClock(0)
    const calls: string[] = []
    const call = (name: string) => () => calls.push(`${name} at ${clock.now()}`)
    clock.after(20, call('c'))
    clock.after(10, () => {
      call('a')()
      clock.after(5, call('b'))
      clock.after(100, call('never'))
    })
    const cancel = clock.after(15, call('cancelled'))
    cancel()
    clock.advance(20)
    expect(calls).toEqual(['a at 10', 'b at 15', 'c at 20'])
    expect(clock.now()).toBe(20)
  })
})

/** The random source of a sandbox that starts. */
function randomOf(seed: string) {
  const store = new Store({ kinds: KINDS, keep: 10 })
  return seededRandom(seed, (name) => store.count(name))
}

describe('seededRandom', () => {
  const draws = (seed: string) => {
    const random = randomOf(seed)
    return [
      random.id('int'),
      random.id('int'),
      random.id('cus'),
      random.uuid(),
      random.uuid(),
      random.key('k'),
    ]
  }

  it('gives the same to the same seed, and something else to another', () => {
    expect(draws('a')).toEqual(draws('a'))
    expect(new Set([...draws('a'), ...draws('b')]).size).toBe(12)
  })

  it('is known: HMAC-SHA256 with the seed as key, as openssl makes it', () => {
    // printf '0 id int' | openssl dgst -sha256 -hmac seed
    expect(randomOf('seed').id('int')).toBe('int_53d7f58b386b0591a85adb5d')
  })

  it('a draw for one subject does not change the draws of another', () => {
    const [plain, busy] = [randomOf('a'), randomOf('a')]
    for (let i = 0; i < 10; i++) {
      busy.id('cus')
      busy.happens(0.5, 'other')
    }
    expect(busy.id('int')).toBe(plain.id('int'))
    const drawn = (random: typeof plain) => Array.from({ length: 40 }, () => random.happens(0.5, 'this'))
    expect(drawn(busy)).toEqual(drawn(plain))
  })

  it('a chance comes about as often as it should', () => {
    const random = randomOf('a')
    const count = Array.from({ length: 1000 }, () => random.happens(0.1, 'x')).filter(Boolean).length
    expect(count).toBeGreaterThan(60)
    expect(count).toBeLessThan(140)
  })
})

describe('createFaults', () => {
  it('a fault that is not set draws nothing: what happened before it was set changes nothing', () => {
    const drawn = (before: number) => {
      const faults = new Faults(new Store({ kinds: KINDS, keep: 10 }), randomOf('a'))
      const ask = () => [faults.vaultIsDown(), faults.secretEndpoint()?.mode, faults.reorders('dlv')]
      for (let i = 0; i < before; i++) expect(ask()).toEqual([false, undefined, false])
      faults.settings = {
        vault: 'down',
        secretEndpoint: { mode: 'error' },
        deliveries: { reorder: true },
        chance: 0.5,
      }
      return Array.from({ length: 20 }, ask)
    }
    expect(drawn(1)).toEqual(drawn(0))
  })

  it('draws for each delivery apart, in whatever order they are sent', () => {
    const drawn = (ids: readonly string[]) => {
      const faults = new Faults(new Store({ kinds: KINDS, keep: 10 }), randomOf('a'))
      faults.settings = {
        deliveries: { duplicate: true, reorder: true, delayMs: 5, tamper: true, stale: true },
        chance: 0.5,
      }
      return new Map(
        ids.map((id) => [
          id,
          [
            faults.forAttempt({ id, attempts: [] }),
            faults.reorders(id),
            faults.forAttempt({ id, attempts: Array.from({ length: 1 }) }),
          ],
        ]),
      )
    }
    const ids = Array.from({ length: 30 }, (_, i) => `dlv_${i}`)
    const there = drawn(ids)
    const back = drawn([...ids].reverse())
    for (const id of ids) expect(back.get(id)).toEqual(there.get(id))
    expect(new Set([...there.values()].map((draws) => JSON.stringify(draws))).size).toBeGreaterThan(20)
  })
})

describe('testCard', () => {
  it('knows no number that a bank gives out, and keeps none that it knows', () => {
    expect(testCard('4242424242424241')).toBeUndefined()
    expect(testCard('')).toBeUndefined()
    const card = testCard('4242 4242 4242 4242')
    expect(card).toEqual({ brand: 'Visa', lastFour: '4242', isChallenged: false, needsCvv: false })
  })
})

describe('fieldErrors', () => {
  it.each([
    [{ keyword: 'type', instancePath: '/a/b', params: { type: 'integer' } }, { 'a.b': 'must be an integer' }],
    [{ keyword: 'type', instancePath: '', params: { type: 'object' } }, { body: 'must be an object' }],
    [{ keyword: 'required', instancePath: '/a', params: { missingProperty: 'b' } }, { 'a.b': 'is missing' }],
    [{ keyword: 'minimum', instancePath: '/a', params: {}, message: 'must be >= 0' }, { a: 'must be >= 0' }],
  ])('%j', (error, expected) => {
    expect(fieldErrors([error], 'body')).toEqual([expected])
  })
})
