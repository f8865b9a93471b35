import { describe, expect, it } from 'vitest'
import { memoryReplayStore } from '../../src/replay/memory.js'
import type { ReplayClaim, ReplayStore } from '../../src/replay/store.js'
import {
  replayStoreCases,
  type ReplayStoreTimes,
  type ReplayStoreUnderTest,
} from '../../src/testing/replay-store.js'

type Open = (times: ReplayStoreTimes) => ReplayStoreUnderTest

describe('the memory store', () => {
  const open: Open = (times) => {
    let time = 1_743_090_080_000
    const store = memoryReplayStore({ ...times, now: () => time })
    return { store, advance: (seconds) => (time += seconds * 1000) }
  }
  for (const { name, run } of replayStoreCases(open)) it(name, run)
})

/** A row of a store whose faults can be chosen. */
interface Row {
  readonly token: string | undefined
  readonly lapses: number
}

/** A store over asynchronous data, as one over a database is: right, but for what the fault changes. */
class Plain implements ReplayStore {
  readonly rows: Map<string, Row>
  readonly ttlSeconds: number
  readonly leaseSeconds: number
  readonly lease: number
  readonly ttl: number
  readonly now: () => number

  constructor({ leaseSeconds, ttlSeconds }: ReplayStoreTimes, rows: Map<string, Row>, now: () => number) {
    this.rows = rows
    this.ttlSeconds = ttlSeconds
    this.leaseSeconds = leaseSeconds
    this.lease = leaseSeconds
    this.ttl = ttlSeconds
    this.now = now
  }

  row(key: string): Row | undefined {
    const row = this.rows.get(key)
    return row !== undefined && row.lapses > this.now() ? row : undefined
  }

  token(): string {
    return crypto.randomUUID()
  }

  async claim(key: string): Promise<ReplayClaim> {
    await Promise.resolve()
    return this.answer(key, this.row(key))
  }

  answer(key: string, row: Row | undefined): ReplayClaim {
    if (row !== undefined) return { status: row.token === undefined ? 'done' : 'in-progress', token: '' }
    const token = this.token()
    this.rows.set(key, { token, lapses: this.now() + this.lease })
    return { status: 'new', token }
  }

  async commit(key: string, token: string): Promise<void> {
    await Promise.resolve()
    const row = this.row(key)
    if (row !== undefined && row.token !== token) return
    this.rows.set(key, { token: undefined, lapses: this.now() + this.ttl })
  }

  async release(key: string, token: string): Promise<void> {
    await Promise.resolve()
    if (this.row(key)?.token === token) this.rows.delete(key)
  }
}

function opener(Store: typeof Plain): Open {
  return (times) => {
    let time = 1_743_090_080
    const rows = new Map<string, Row>()
    const now = () => time
    return {
      store: new Store(times, rows, now),
      other: new Store(times, rows, now),
      advance: (seconds) => (time += seconds),
    }
  }
}

describe('a store over asynchronous data, with two instances', () => {
  for (const { name, run } of replayStoreCases(opener(Plain))) it(name, run)
})

