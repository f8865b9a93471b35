import type { ReplayStore } from '@service-signature/core'
import type { Attempt, Invariant } from '../invariants.js'
import type { StoreKind } from '../simulation.js'
import { inD1, type D1Mistake } from './fake-d1.js'
import type { Mistake } from './fake-database.js'
import { inDynamo, type DynamoMistake } from './fake-dynamodb.js'
import type { InnodbMistake } from './fake-innodb.js'
import { inMysql } from './fake-mysql.js'
import { inObjects, type ObjectMistake } from './fake-objects.js'
import { inPostgres } from './fake-postgres.js'
import type { SqliteMistake } from './fake-sqlite-file.js'
import { inSqlite } from './fake-sqlite.js'
import { inRedis, SCRIPTS, type FakeRedis, type Script } from './fake-redis.js'

/** A store, or a use of one, that breaks promises. */
export interface Fault {
  readonly fault: string
  /** The invariants that it violates. */
  readonly invariants: readonly Invariant[]
  readonly kind: StoreKind
}

const { CLAIM, COMMIT, RELEASE } = SCRIPTS
const EIGHT_DAYS = String(8 * 86_400_000)

type Scripts = Partial<Record<keyof typeof SCRIPTS, Script>>

/** A store over Redis with one wrong script. */
const script = (fault: string, invariant: Invariant, wrong: Scripts): Fault => {
  return { fault, invariants: [invariant], kind: inRedis(fault, wrong) }
}

/** An inbox over a database with one mistake, or used as if it had that mistake. */
const inbox = (mistake: Mistake, ...invariants: readonly Invariant[]): Fault => {
  return {
    fault: `the inbox ${mistake}`,
    invariants,
    kind: inPostgres(mistake, { handle: true, replay: false }, mistake),
  }
}

/** The same over MySQL. */
const mysql = (mistake: InnodbMistake, ...invariants: readonly Invariant[]): Fault => {
  return {
    fault: `the inbox in MySQL ${mistake}`,
    invariants,
    kind: inMysql(mistake, { handle: true, replay: false }, mistake),
  }
}

/** An inbox in DynamoDB with one mistake, or used with that mistake. */
const dynamo = (mistake: DynamoMistake, replay: boolean, ...invariants: readonly Invariant[]): Fault => {
  return {
    fault: `the inbox in DynamoDB ${mistake}`,
    invariants,
    kind: inDynamo(mistake, { transaction: !mistake.includes('token'), replay }, mistake),
  }
}

/** The inbox in D1 with one mistake of the database, or of the code that uses it. */
const d1 = (mistake: D1Mistake, ...invariants: readonly Invariant[]): Fault => {
  return {
    fault: `the inbox in D1 ${mistake}`,
    invariants,
    kind: inD1(mistake, { batch: true, replay: false }, mistake),
  }
}

const objects = (mistake: ObjectMistake, ...invariants: readonly Invariant[]): Fault => {
  return { fault: `the store of Durable Objects ${mistake}`, invariants, kind: inObjects(mistake, mistake) }
}

/** The inbox over a SQLite file with one mistake. */
const sqlite = (mistake: SqliteMistake, ...invariants: readonly Invariant[]): Fault => {
  return {
    fault: `the inbox in SQLite ${mistake}`,
    invariants,
    kind: inSqlite(mistake, { handle: true, replay: false }, mistake),
  }
}

