import type { ReplayClaim, ReplayStore } from '../replay/store.js'

/** An empty store, and control over its time. */
export interface ReplayStoreUnderTest {
  readonly store: ReplayStore
  /** Another instance over the same data, as another process has it. Left out if only this process has the data. */
  readonly other?: ReplayStore | undefined
  /** Advances the clock of the store. */
  readonly advance: (seconds: number) => unknown
  readonly close?: (() => unknown) | undefined
}

/** The times that a store must have in the cases. */
export interface ReplayStoreTimes {
  readonly leaseSeconds: number
  readonly ttlSeconds: number
}

export interface ReplayStoreCase {
  /** The required behaviour. */
  readonly name: string
  /** Rejects if the store behaves differently, and says how. */
  readonly run: () => Promise<void>
}

/**
 * The cases that a replay store must pass, for the test runner of your choice.
 *
 * @example
 * const open = (times) => {
 *   let time = 0
 *   const store = memoryReplayStore({ ...times, now: () => time })
 *   return { store, advance: (seconds) => (time += seconds * 1000) }
 * }
 * for (const { name, run } of replayStoreCases(open)) test(name, run)
 *
 * @param open returns an empty store, another one for each case
 */
export function replayStoreCases(
  open: (times: ReplayStoreTimes) => ReplayStoreUnderTest | Promise<ReplayStoreUnderTest>,
): readonly ReplayStoreCase[] {
  return Object.entries(CASES).map(([name, prove]) => ({
    name,
    async run() {
      const opened = await open({ leaseSeconds: LEASE, ttlSeconds: TTL })
      const { store, other = store } = opened
      try {
        await prove({ store, other, advance: (seconds) => opened.advance(seconds) })
      } finally {
        await opened.close?.()
      }
    },
  }))
}

type Opened = Omit<ReplayStoreUnderTest, 'other' | 'close'> & { readonly other: ReplayStore }

const LEASE = 60
const TTL = 3600
// The real clock of a store may advance while the case runs.
const SHORTLY = 10

const CASES: Readonly<Record<string, (opened: Opened) => Promise<void>>> = {
  async 'the first claim of a key is new, and has a token'({ store }) {
    await claim(store, 'new', 'of a key without a claim')
  },

  async 'a claim of a key that is being handled is in progress'({ store, other }) {
    await claim(store, 'new')
    await claim(store, 'in-progress', 'of a key that is being handled')
    await claim(other, 'in-progress', 'of a key that another instance is handling')
  },

  async 'a claim after the commit is done'({ store, other }) {
    await store.commit(KEY, await claim(store, 'new'))
    await claim(store, 'done', 'after the commit')
    await claim(other, 'done', 'after the commit of another instance')
  },

  async 'a claim after the release is new'({ store, other }) {
    await store.release(KEY, await claim(store, 'new'))
    const token = await claim(other, 'new', 'after the release')
    await claim(store, 'in-progress', 'after the release and another claim')
    await other.release(KEY, token)
    await claim(store, 'new', 'after the second release')
  },

  async 'keys do not touch each other'({ store }) {
    const first = await claim(store, 'new', 'of the first key', 'first')
    const second = await claim(store, 'new', 'of the second key', 'second')
    await store.commit('first', first)
    await claim(store, 'in-progress', 'of the second key, after the commit of the first', 'second')
    await store.release('second', second)
    await claim(store, 'done', 'of the first key, after the release of the second', 'first')
  },

  'of 100 claims at once, one is new': ({ store }) => oneIsNew([store], 'of an unclaimed key'),

  'of 100 claims at once over two instances, one is new': ({ store, other }) =>
    oneIsNew([store, other], 'of an unclaimed key'),

  async 'of 100 claims at once after the lease ran out, one is new'({ store, other, advance }) {
    await claim(store, 'new')
    await advance(LEASE + SHORTLY)
    await oneIsNew([store, other], 'of a key whose lease ran out')
  },

  async 'a claim during the commit is not new'({ store, other }) {
    const token = await claim(store, 'new')
    const steps = [claims([store, other]), store.commit(KEY, token), claims([store, other])] as const
    const [before, , after] = await Promise.all(steps)
    const isNew = ({ status }: ReplayClaim) => status === 'new'
    check(![...before, ...after].some(isNew), 'a claim during the commit answered "new"')
  },

  async 'a claim holds for its lease, which no other claim lengthens'({ store, other, advance }) {
    await claim(store, 'new')
    checkTime(store, 'leaseSeconds', LEASE)
    await advance(LEASE - SHORTLY)
    await claim(other, 'in-progress', 'shortly before the lease runs out')
    await advance(2 * SHORTLY)
    await claim(other, 'new', 'after the lease ran out')
  },

  'a late commit does nothing over a newer claim': (opened) => endLate(opened, 'commit', 'release', 'new'),
  'a late release does nothing over a newer claim': (opened) => endLate(opened, 'release', 'commit', 'done'),

  async 'a late commit counts if there is no newer claim'({ store, other, advance }) {
    const late = await claim(store, 'new')
    await advance(LEASE + SHORTLY)
    await store.commit(KEY, late)
    await claim(other, 'done', 'after a late commit without a newer claim')
  },

  async 'a commit stays when it is repeated, and when a release follows'({ store, other }) {
    const token = await claim(store, 'new')
    await store.commit(KEY, token)
    await store.commit(KEY, token)
    await claim(other, 'done', 'after the same commit twice')
    await store.release(KEY, token)
    await claim(other, 'done', 'after a commit, and a release with the same token')
  },

  async 'a repeated release does not end the next claim'({ store, other }) {
    const token = await claim(store, 'new')
    await store.release(KEY, token)
    await claim(other, 'new', 'after the release')
    await store.release(KEY, token)
    await claim(store, 'in-progress', 'after the same release twice, with a claim between them')
  },

  async 'the token of a claim that is not new ends nothing'({ store, other }) {
    const token = await claim(store, 'new')
    const notNew = await claim(other, 'in-progress')
    await other.commit(KEY, notNew)
    await claim(other, 'in-progress', 'after a commit without a claim')
    await other.release(KEY, notNew)
    await claim(other, 'in-progress', 'after a release without a claim')
    await store.commit(KEY, token)
    await other.release(KEY, await claim(other, 'done'))
    await claim(store, 'done', 'after a release without a claim')
  },

  async 'a commit is kept for its time from the commit on, and then forgotten'({ store, other, advance }) {
    const token = await claim(store, 'new')
    await advance(LEASE - SHORTLY)
    await store.commit(KEY, token)
    await advance(TTL - SHORTLY)
    await claim(other, 'done', `${SHORTLY} s before the commit is ${TTL} s old`)
    // A store without "ttlSeconds" may keep commits forever.
    if (store.ttlSeconds === undefined) return
    checkTime(store, 'ttlSeconds', TTL)
    await advance(2 * SHORTLY)
    await claim(other, 'new', `${SHORTLY} s after the commit is ${TTL} s old`)
  },

  async 'each claim has another token'({ store, other }) {
    const tokens = new Set<string>()
    for (let count = 0; count < 10; count++) {
      for (const instance of [store, other]) {
        const token = await claim(instance, 'new')
        check(!tokens.has(token), 'a claim has the token of an earlier one; each must have its own')
        tokens.add(token)
        await instance.release(KEY, token)
      }
    }
  },

  async 'every text is a key of its own'({ store, other }) {
    const nameOf = (key: string) => `of the key ${JSON.stringify(key.slice(-20))}, ${key.length} characters`
    for (const [index, key] of ODD_KEYS.entries()) {
      const token = await claim(store, 'new', `${nameOf(key)}, for the first time`, key)
      if (index % 2 === 0) await store.commit(key, token)
    }
    for (const [index, key] of ODD_KEYS.entries()) {
      const expected = index % 2 === 0 ? 'done' : 'in-progress'
      await claim(other, expected, `${nameOf(key)}, for the second time`, key)
    }
  },
}

