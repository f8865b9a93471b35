import { newWebhook } from '@service-signature/contract/inbox-cases'
import { mysqlInbox, type MysqlClient } from '@service-signature/mysql'
import { expect, it, vi } from 'vitest'
import { fakePool, serverError } from './support/fake-pool.js'

// How a connection is returned or closed. failures.service.test.ts has the errors that a real server can produce.

const UNAVAILABLE = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503 }
const BROKEN_PIPE = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', errno: -32 })
const KILLED = serverError(1927, '70100')
const SHUTDOWN = serverError(1053, '08S01')
const LOCKED = serverError(1205)
const DEADLOCK = serverError(1213, '40001')
const OUT_OF_MEMORY = serverError(1041)
const options = { timeoutSeconds: 0.01, waitSeconds: 0.01 }
const HANDLED = ['BEGIN', 'INSERT', 'SAVEPOINT', 'SET', 'RELEASE']

it('makes 6 round trips besides those of the handler, and commits by turning autocommit on', async () => {
  const { pool, statements, given } = fakePool()
  expect((await mysqlInbox(pool).handle(newWebhook(), () => undefined)).outcome).toBe('handled')
  expect(statements).toEqual([...HANDLED, 'RESTORE'])
  expect(given).toEqual(['released'])
})

it('commits with COMMIT where the session is not in autocommit mode', async () => {
  const { pool, statements, given } = fakePool({ INSERT: 3 })
  expect((await mysqlInbox(pool).handle(newWebhook(), () => undefined)).outcome).toBe('handled')
  expect(statements).toEqual([...HANDLED, 'COMMIT'])
  expect(given).toEqual(['released'])
})

it('makes 4 round trips for a duplicate', async () => {
  const { pool, statements, given } = fakePool({ INSERT: 2 })
  const handler = vi.fn()
  expect((await mysqlInbox(pool).handle(newWebhook(), handler)).outcome).toBe('duplicate')
  expect(handler).not.toHaveBeenCalled()
  expect(statements).toEqual(['BEGIN', 'INSERT', 'ROLLBACK', 'RESTORE'])
  expect(given).toEqual(['released'])
})