export const FAULTS: readonly Fault[] = [
  {
    fault: 'the claim has two steps',
    invariants: ['one handler at a time, within the lease'],
    kind: inRedis('a claim in two steps', {}, claimsInTwoSteps),
  },
  {
    fault: 'the commit comes before the handler',
    invariants: [
      'no acknowledgement before the delivery is handled',
      'no duplicate is acknowledged while a handler runs',
      'every delivery is handled in the end',
    ],
    kind: inRedis('a commit before the handler', {}, commitsFirst),
  },
  script('a claim in progress is new', 'one handler at a time, within the lease', {
    CLAIM: (...args) => (CLAIM(...args) === 1 ? 0 : CLAIM(...args)),
  }),
  script('the lease is too short', 'one handler at a time, within the lease', {
    CLAIM: (redis, key, claim) => CLAIM(redis, key, claim, '10000'),
  }),
  script('the lease never ends', 'every delivery is handled in the end', {
    CLAIM: (redis, key, claim) => CLAIM(redis, key, claim, EIGHT_DAYS),
  }),
  script('the commit ignores the token', 'no duplicate is acknowledged while a handler runs', {
    COMMIT: (redis, key, _claim, ttl) => {
      redis.set(key, 'done', Number(ttl))
      return 1
    },
  }),
  script('the release ignores the token', 'one handler at a time, within the lease', {
    RELEASE: (redis, key) => (redis.get(key) !== 'done' && redis.delete(key) ? 1 : 0),
  }),
  script('a release ends a commit', 'handled again only for a known reason', {
    RELEASE: (redis, key, claim) => RELEASE(redis, key, redis.get(key) ?? claim),
  }),
  script('the commit is forgotten too early', 'handled again only for a known reason', {
    COMMIT: (redis, key, claim) => COMMIT(redis, key, claim, '3600000'),
  }),
  script('the commit does nothing', 'handled again only for a known reason', { COMMIT: () => 1 }),
  script('a claim in progress is a duplicate', 'no duplicate is acknowledged while a handler runs', {
    CLAIM: (...args) => (CLAIM(...args) === 1 ? 2 : CLAIM(...args)),
  }),
  inbox(
    'inserts outside of the transaction',
    'every delivery is handled in the end',
    'no acknowledgement before the delivery is handled',
  ),
  inbox(
    'commits before the handler',
    'no acknowledgement before the delivery is handled',
    'no duplicate is acknowledged while a handler runs',
    'every delivery is handled in the end',
  ),
  inbox('forgets that a key was handled', 'an effect is committed exactly once'),
  inbox(
    'does not wait for other transactions',
    'an effect is committed exactly once',
    'one handler at a time, within the lease',
  ),
  inbox('accepts a failed transaction', 'no acknowledgement before the delivery is handled'),
  inbox('leaves out ROLLBACK', 'a connection goes back outside of a transaction'),
  mysql(
    'inserts outside of the transaction',
    'every delivery is handled in the end',
    'no acknowledgement before the delivery is handled',
  ),
  mysql(
    'commits before the handler',
    'no acknowledgement before the delivery is handled',
    'no duplicate is acknowledged while a handler runs',
    'every delivery is handled in the end',
  ),
  mysql('forgets that a key was handled', 'an effect is committed exactly once'),
  mysql(
    'does not wait for other transactions',
    'an effect is committed exactly once',
    'one handler at a time, within the lease',
  ),
  mysql(
    'swallows a deadlock of the insertion',
    'one handler at a time, within the lease',
    'an effect is committed exactly once',
  ),
  mysql('begins with START TRANSACTION', 'an effect is committed exactly once'),
  mysql(
    'does not notice that the transaction has ended',
    'no acknowledgement before the delivery is handled',
  ),
  mysql('leaves out ROLLBACK', 'every delivery is handled in the end'),
  mysql('leaves out the settings of the session', 'a connection goes back outside of a transaction'),
  dynamo('books outside of the transaction', false, 'an effect is committed exactly once'),
  dynamo('ignores the condition of the key', false, 'an effect is committed exactly once'),
  dynamo('fails for a claimed key', true, 'no acknowledgement before the delivery is handled'),
  dynamo(
    'fails with another reason as if the key were handled',
    false,
    'no acknowledgement before the delivery is handled',
  ),
  dynamo('ignores the token of a claim', true, 'one handler at a time, within the lease'),
  d1('does not fail for a handled key', 'an effect is committed exactly once'),
  d1('keeps what a failed batch did before its error', 'no acknowledgement before the delivery is handled'),
  d1('runs the statements outside of the batch', 'an effect is committed exactly once'),
  objects('lets requests in while an object reads its storage', 'one handler at a time, within the lease'),
  objects('runs the alarm of a claim after the commit', 'handled again only for a known reason'),
  objects('forgets a commit too early', 'handled again only for a known reason'),
  sqlite('does not lock the file', 'an effect is committed exactly once'),
  sqlite(
    'inserts outside of the transaction',
    'no acknowledgement before the delivery is handled',
    'every delivery is handled in the end',
  ),
  sqlite(
    'commits before the handler',
    'no acknowledgement before the delivery is handled',
    'every delivery is handled in the end',
  ),
  sqlite('leaves out ROLLBACK', 'every delivery is handled in the end'),
]

/** Between them, another claim of the same key may find nothing either. */
function claimsInTwoSteps(store: ReplayStore, { process, name }: Attempt, redis: FakeRedis): ReplayStore {
  const set = (key: string, value: string, milliseconds: number) =>
    process.call(`SET for ${name}`, () => {
      redis.set(key, value, milliseconds)
    })
  return {
    ...store,
    async claim(key) {
      const value = await process.call(`GET for ${name}`, () => redis.get(key))
      if (value !== undefined) return { status: value === 'done' ? 'done' : 'in-progress', token: '' }
      await set(key, name, 60_000)
      return { status: 'new', token: name }
    },
    commit: (key) => set(key, 'done', 86_400_000),
  }
}

function commitsFirst(store: ReplayStore): ReplayStore {
  return {
    ...store,
    async claim(key) {
      const claim = await store.claim(key)
      if (claim.status === 'new') await store.commit(key, claim.token)
      return claim
    },
  }
}
