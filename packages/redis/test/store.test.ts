import { redisReplayStore, type RedisClient, type SharedReplayStore } from '@service-signature/redis'
import { describe, expect, it } from 'vitest'

// The calls of a client, without a Redis. engine/store.service.test.ts tests their effects.

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'

interface Call {
  readonly script: string
  readonly keys: readonly string[]
  readonly values: readonly string[]
}

/** A client that records its calls, and returns the answers of the test. */
type StandIn = (answer: () => unknown) => { client: RedisClient; calls: Call[] }

function steps(store: SharedReplayStore): (() => Promise<unknown>)[] {
  return [() => store.claim('key'), () => store.commit('key', 'token'), () => store.release('key', 'token')]
}

const nodeRedis: StandIn = (answer) => {
  const calls: Call[] = []
  const client = {
    calls,
    eval(script: string, options: { keys: string[]; arguments: string[] }) {
      this.calls.push({ script, keys: options.keys, values: options.arguments })
      return answer() as Promise<unknown>
    },
    sendCommand: () => undefined,
  }
  return { client, calls }
}

/** The call that is a command in full: EVAL, the script, how many keys, the keys and the values. */
function callOf(command: readonly string[]): Call {
  const end = 3 + Number(command[2])
  return { script: command[1]!, keys: command.slice(3, end), values: command.slice(end) }
}

const nodeRedisCluster: StandIn = (answer) => {
  const calls: Call[] = []
  const client = {
    calls,
    eval: () => Promise.reject(new Error('Version 4 asks one node after another.')),
    sendCommand(key: string, _isReadonly: boolean, command: string[]) {
      this.calls.push(callOf(command))
      return key === command[3] ? (answer() as Promise<unknown>) : Promise.reject(new Error(key))
    },
    nodeClient: () => undefined,
  }
  return { client, calls }
}

const ioredis: StandIn = (answer) => {
  const calls: Call[] = []
  const client = {
    calls,
    eval(script: string, keyCount: number, ...rest: string[]) {
      this.calls.push({ script, keys: rest.slice(0, keyCount), values: rest.slice(keyCount) })
      return answer() as Promise<unknown>
    },
    defineCommand: () => undefined,
    sendCommand: () => undefined,
  }
  return { client, calls }
}

const glide: StandIn = (answer) => {
  const calls: Call[] = []
  const client = {
    calls,
    customCommand(command: string[]) {
      this.calls.push(callOf(command))
      return answer() as Promise<unknown>
    },
  }
  return { client, calls }
}