const FAULTS: readonly (readonly [fault: string, found: string, Store: typeof Plain])[] = [
  [
    'that reads, and writes later',
    'of 100 claims at once, one is new',
    class extends Plain {
      override async claim(key: string) {
        const row = this.row(key)
        await Promise.resolve()
        return this.answer(key, row)
      }
    },
  ],
  [
    'that keeps claims in its own process',
    'of 100 claims at once over two instances, one is new',
    class extends Plain {
      override readonly rows = new Map<string, Row>()
    },
  ],
  [
    'that gives a lapsed claim to every caller',
    'of 100 claims at once after the lease ran out, one is new',
    class extends Plain {
      override async claim(key: string) {
        const lapsed = this.rows.get(key)
        if (lapsed === undefined || this.row(key) !== undefined) return super.claim(key)
        await Promise.resolve()
        return this.answer(key, undefined)
      }
    },
  ],
  [
    'whose claims do not lapse',
    'a claim holds for its lease, which no other claim lengthens',
    class extends Plain {
      override readonly lease = Infinity
    },
  ],
  [
    'whose claims do not hold',
    'a claim of a key that is being handled is in progress',
    class extends Plain {
      override readonly lease = 0
    },
  ],
  [
    'whose lease is too short',
    'a claim holds for its lease, which no other claim lengthens',
    class extends Plain {
      override readonly lease = 30
    },
  ],
  [
    'in which every claim lengthens the lease',
    'a claim holds for its lease, which no other claim lengthens',
    class extends Plain {
      override answer(key: string, row: Row | undefined) {
        if (row !== undefined) this.rows.set(key, { ...row, lapses: this.now() + this.lease })
        return super.answer(key, row)
      }
    },
  ],
  [
    'that commits whatever the token',
    'a late commit does nothing over a newer claim',
    class extends Plain {
      override async commit(key: string) {
        await super.commit(key, this.row(key)?.token ?? '')
      }
    },
  ],
  [
    'that releases whatever the token',
    'a late release does nothing over a newer claim',
    class extends Plain {
      override async release(key: string) {
        await Promise.resolve()
        this.rows.delete(key)
      }
    },
  ],
  [
    'that forgets commits with the lease of their claim',
    'a commit is kept for its time from the commit on, and then forgotten',
    class extends Plain {
      override readonly ttl = this.lease
    },
  ],
  [
    'that counts the time of a commit from the claim on',
    'a commit is kept for its time from the commit on, and then forgotten',
    class extends Plain {
      override async commit(key: string, token: string) {
        const claimed = (this.row(key)?.lapses ?? 0) - this.lease
        await super.commit(key, token)
        this.rows.set(key, { token: undefined, lapses: claimed + this.ttl })
      }
    },
  ],
  [
    'that never forgets a commit, despite its ttlSeconds',
    'a commit is kept for its time from the commit on, and then forgotten',
    class extends Plain {
      override readonly ttl = Infinity
    },
  ],
  [
    'that reports another time than it was given',
    'a commit is kept for its time from the commit on, and then forgotten',
    class extends Plain {
      override readonly ttlSeconds = 5
    },
  ],
  [
    'that reports another lease than it was given',
    'a claim holds for its lease, which no other claim lengthens',
    class extends Plain {
      override readonly leaseSeconds = 5
    },
  ],
  [
    'that reports no lease',
    'a claim holds for its lease, which no other claim lengthens',
    class extends Plain {
      override readonly leaseSeconds = undefined as never
    },
  ],
  [
    'that releases the claim before it commits',
    'a claim during the commit is not new',
    class extends Plain {
      override async commit(key: string, token: string) {
        await this.release(key, token)
        await super.commit(key, token)
      }
    },
  ],
  [
    'in which a late commit is lost',
    'a late commit counts if there is no newer claim',
    class extends Plain {
      override async commit(key: string, token: string) {
        if (this.row(key)?.token === token) await super.commit(key, token)
      }
    },
  ],
  [
    'in which a second commit undoes the first',
    'a commit stays when it is repeated, and when a release follows',
    class extends Plain {
      override async commit(key: string, token: string) {
        if (this.row(key)?.token === undefined) this.rows.delete(key)
        else await super.commit(key, token)
      }
    },
  ],
  [
    'that keeps the token in a commit, and so releases it',
    'a commit stays when it is repeated, and when a release follows',
    class extends Plain {
      readonly owners = new Map<string, string>()
      override async commit(key: string, token: string) {
        this.owners.set(key, token)
        await super.commit(key, token)
      }
      override async release(key: string, token: string) {
        if (this.owners.get(key) === token) this.rows.delete(key)
        else await super.release(key, token)
      }
    },
  ],
  [
    'that does not release',
    'a claim after the release is new',
    class extends Plain {
      override release() {
        return Promise.resolve()
      }
    },
  ],
  [
    'that does not commit',
    'a claim after the commit is done',
    class extends Plain {
      override commit() {
        return Promise.resolve()
      }
    },
  ],
  [
    'whose tokens are all the same',
    'each claim has another token',
    class extends Plain {
      override token() {
        return 'token'
      }
    },
  ],
  [
    'whose tokens are made of the key',
    'a repeated release does not end the next claim',
    class extends Plain {
      override token() {
        return 'delivery'
      }
    },
  ],
  [
    'that returns the token of a claim to other callers',
    'the token of a claim that is not new ends nothing',
    class extends Plain {
      override answer(key: string, row: Row | undefined) {
        return { ...super.answer(key, row), ...(row?.token !== undefined && { token: row.token }) }
      }
    },
  ],
  [
    'whose keys ignore upper and lower case',
    'every text is a key of its own',
    class extends Plain {
      override claim(key: string) {
        return super.claim(key.toLowerCase())
      }
      override commit(key: string, token: string) {
        return super.commit(key.toLowerCase(), token)
      }
    },
  ],
  [
    'that cuts long keys off',
    'every text is a key of its own',
    class extends Plain {
      override claim(key: string) {
        return super.claim(key.slice(0, 255))
      }
    },
  ],
  [
    'with one claim for all keys',
    'keys do not touch each other',
    class extends Plain {
      override claim() {
        return super.claim('key')
      }
    },
  ],
  [
    'with a status of its own',
    'the first claim of a key is new, and has a token',
    class extends Plain {
      override async claim(key: string) {
        await super.claim(key)
        return { status: 'fresh', token: 'token' } as unknown as ReplayClaim
      }
    },
  ],
  [
    'that answers with nothing',
    'the first claim of a key is new, and has a token',
    class extends Plain {
      override claim() {
        return Promise.resolve(undefined as unknown as ReplayClaim)
      }
    },
  ],
  [
    'whose token is a number',
    'the first claim of a key is new, and has a token',
    class extends Plain {
      override token() {
        return 1 as unknown as string
      }
    },
  ],
  [
    'whose token is empty',
    'the first claim of a key is new, and has a token',
    class extends Plain {
      override token() {
        return ''
      }
    },
  ],
]

