import { FailureError, hasMethods } from '@service-signature/inbox'

/** A client of the package `redis`, version 4, 5 or 6: of one server, a cluster, a pool or a sentinel. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  sendCommand(...parts: never[]): unknown
}

/** A client of the package `ioredis`, version 5 or 6, or `iovalkey`: of one server, a cluster or a sentinel. */
export interface IoredisClient {
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>
  defineCommand(...parts: never[]): unknown
}

/** A client of the package `@valkey/valkey-glide`, version 2: of one server or a cluster. */
export interface GlideClient {
  customCommand(command: string[]): Promise<unknown>
}

export type RedisClient = NodeRedisClient | IoredisClient | GlideClient

/** Runs a script on the server that holds the key, and resolves to its reply. */
export type RunScript = (script: string, key: string, ...values: string[]) => Promise<unknown>

/**
 * Every client has its own way to run a script.
 *
 * @throws {TypeError} if it is not one of the clients
 */
export function scriptRunner(client: RedisClient): RunScript {
  if (isIoredis(client)) {
    return async (script, key, ...values) => client.eval(script, 1, key, ...values)
  }
  if (isNodeRedisCluster(client)) {
    return async (script, key, ...values) =>
      client.sendCommand(key, false, ['EVAL', script, '1', key, ...values])
  }
  if (isNodeRedis(client)) {
    return async (script, key, ...values) => client.eval(script, { keys: [key], arguments: values })
  }
  if (isGlide(client)) {
    return async (script, key, ...values) => client.customCommand(['EVAL', script, '1', key, ...values])
  }
  throw new TypeError(
    'redisReplayStore needs a client of the package "redis" (version 4 or later), "ioredis" (version 5 or later), ' +
      '"iovalkey" or "@valkey/valkey-glide": createClient({ url }) or new Redis(url)',
  )
}

function isIoredis(client: unknown): client is IoredisClient {
  return hasMethods(client, 'eval', 'defineCommand')
}

/** Other packages have an `eval` too, which takes other arguments. */
function isNodeRedis(client: unknown): client is NodeRedisClient {
  return hasMethods(client, 'eval', 'sendCommand')
}

/** A cluster of `redis`. In version 4 its `eval` ignores the key, and asks one node after another. */
interface NodeRedisCluster {
  sendCommand(key: string, isReadonly: boolean, command: string[]): Promise<unknown>
}

function isNodeRedisCluster(client: unknown): client is NodeRedisCluster {
  return isNodeRedis(client) && hasMethods(client, 'nodeClient')
}

function isGlide(client: unknown): client is GlideClient {
  return hasMethods(client, 'customCommand')
}

export type Reply = 0 | 1 | 2

/**
 * The reply of a step of the store.
 *
 * @throws {FailureError} on any other value: a claim that failed must not look like a new one
 */
export function replyOf(answer: unknown): Reply {
  // Clients can be set to give numbers as text.
  const reply = ([0, 1, 2] as const).find((known) => answer === known || answer === String(known))
  if (reply !== undefined) return reply
  throw new FailureError({
    what: 'the Redis client did not answer with a number',
    fix: 'Pass a client whose commands return promises, not one in legacy mode, and not a pipeline or transaction.',
  })
}
