/**
 * A replay store over Redis, with a client that you already have.
 *
 * @module redis
 */
export type { GlideClient, IoredisClient, NodeRedisClient, RedisClient } from './driver.js'
export { redisReplayStore, type SharedReplayStore, type RedisReplayStoreOptions } from './store.js'