const KEY = 'delivery'
const LONG = 'x'.repeat(10_000)

// Keys that a store could confuse.
const ODD_KEYS = [
  ...['key', 'KEY', 'key ', ' key', 'key\n', 'key:', ' ', ':', '*', '%', "'", '"', '\\', '/', '.', '..'],
  ...['{key}', '{key}2', '{}', '{', '0', '00', '1e3', '1000', 'null', 'undefined', 'done', 'new', 'NaN'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length'],
  ...['\u00e9', 'e\u0301', '\u00c9', 'e', '\u{1f600}', '\u{1f601}', '\ufeff', '\ufeffkey', '\u2028'],
  ...[LONG, `${LONG}1`, `${LONG}2`],
]

type Status = ReplayClaim['status']
type Ending = 'commit' | 'release'

/** The token of one claim, which must be answered as expected. */
async function claim(
  store: ReplayStore,
  expected: Status,
  when = 'of the key that the case is about',
  key = KEY,
): Promise<string> {
  const { status, token } = wellFormed(await store.claim(key))
  check(status === expected, `a claim ${when} answered "${status}"; it must answer "${expected}"`)
  return token
}

/** A claim ends after its lease, while a newer claim holds, which then ends in the other way. */
async function endLate({ store, other, advance }: Opened, late: Ending, then: Ending, expected: Status) {
  const lapsed = await claim(store, 'new')
  await advance(LEASE + SHORTLY)
  const newer = await claim(other, 'new', 'after the lease ran out')
  await store[late](KEY, lapsed)
  await claim(store, 'in-progress', `after a late ${late}, while a newer claim holds`)
  await other[then](KEY, newer)
  await claim(store, expected, `after a late ${late}, and the ${then} of the newer claim`)
}

/** The answers to 100 claims at once, in turns over the instances. */
async function claims(instances: readonly ReplayStore[]): Promise<ReplayClaim[]> {
  const turns = Array.from({ length: 100 }, (_, turn) => instances[turn % instances.length]!)
  return Promise.all(turns.map(async (store) => wellFormed(await store.claim(KEY))))
}

function checkTime(store: ReplayStore, name: keyof ReplayStoreTimes, seconds: number): void {
  check(store[name] === seconds, `the store's ${name} is ${store[name]}; it must be ${seconds}`)
}

async function oneIsNew(instances: readonly ReplayStore[], when: string): Promise<void> {
  const answers = await claims(instances)
  const count = (wanted: string) => answers.filter(({ status }) => status === wanted).length
  const [news, others] = [count('new'), count('in-progress')]
  const given = `${news} answered "new" and ${others} "in-progress"`
  check(news === 1 && others === 99, `of 100 claims at once ${when}, ${given}; it must be 1 and 99`)
}

function wellFormed(answer: unknown): ReplayClaim {
  const { status, token } = (answer ?? {}) as Partial<Record<keyof ReplayClaim, unknown>>
  const isStatus = status === 'new' || status === 'in-progress' || status === 'done'
  check(isStatus, 'claim gave no status; it must give "new", "in-progress" or "done"')
  check(typeof token === 'string', `claim gave a token of type ${typeof token}; it must give a text`)
  check(status !== 'new' || token !== '', 'claim answered "new" with an empty token')
  return { status, token }
}

function check(holds: boolean, fault: string): asserts holds {
  if (!holds) throw new Error(`The replay store is wrong: ${fault}`)
}
