import { startRedis, type RedisServer } from '@service-signature/contract/redis-server'
import fc from 'fast-check'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runs } from '../../../../../packages/core/test/support/runs.js'
import { CLAIM, COMMIT, RELEASE } from '../../../../../packages/redis/src/statements.js'
import { fakeClient, FakeRedis } from './fake-redis.js'
import { isMissing } from '@service-signature/contract/services'

let server: RedisServer
let real: ReturnType<typeof createClient>
beforeAll(async () => {
  server = await startRedis()
  real = createClient({ url: server.url })
  await real.connect()
})
afterAll(async () => {
  await real.close()
  await server.stop()
})

// No sum of the pauses is close to a time: the clock of the real Redis also advances by itself.
const [LEASE, TTL] = ['65000', '135000']
const step = fc.oneof(
  fc.record({
    script: fc.constantFrom(CLAIM, COMMIT, RELEASE),
    key: fc.constantFrom('a', 'b'),
    claim: fc.constantFrom('claimed:1', 'claimed:2', 'claimed:3'),
  }),
  fc.record({ pauseSeconds: fc.constantFrom(20, 50, 80) }),
)

it.skipIf(isMissing('redis'))(
  'the fake Redis behaves like a real one in random sequences of steps',
  async () => {
    let now = 0
    let sequence = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20, size: 'max' }), async (steps) => {
        const fake = new FakeRedis(() => now)
        const scripts = fakeClient(fake, (_name, run) => Promise.resolve(run()))
        const prefix = `sequence-${++sequence}:`
        for (const each of steps) {
          if ('pauseSeconds' in each) {
            now += each.pauseSeconds * 1000
            for (const key of ['a', 'b']) await shorten(prefix + key, each.pauseSeconds * 1000)
            continue
          }
          const { script, claim } = each
          const key = prefix + each.key
          const values = script === RELEASE ? [claim] : [claim, script === CLAIM ? LEASE : TTL]
          const reply = await real.eval(script, { keys: [key], arguments: values })
          expect(await scripts.eval(script, 1, key, ...values)).toBe(reply)
          expect(fake.get(key) ?? null).toBe(await real.get(key))
          const left = await real.pTTL(key)
          // The answer is -2 for a missing key.
          expect(Math.abs((fake.timeLeft(key) ?? -2) - left)).toBeLessThan(4000)
        }
      }),
      { numRuns: runs(150) },
    )
  },
)

/** Shortens the remaining lifetime of a key. */
async function shorten(key: string, milliseconds: number): Promise<void> {
  const left = await real.pTTL(key)
  if (left < 0) return
  if (left > milliseconds) await real.pExpire(key, left - milliseconds)
  else await real.del(key)
}