describe('a store', () => {
  it.each(FAULTS)('%s fails the case: %s', async (_fault, found, Store) => {
    const wrong = replayStoreCases(opener(Store)).find(({ name }) => name === found)!
    await expect(wrong.run()).rejects.toThrow(/^The replay store is wrong: /)
  })
})

describe('the cases', () => {
  it('each fail for a store with a fault', () => {
    const found = new Set(FAULTS.map(([, name]) => name))
    const names = replayStoreCases(opener(Plain)).map(({ name }) => name)
    expect(names.filter((name) => !found.has(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  })

  it('report the actual and the required answer of the store', async () => {
    const [, , Store] = FAULTS.find(([fault]) => fault === 'that does not commit')!
    const wrong = replayStoreCases(opener(Store)).find(
      ({ name }) => name === 'a claim after the commit is done',
    )!
    await expect(wrong.run()).rejects.toThrow(
      'The replay store is wrong: a claim after the commit answered "in-progress"; it must answer "done"',
    )
  })

  it('each open a store, and close it even if they fail', async () => {
    const events: string[] = []
    const open: Open = (times) => {
      events.push('opened')
      return { ...opener(FAULTS[0]![2])(times), close: () => events.push('closed') }
    }
    for (const { run } of replayStoreCases(open)) {
      events.length = 0
      await run().catch(() => undefined)
      expect(events).toEqual(['opened', 'closed'])
    }
  })

  it('accept any lifetime of commits from a store without ttlSeconds', async () => {
    const Store = class extends Plain {
      override readonly ttl = Infinity
    }
    const open: Open = (times) => {
      const { store, advance } = opener(Store)(times)
      const { claim, commit, release } = store
      return {
        advance,
        store: {
          leaseSeconds: times.leaseSeconds,
          claim: claim.bind(store),
          commit: commit.bind(store),
          release: release.bind(store),
        },
      }
    }
    for (const { run } of replayStoreCases(open)) await run()
  })
})
