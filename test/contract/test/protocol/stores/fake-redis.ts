import type { ReplayStore } from '@service-signature/core'
import { redisReplayStore, type IoredisClient } from '@service-signature/redis'
import { CLAIM, COMMIT, RELEASE } from '../../../../../packages/redis/src/statements.js'
import type { Attempt } from '../invariants.js'
import { TIMES, type StoreKind } from '../simulation.js'

/** Runs a script, and returns its reply. */
export type Script = (redis: FakeRedis, key: string, claim: string, milliseconds: string) => number

/** The effects of the three scripts. */
export const SCRIPTS = {
  CLAIM: (redis, key, claim, lease) => {
    const value = redis.get(key)
    if (value === 'done') return 2
    if (value !== undefined && value !== claim) return 1
    if (value === undefined) redis.set(key, claim, Number(lease))
    return 0
  },
  COMMIT: (redis, key, claim, ttl) => {
    const value = redis.get(key)
    if (value !== undefined && value !== claim) return 0
    redis.set(key, 'done', Number(ttl))
    return 1
  },
  RELEASE: (redis, key, claim) => (redis.get(key) === claim && redis.delete(key) ? 1 : 0),
} satisfies Record<string, Script>

type Name = keyof typeof SCRIPTS

const NAMES = new Map<string, Name>([
  [CLAIM, 'CLAIM'],
  [COMMIT, 'COMMIT'],
  [RELEASE, 'RELEASE'],
])

/** A Redis that knows only the scripts of the store. */
export class FakeRedis {
  readonly #now: () => number
  readonly #values = new Map<string, { readonly value: string; readonly endsAt: number }>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  get contents(): unknown {
    return [...this.#values]
  }

  get(key: string): string | undefined {
    const entry = this.#values.get(key)
    return entry !== undefined && this.#now() < entry.endsAt ? entry.value : undefined
  }

  set(key: string, value: string, milliseconds: number): void {
    this.#values.set(key, { value, endsAt: this.#now() + milliseconds })
  }

  /** How long the value is kept, in milliseconds. */
  timeLeft(key: string): number | undefined {
    return this.get(key) === undefined ? undefined : this.#values.get(key)!.endsAt - this.#now()
  }

  delete(key: string): boolean {
    return this.#values.delete(key)
  }
}

/** The network of a call to Redis, with or without delays and faults. */
export type Send = (name: Name, run: () => number) => Promise<number>

/** A client with the methods of ioredis. */
export function fakeClient(
  redis: FakeRedis,
  send: Send,
  scripts: Record<Name, Script> = SCRIPTS,
): IoredisClient {
  return {
    eval(script, _keyCount, ...[key = '', claim = '', milliseconds = '']) {
      const name = NAMES.get(script)
      if (name === undefined) throw new Error('The fake Redis does not know this script')
      return send(name, () => scripts[name](redis, key, claim, milliseconds))
    },
    defineCommand: () => undefined,
  }
}

/** The store over Redis, which all processes share. */
export function inRedis(
  name: string,
  scripts: Partial<Record<Name, Script>> = {},
  wrap: (store: ReplayStore, attempt: Attempt, redis: FakeRedis) => ReplayStore = (store) => store,
): StoreKind {
  return {
    name,
    isShared: true,
    isTransactional: false,
    open(simulation) {
      const redis = new FakeRedis()
      simulation.contents = () => redis.contents
      return (attempt) => {
        const send: Send = (name, run) =>
          attempt.process.call(`${name} for ${attempt.name}`, () => {
            if (name === 'COMMIT') attempt.committedAt = Date.now()
            return run()
          })
        const client = fakeClient(redis, send, { ...SCRIPTS, ...scripts })
        return { replay: wrap(redisReplayStore(client, TIMES), attempt, redis) }
      }
    },
  }
}

export const IN_REDIS = inRedis('the store in Redis')
