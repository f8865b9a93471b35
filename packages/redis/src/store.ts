import type { ReplayClaim, ReplayStore } from '@service-signature/core'
import { checkStoreOptions, type ReplayStoreOptions } from '@service-signature/core/node'
import { replyOf, scriptRunner, type RedisClient, type Reply } from './driver.js'
import { warnOfEviction } from './eviction.js'
import { CLAIM, claimedBy, COMMIT, RELEASE, STATUSES } from './statements.js'

export interface RedisReplayStoreOptions extends ReplayStoreOptions {
  /** The beginning of every key: each endpoint needs its own. Default: `service-signature:`. */
  readonly prefix?: string
}

/** A {@link ReplayStore} that many processes share. */
export interface SharedReplayStore extends ReplayStore {
  readonly claim: (key: string) => Promise<ReplayClaim>
  readonly commit: (key: string, token: string) => Promise<void>
  readonly release: (key: string, token: string) => Promise<void>
  readonly ttlSeconds: number
  readonly leaseSeconds: number
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
  const { leaseSeconds, ttlSeconds } = own
  const prefix = checkPrefix(own.prefix)
  const lease = milliseconds(leaseSeconds)
  const ttl = milliseconds(ttlSeconds)
  const runScript = scriptRunner(client)
  const run = async (script: string, key: string, ...values: string[]): Promise<Reply> =>
    replyOf(await runScript(script, prefix + key, ...values))

  return {
    ttlSeconds,
    leaseSeconds,

    async claim(key) {
      // Made before Redis is asked, so that a claim that was sent twice finds itself.
      const token = crypto.randomUUID()
      let status: ReplayClaim['status']
      try {
        status = STATUSES[await run(CLAIM, key, claimedBy(token), lease)]
      } catch (error) {
        // Redis may have made the claim anyway. It is released so that a retry need not wait for the end of its lease.
        run(RELEASE, key, claimedBy(token)).catch(() => undefined)
        throw error
      }
      // The delivery does not wait for it.
      void warnOfEviction(client, runScript, prefix + key)
      return { status, token: status === 'new' ? token : '' }
    },

    async commit(key, token) {
      await run(COMMIT, key, claimedBy(token), ttl)
    },

    async release(key, token) {
      await run(RELEASE, key, claimedBy(token))
    },
  }
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
