import { expect, it } from 'vitest'
import { seededRandom } from '../../server/store/random.js'
import { Store } from '../../server/store/store.js'

/** The random source of a sandbox that starts. */
function randomOf(seed: string) {
  const store = new Store({ kinds: [], keep: 10 })
  return seededRandom(seed, (name) => store.count(name))
}

it('an id is HMAC-SHA256 with the seed as key, as openssl makes it', () => {
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
