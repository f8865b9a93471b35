/**
 * A replay store over Redis, with a client that you already have.
 *
 * @module redis
 */
export type { SharedReplayStore } from '@service-signature/inbox'
export type { GlideClient, IoredisClient, NodeRedisClient, RedisClient } from './driver.js'
export { redisReplayStore, type RedisReplayStoreOptions } from './store.js'
