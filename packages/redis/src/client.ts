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

export type RedisClient = NodeRedisClient | IoredisClient

/** Runs a script on the server that holds the key, and gives its reply. */
export type RunScript = (script: string, key: string, ...values: string[]) => Promise<Reply>

export type Reply = 0 | 1 | 2

/**
 * What the clients do alike.
 *
 * @throws {TypeError} where it is none of the clients
 */
export function scriptRunner(client: RedisClient): RunScript {
  if (isIoredis(client)) {
    return async (script, key, ...values) => replyOf(await client.eval(script, 1, key, ...values))
  }
  if (isNodeRedis(client)) {
    return async (script, key, ...values) =>
      replyOf(await client.eval(script, { keys: [key], arguments: values }))
  }
  throw new TypeError(
    'redisReplayStore needs a client of the package "redis" (version 4 or later), "ioredis" (version 5 or later) or ' +
      '"iovalkey": createClient({ url }) or new Redis(url)',
  )
}

function isIoredis(client: unknown): client is IoredisClient {
  return has(client, 'eval') && has(client, 'defineCommand')
}

/** Other packages have an `eval` too, which takes other arguments. */
function isNodeRedis(client: unknown): client is NodeRedisClient {
  return has(client, 'eval') && has(client, 'sendCommand')
}

function has(client: unknown, method: string): boolean {
  const methods = client as Partial<Record<string, unknown>> | null | undefined
  return typeof methods?.[method] === 'function'
}

/** What is not known to be a reply is none: a claim that went wrong must not look like a new one. */
function replyOf(answer: unknown): Reply {
  // Clients can be set to give numbers as text.
  const reply = ([0, 1, 2] as const).find((known) => answer === known || answer === String(known))
  if (reply !== undefined) return reply
  throw new TypeError(
    'The Redis client did not answer with a number: pass a client whose commands give promises, not one in legacy ' +
      'mode, and no pipeline or transaction',
  )
}
