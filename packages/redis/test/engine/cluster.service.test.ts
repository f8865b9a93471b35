import { replayStoreCases } from '@service-signature/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useRedisCluster } from '../support/redis.js'
import { CLIENTS, CLUSTERS } from './support/clients.js'
import { isMissing } from '@service-signature/contract/services'

describe.skipIf(isMissing('drivers', 'redis'))('over a cluster of three masters with a replica each', () => {
  const { masters, twoStores } = useRedisCluster()

  describe.each(Object.entries(CLUSTERS))('with %s', (_name, connect) => {
    for (const { name, run } of replayStoreCases((times) => twoStores(connect, times))) it(name, run)
  })

  it('spreads the keys over the masters, unless the prefix has a hash tag', async () => {
    const { store, prefix, close } = await twoStores(CLUSTERS['ioredis 6']!)
    onTestFinished(close)
    for (let key = 0; key < 100; key++) await store.claim(String(key))
    for (const master of masters()) expect((await master.keys(`${prefix}*`)).length).toBeGreaterThan(10)

    const tagged = await twoStores(CLUSTERS['ioredis 6']!, { prefix: '{shop}:' })
    onTestFinished(tagged.close)
    for (let key = 0; key < 100; key++) await tagged.store.claim(String(key))
    const counts = await Promise.all(masters().map(async (master) => (await master.keys('{shop}:*')).length))
    expect(counts.sort()).toEqual([0, 0, 100])
  })

  it('rejects a client of a single server, whose key belongs to another node', async () => {
    const { store, close } = await twoStores(CLIENTS['ioredis 6']!)
    onTestFinished(close)
    const keys = Array.from({ length: 100 }, (_, key) => store.claim(String(key)))
    const rejected = (await Promise.allSettled(keys)).filter(({ status }) => status === 'rejected')
    expect(rejected.length).toBeGreaterThan(10)
    expect(rejected[0]).toMatchObject({
      reason: { message: expect.stringContaining('Pass a client of the cluster') as string },
    })
  })
})
