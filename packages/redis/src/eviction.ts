import type { RedisClient, RunScript } from './driver.js'

// A script, because all clients run scripts alike, and on a cluster without naming a node. INFO has both settings, and
// managed services that forbid CONFIG allow it.
const EVICTION_POLICY = `
local memory = redis.call('INFO', 'memory')
if string.find(memory, 'maxmemory:0\\r', 1, true) then return 'no limit' end
return string.match(memory, 'maxmemory_policy:([%w-]+)')`

const checked = new WeakSet<RedisClient>()

/**
 * Warns if the server may evict keys, once for each client. Never rejects: without an answer of the server, there is
 * nothing to warn about.
 */
export async function warnOfEviction(client: RedisClient, run: RunScript, key: string): Promise<void> {
  if (checked.has(client)) return
  checked.add(client)
  const policy = await run(EVICTION_POLICY, key).then(String, () => '')
  if (!/^(?:allkeys|volatile)-/.test(policy)) return
  process.emitWarning(
    `Redis evicts keys when its memory is full (maxmemory-policy ${policy}), and a delivery whose key is evicted is ` +
      'handled again when it is retried. Run "CONFIG SET maxmemory-policy noeviction", and set it in redis.conf',
    { type: 'ServiceSignatureWarning', code: 'SERVICE_SIGNATURE_REDIS_EVICTION' },
  )
}