describe.each([
  ['redis', nodeRedis],
  ['redis, a cluster', nodeRedisCluster],
  ['ioredis', ioredis],
  ['valkey-glide', glide],
])('over the package %s', (_name, standIn) => {
  it('each step is one script with one key', async () => {
    const { client, calls } = standIn(() => Promise.resolve(0))
    const store = redisReplayStore(client)
    const { token } = await store.claim('key')
    await store.commit('key', token)
    await store.release('key', token)
    expect(token).toMatch(new RegExp(`^${UUID}$`))
    const keys = ['service-signature:key']
    expect(calls).toEqual([
      { script: expect.stringContaining('KEYS[1]') as string, keys, values: [`claimed:${token}`, '60000'] },
      { script: expect.stringContaining('INFO') as string, keys, values: [] },
      {
        script: expect.stringContaining('KEYS[1]') as string,
        keys,
        values: [`claimed:${token}`, '86400000'],
      },
      { script: expect.stringContaining('KEYS[1]') as string, keys, values: [`claimed:${token}`] },
    ])
    expect(new Set(calls.map(({ script }) => script)).size).toBe(4)
    for (const { script } of calls) expect(script).not.toMatch(/KEYS\[[^1]/)
  })

  it('reads the eviction policy once for each client, after the first claim that succeeded', async () => {
    let isDown = true
    const { client, calls } = standIn(() => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(0)))
    const asked = () => calls.filter(({ script }) => script.includes('INFO')).length
    await expect(redisReplayStore(client).claim('key')).rejects.toMatchObject({ cause: { message: 'down' } })
    expect(asked()).toBe(0)
    isDown = false
    await redisReplayStore(client).claim('key')
    await redisReplayStore(client, { prefix: 'other:' }).claim('key')
    expect(asked()).toBe(1)
  })

  it('releases a claim that failed, because the server may have made it', async () => {
    const { client, calls } = standIn(() => Promise.reject(new Error('no answer in time')))
    await expect(redisReplayStore(client).claim('key')).rejects.toMatchObject({
      cause: { message: 'no answer in time' },
    })
    expect(calls.map(({ values }) => values)).toEqual([
      [expect.stringMatching(/^claimed:/), '60000'],
      [calls[0]!.values[0]],
    ])
    expect(calls[1]!.script).toContain('DEL')
  })

  it.each([
    ['service-signature:', {}],
    ['a', { prefix: 'a' }],
    ['{shop}:', { prefix: '{shop}:' }],
    ['\u00e9 ', { prefix: '\u00e9 ' }],
  ])('the key in Redis begins with the prefix %j', async (prefix, options) => {
    const { client, calls } = standIn(() => Promise.resolve(0))
    await redisReplayStore(client, options).claim('key')
    expect(calls[0]!.keys).toEqual([`${prefix}key`])
  })

  it.each([
    [1, '1000'],
    [0.25, '250'],
    [0.0001, '1'],
    [1.0001, '1001'],
    [365 * 1000 * 86_400, '31536000000000'],
  ])('%d s are %s whole milliseconds', async (seconds, milliseconds) => {
    const { client, calls } = standIn(() => Promise.resolve(0))
    const store = redisReplayStore(client, { leaseSeconds: seconds, ttlSeconds: seconds })
    await store.claim('key')
    await store.commit('key', 'token')
    expect(calls.map(({ values }) => values[1])).toEqual([milliseconds, undefined, milliseconds])
    expect(store.ttlSeconds).toBe(seconds)
  })

  it.each([
    [0, 'new'],
    [1, 'in-progress'],
    [2, 'done'],
    ['0', 'new'],
    ['1', 'in-progress'],
    ['2', 'done'],
  ])('the reply %j is %s, and has a token only if it is new', async (reply, status) => {
    const store = redisReplayStore(standIn(() => Promise.resolve(reply)).client)
    const claim = await store.claim('key')
    expect(claim.status).toBe(status)
    if (status === 'new') expect(claim.token).toMatch(new RegExp(`^${UUID}$`))
    else expect(claim.token).toBe('')
  })

  it.each([...[undefined, null, '', 'QUEUED', 3, -1, 0.5, NaN, '3', '00', ' 0', true, false, [], [0], {}]])(
    'the reply %s is rejected',
    async (reply) => {
      const store = redisReplayStore(standIn(() => Promise.resolve(reply)).client)
      for (const step of steps(store)) {
        await expect(step()).rejects.toMatchObject({
          code: 'ERR_REPLAY_STORE_UNAVAILABLE',
          message: expect.stringContaining(
            'the Redis client did not answer with a number. Pass a client',
          ) as string,
        })
      }
    },
  )

  it('a client that returns a value at once, as in legacy mode or in a pipeline, is rejected', async () => {
    const store = redisReplayStore(standIn(() => undefined).client)
    await expect(store.claim('key')).rejects.toThrow('the Redis client did not answer with a number')
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('Connection is closed.'))],
    [
      'throws',
      () => {
        throw new Error('Connection is closed.')
      },
    ],
  ])('the error that the client %s with is the cause of the refusal', async (_how, fail) => {
    const store = redisReplayStore(standIn(fail).client)
    for (const step of steps(store)) {
      await expect(step()).rejects.toMatchObject({
        code: 'ERR_REPLAY_STORE_UNAVAILABLE',
        cause: new Error('Connection is closed.'),
      })
    }
  })

  it('its methods can be passed on as functions', async () => {
    const { claim, commit, release } = redisReplayStore(standIn(() => Promise.resolve(0)).client)
    await commit('key', (await claim('key')).token)
    await release('key', 'token')
  })
})

describe('wrong use fails when the store is made', () => {
  const { client } = nodeRedis(() => Promise.resolve(0))

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a URL', 'redis://127.0.0.1:6379'],
    ['options', { url: 'redis://127.0.0.1:6379' }],
    ['the promise of a client', Promise.resolve(client)],
    ['a client without scripts', { sendCommand: () => undefined, defineCommand: () => undefined }],
    ['a client over HTTP, whose eval takes other arguments', { eval: () => Promise.resolve(0) }],
    ['the global object', globalThis],
  ])('%s instead of a client', (_what, wrong) => {
    expect(() => redisReplayStore(wrong as unknown as RedisClient)).toThrow(
      new TypeError(
        'redisReplayStore needs a client of the package "redis" (version 4 or later), "ioredis" (version 5 or later), ' +
          '"iovalkey" or "@valkey/valkey-glide": createClient({ url }) or new Redis(url)',
      ),
    )
  })

  it.each([
    [
      { prefix: '' },
      TypeError,
      '"prefix" must be a text that is not empty, got "". Every key in Redis begins with it.',
    ],
    [{ prefix: 5 }, TypeError, '"prefix" must be a text that is not empty, got number'],
    [{ prefix: null }, TypeError, '"prefix" must be a text that is not empty'],
    [{ leaseSeconds: 0 }, RangeError, '"leaseSeconds"'],
    [{ ttlSeconds: -1 }, RangeError, '"ttlSeconds"'],
    [{ ttlSeconds: '60' }, TypeError, '"ttlSeconds"'],
    [{ ttlSecond: 60 }, TypeError, 'redisReplayStore has no option "ttlSecond". Did you mean "ttlSeconds"?'],
    [{ keyPrefix: 'a' }, TypeError, 'redisReplayStore has no option "keyPrefix". Did you mean "prefix"?'],
    [null, TypeError, 'redisReplayStore: expected an options object, got null'],
  ])('the options %j', (options, type, message) => {
    const make = () => redisReplayStore(client, options as never)
    expect(make).toThrow(type)
    expect(make).toThrow(message)
  })
})
