import { startRedis } from '@service-signature/contract/redis-server'
import { redisReplayStore } from '@service-signature/redis'
import { Redis } from 'ioredis'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { useRedisCluster, type Connect } from '../support/redis.js'
import { CLIENTS, CLUSTERS } from './support/clients.js'
import { isMissing } from '@service-signature/contract/services'

const LIMITED = { maxmemory: '100mb' }
const WARNING = { type: 'ServiceSignatureWarning', code: 'SERVICE_SIGNATURE_REDIS_EVICTION' }

/** The calls of `process.emitWarning`, which print nothing during the test. */
function catchWarnings() {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  onTestFinished(() => {
    warn.mockRestore()
  })
  return warn.mock.calls
}

async function start(settings: Readonly<Record<string, string>>): Promise<number> {
  const redis = await startRedis({ settings })
  onTestFinished(redis.stop)
  return redis.port
}

/** Claims twice, over a client of its own. */
async function claimOver(connect: Connect, port: number): Promise<void> {
  const { client, close } = await connect(port)
  onTestFinished(async () => {
    await close()
  })
  const store = redisReplayStore(client)
  await store.claim('key')
  await store.claim('key')
}

describe.skipIf(isMissing('drivers', 'redis'))('a server that may evict keys', () => {
  it.each(Object.entries(CLIENTS))('causes one warning with %s', async (_name, connect) => {
    const warnings = catchWarnings()
    await claimOver(connect, await start({ ...LIMITED, 'maxmemory-policy': 'allkeys-lru' }))
    await expect.poll(() => warnings).toHaveLength(1)
    expect(warnings[0]).toEqual([expect.stringContaining('maxmemory-policy allkeys-lru'), WARNING])
    expect(warnings[0]![0]).toContain('CONFIG SET maxmemory-policy noeviction')
  })

  it.each([
    'volatile-lru',
    'volatile-lfu',
    'volatile-random',
    'volatile-ttl',
    'allkeys-lfu',
    'allkeys-random',
  ])('causes a warning with the policy %s', async (policy) => {
    const warnings = catchWarnings()
    await claimOver(CLIENTS['ioredis 6']!, await start({ ...LIMITED, 'maxmemory-policy': policy }))
    await expect.poll(() => warnings).toHaveLength(1)
    expect(warnings[0]![0]).toContain(`maxmemory-policy ${policy}`)
  })

  it('causes a warning if the user may run INFO but not CONFIG, as with managed services', async () => {
    const warnings = catchWarnings()
    const port = await start({ ...LIMITED, 'maxmemory-policy': 'allkeys-lru' })
    await claimOver(await asUser(port, '-config'), port)
    await expect.poll(() => warnings).toHaveLength(1)
  })
})

describe.skipIf(isMissing('drivers', 'redis'))('prints no warning', () => {
  it.each([
    ['the policy is noeviction', { ...LIMITED, 'maxmemory-policy': 'noeviction' }],
    ['memory is not limited', { maxmemory: '0', 'maxmemory-policy': 'allkeys-lru' }],
  ])('if %s', async (_when, settings) => {
    const warnings = catchWarnings()
    await expectSilence(CLIENTS['ioredis 6']!, await start(settings))
    expect(warnings).toEqual([])
  })

  it('if the user may not run INFO, and the claims work', async () => {
    const warnings = catchWarnings()
    const port = await start({ ...LIMITED, 'maxmemory-policy': 'allkeys-lru' })
    await expectSilence(await asUser(port, '-info -config'), port)
    expect(warnings).toEqual([])
  })
})

describe.skipIf(isMissing('drivers', 'redis'))('a cluster that may evict keys', () => {
  const { cluster } = useRedisCluster({ settings: { ...LIMITED, 'maxmemory-policy': 'volatile-ttl' } })

  it.each(Object.entries(CLUSTERS))('causes one warning with %s', async (_name, connect) => {
    const warnings = catchWarnings()
    await claimOver(connect, cluster().ports[0]!)
    await expect.poll(() => warnings).toHaveLength(1)
  })
})

/** Claims, and waits until the server has run the check. */
async function expectSilence(connect: Connect, port: number): Promise<void> {
  const admin = new Redis(port)
  onTestFinished(() => {
    admin.disconnect()
  })
  await claimOver(connect, port)
  // Two claims and the check.
  await expect.poll(async () => admin.info('commandstats')).toMatch(/cmdstat_eval:calls=3/)
}

/** Makes a user without some commands. */
async function asUser(port: number, without: string): Promise<Connect> {
  const admin = new Redis(port)
  await admin.call('ACL', 'SETUSER', 'shop', 'on', '>secret', '~*', '+@all', ...without.split(' '))
  admin.disconnect()
  return async () => {
    const client = new Redis({ port, username: 'shop', password: 'secret' })
    await once(client, 'ready')
    return {
      client,
      close() {
        client.disconnect()
      },
    }
  }
}
