import type { ReplayStoreOptions } from '@service-signature/core'
import { checkStoreOptions } from '@service-signature/core/shared/store-options'
import { StoredKeys, type SharedReplayStore } from '@service-signature/inbox'
import { replyOf, scriptRunner, type RedisClient, type Reply } from './driver.js'
import { warnOfEviction } from './eviction.js'
import { refusalOf } from './failures.js'
import { CLAIM, claimedBy, COMMIT, RELEASE, STATUSES } from './statements.js'

export interface RedisReplayStoreOptions extends ReplayStoreOptions {
  /** The beginning of every key: each endpoint needs its own. Default: `service-signature:`. */
  readonly prefix?: string
}

/**
 * Remembers deliveries in Redis, for an endpoint that runs in more than one process. Each step is one round trip.
 *
 * @param client connected, with a listener for its `error` events; it stays yours to close
 *
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL, disableOfflineQueue: true })
 *   .on('error', (error) => console.error(error))
 *   .connect()
 * app.post('/webhooks', serviceSignature({ secret, replay: redisReplayStore(client) }), handler)
 *
 * @throws {TypeError} on a client of another package, or an option that is misspelled or of the wrong type
 * @throws {RangeError} on a time out of bounds
 */
export function redisReplayStore(
  client: RedisClient,
  options: RedisReplayStoreOptions = {},
): SharedReplayStore {
  const own = checkStoreOptions(options, ['prefix'], 'redisReplayStore')
  const prefix = checkPrefix(own.prefix)
  const lease = milliseconds(own.leaseSeconds)
  const ttl = milliseconds(own.ttlSeconds)
  const runScript = scriptRunner(client)
  const run = async (script: string, key: string, ...values: string[]): Promise<Reply> =>
    replyOf(await runScript(script, prefix + key, ...values))

  return new StoredKeys(
    {
      async claim(key, token) {
        const status = STATUSES[await run(CLAIM, key, claimedBy(token), lease)]
        // The delivery does not wait for it.
        void warnOfEviction(client, runScript, prefix + key)
        return status
      },
      commit: (key, token) => run(COMMIT, key, claimedBy(token), ttl),
      release: (key, token) => run(RELEASE, key, claimedBy(token)),
      refusalOf,
      releasesAtOnce: true,
    },
    own,
  )
}

function checkPrefix(prefix: unknown = 'service-signature:'): string {
  if (typeof prefix === 'string' && prefix !== '') return prefix
  throw new TypeError(
    `"prefix" must be a text that is not empty, got ${prefix === '' ? '""' : typeof prefix}. Every key in Redis begins with it.`,
  )
}

/** PX takes whole milliseconds and rejects 0, so this rounds up. */
function milliseconds(seconds: number): string {
  return String(Math.ceil(seconds * 1000))
}