it('rolls back and returns the connection after the handler failed', async () => {
  const { pool, statements, given } = fakePool()
  const failing = mysqlInbox(pool).handle(newWebhook(), () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  expect(statements).toEqual(['BEGIN', 'INSERT', 'SAVEPOINT', 'SET', 'ROLLBACK', 'RESTORE'])
  expect(given).toEqual(['released'])
})

it.each(
  ['BEGIN', 'INSERT', 'SAVEPOINT', 'SET'].flatMap((name) =>
    (['never', BROKEN_PIPE, KILLED, SHUTDOWN] as const).map((ending) => [name, ending] as const),
  ),
)('closes a connection whose %s is not answered: %s, and answers 503', async (name, ending) => {
  const { pool, statements, given } = fakePool({ [name]: ending })
  const handler = vi.fn()
  await expect(mysqlInbox(pool, options).handle(newWebhook(), handler)).rejects.toMatchObject({
    ...UNAVAILABLE,
    message: expect.stringMatching(/^The database of the inbox failed: /) as string,
  })
  expect(handler).not.toHaveBeenCalled()
  expect(statements.at(-1)).toBe(name)
  expect(given).toEqual(['destroyed'])
})

it('returns a connection if the server refuses the key, and answers 503', async () => {
  const { pool, statements, given } = fakePool({ INSERT: OUT_OF_MEMORY })
  const handler = vi.fn()
  const refused = mysqlInbox(pool).handle(newWebhook(), handler)
  await expect(refused).rejects.toMatchObject({ ...UNAVAILABLE, cause: OUT_OF_MEMORY })
  expect(handler).not.toHaveBeenCalled()
  expect(statements).toEqual(['BEGIN', 'INSERT', 'ROLLBACK', 'RESTORE'])
  expect(given).toEqual(['released'])
})

it.each([
  ['RELEASE', 'never'],
  ['RELEASE', BROKEN_PIPE],
  ['RESTORE', 'never'],
  ['RESTORE', BROKEN_PIPE],
  ['RESTORE', KILLED],
  ['RESTORE', SHUTDOWN],
] as const)('does not know the outcome if %s is not answered: %s', async (name, ending) => {
  const { pool, given } = fakePool({ [name]: ending })
  await expect(mysqlInbox(pool, options).handle(newWebhook(), () => undefined)).rejects.toMatchObject({
    ...UNAVAILABLE,
    message: expect.stringContaining('A retry finds out how it ended') as string,
  })
  expect(given).toEqual(['destroyed'])
})

it('passes an error of the COMMIT on, and closes the connection if it cannot be restored', async () => {
  const { pool, given } = fakePool({ INSERT: 3, COMMIT: OUT_OF_MEMORY })
  await expect(mysqlInbox(pool).handle(newWebhook(), () => undefined)).rejects.toBe(OUT_OF_MEMORY)
  expect(given).toEqual(['released'])
  const second = fakePool({ RESTORE: OUT_OF_MEMORY })
  await expect(mysqlInbox(second.pool).handle(newWebhook(), () => undefined)).rejects.toBe(OUT_OF_MEMORY)
  expect(second.given).toEqual(['destroyed'])
})

it.each(['ROLLBACK', 'RESTORE'])(
  'closes a connection whose %s fails, and passes the error of the handler on',
  async (name) => {
    for (const ending of ['never', BROKEN_PIPE, OUT_OF_MEMORY] as const) {
      const { pool, given } = fakePool({ [name]: ending })
      const failing = mysqlInbox(pool, options).handle(newWebhook(), () => Promise.reject(new Error('no')))
      await expect(failing).rejects.toThrow('no')
      expect(given).toEqual(['destroyed'])
    }
  },
)

it('inserts the key again after up to 4 deadlocks, and calls the handler once', async () => {
  const { pool, statements, given } = fakePool({ INSERT: [DEADLOCK, DEADLOCK, DEADLOCK, DEADLOCK, 4] })
  const handler = vi.fn()
  expect((await mysqlInbox(pool).handle(newWebhook(), handler)).outcome).toBe('handled')
  expect(handler).toHaveBeenCalledOnce()
  expect(statements.filter((name) => name === 'INSERT')).toHaveLength(5)
  expect(given).toEqual(['released'])
})

it('answers 503 after 5 deadlocks', async () => {
  const { pool, statements, given } = fakePool({ INSERT: DEADLOCK })
  const handler = vi.fn()
  const refused = mysqlInbox(pool).handle(newWebhook(), handler)
  await expect(refused).rejects.toMatchObject({ ...UNAVAILABLE, cause: DEADLOCK })
  expect(handler).not.toHaveBeenCalled()
  expect(statements.filter((name) => name === 'INSERT')).toHaveLength(5)
  expect(given).toEqual(['released'])
})

it.each<[number, string]>([
  [1021, 'its disk or tablespace is full'],
  [1114, 'its disk or tablespace is full'],
  [1213, 'the insertion of the key ended in deadlocks'],
  [1836, 'it is read-only'],
  [3024, 'the server ended a statement at its time limit'],
  [1053, 'the connection to the server is lost, or not made'],
])('names the error %i of the server', async (errno, what) => {
  const { pool } = fakePool({ INSERT: serverError(errno) })
  const handler = vi.fn()
  const message = expect.stringContaining(`The database of the inbox failed: ${what}`) as string
  for (const call of [mysqlInbox(pool).handle(newWebhook(), handler), mysqlInbox(pool).claim('key')]) {
    await expect(call).rejects.toMatchObject({ ...UNAVAILABLE, message })
  }
  expect(handler).not.toHaveBeenCalled()
})

it('answers 409 if the key is locked for longer than waitSeconds, and reports a claim as in progress', async () => {
  const { pool, given } = fakePool({ INSERT: LOCKED }, [{ '1': 1 }])
  const handler = vi.fn()
  const refused = mysqlInbox(pool).handle(newWebhook(), handler)
  await expect(refused).rejects.toMatchObject({
    code: 'ERR_DELIVERY_IN_PROGRESS',
    status: 409,
    cause: LOCKED,
  })
  expect(handler).not.toHaveBeenCalled()
  expect(await mysqlInbox(pool).claim('key')).toEqual({ status: 'in-progress', token: '' })
  expect(given).toEqual(['released', 'released'])
})

it.each(['never', BROKEN_PIPE] as const)(
  'closes a connection whose claim is not answered: %s',
  async (ending) => {
    const { pool, given } = fakePool({ INSERT: ending })
    await expect(mysqlInbox(pool, options).claim('key')).rejects.toMatchObject(UNAVAILABLE)
    expect(given).toEqual(['destroyed'])
  },
)

it('answers 503 if the pool cannot connect', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { errno: -111 })
  const handler = vi.fn()
  const inbox = mysqlInbox({ getConnection: () => Promise.reject(refused) })
  await expect(inbox.handle(newWebhook(), handler)).rejects.toMatchObject({ ...UNAVAILABLE, cause: refused })
  expect(handler).not.toHaveBeenCalled()
})

it('returns a connection that the pool provided too late', async () => {
  const { connection, statements, given } = fakePool()
  let connect!: (client: MysqlClient) => void
  const late = { getConnection: () => new Promise<MysqlClient>((resolve) => (connect = resolve)) }
  const handler = vi.fn()
  await expect(mysqlInbox(late, options).handle(newWebhook(), handler)).rejects.toMatchObject({
    ...UNAVAILABLE,
    message: expect.stringContaining('the pool had no free connection within 0.01 s') as string,
  })
  connect(connection())
  await expect.poll(() => given).toEqual(['released'])
  expect(statements).toEqual([])
  expect(handler).not.toHaveBeenCalled()
})
