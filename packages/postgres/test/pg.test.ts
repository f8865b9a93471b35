import { postgresInbox, type PgClient } from '@service-signature/postgres'
import { expect, it, vi } from 'vitest'
import { fakePool } from './support/fake-pool.js'
import { newWebhook } from '@service-signature/contract/inbox-cases'

// How a client of pg is returned or closed. failures.service.test.ts has the errors that a real server can produce.

const UNAVAILABLE = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503 }
const SERVER_ERROR = Object.assign(new Error('out of memory'), { code: '53200', severity: 'ERROR' })
const SHUTDOWN = Object.assign(new Error('shutting down'), { code: '57P01', severity: 'FATAL' })
const LOCKED = Object.assign(new Error('lock timeout'), {
  ...{ code: '55P03', severity: 'ERROR' },
  // As the server prints it with lc_messages = de.
  where: 'beim Einf\u00fcgen von Index-Tupel (0,1) in Relation \u00bbinbox_pkey\u00ab',
})
const sqlError = (code: string) => Object.assign(new Error('failed'), { code, severity: 'ERROR' })
const BROKEN_PIPE = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
const options = { timeoutSeconds: 0.01, waitSeconds: 0.01 }

it('returns a client whose transaction ended, without a listener of the inbox', async () => {
  const { pool, client, statements, released } = fakePool()
  expect((await postgresInbox(pool).handle(newWebhook(), () => undefined)).outcome).toBe('handled')
  expect(statements).toEqual(['BEGIN', 'COMMIT'])
  expect(released).toEqual([undefined])
  expect(client.listenerCount('error')).toBe(0)
})

it('returns a client after the handler failed', async () => {
  const { pool, statements, released } = fakePool()
  const failing = postgresInbox(pool).handle(newWebhook(), () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  expect(statements).toEqual(['BEGIN', 'ROLLBACK'])
  expect(released).toEqual([undefined])
})

it.each(['never', BROKEN_PIPE, SHUTDOWN] as const)(
  'closes a client whose BEGIN is not answered: %s, and answers 503',
  async (ending) => {
    const { pool, client, statements, released } = fakePool({ BEGIN: ending })
    const handler = vi.fn()
    const handling = postgresInbox(pool, options).handle(newWebhook(), handler)
    await expect(handling).rejects.toMatchObject({
      ...UNAVAILABLE,
      message: expect.stringContaining('The database of the inbox failed: ') as string,
    })
    expect(handler).not.toHaveBeenCalled()
    expect(statements).toEqual(['BEGIN'])
    expect(released).toEqual([expect.any(Error)])
    // A client that is being closed may emit errors, which must not end the process.
    client.emit('error', new Error('late'))
  },
)

it('returns a client if the server refuses to begin, and answers 503', async () => {
  const { pool, statements, released } = fakePool({ BEGIN: SERVER_ERROR })
  const handler = vi.fn()
  await expect(postgresInbox(pool).handle(newWebhook(), handler)).rejects.toMatchObject({
    ...UNAVAILABLE,
    cause: SERVER_ERROR,
  })
  expect(handler).not.toHaveBeenCalled()
  expect(statements).toEqual(['BEGIN', 'ROLLBACK'])
  expect(released).toEqual([undefined])
})

it.each(['never', BROKEN_PIPE, SHUTDOWN] as const)(
  'does not know the outcome if COMMIT is not answered: %s',
  async (ending) => {
    const { pool, released } = fakePool({ COMMIT: ending })
    await expect(postgresInbox(pool, options).handle(newWebhook(), () => undefined)).rejects.toMatchObject({
      ...UNAVAILABLE,
      message: expect.stringContaining('A retry finds out how it ended') as string,
    })
    expect(released).toEqual([expect.any(Error)])
  },
)

it('passes an error of the COMMIT on', async () => {
  const { pool, released } = fakePool({ COMMIT: SERVER_ERROR })
  await expect(postgresInbox(pool).handle(newWebhook(), () => undefined)).rejects.toBe(SERVER_ERROR)
  expect(released).toEqual([undefined])
})

it.each(['never', BROKEN_PIPE, SERVER_ERROR] as const)(
  'closes a client whose ROLLBACK fails, and passes the error of the handler on: %s',
  async (ending) => {
    const { pool, released } = fakePool({ ROLLBACK: ending })
    const failing = postgresInbox(pool, options).handle(newWebhook(), () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(released).toEqual([expect.any(Error)])
  },
)

it('closes a client that reported an error while the handler did something else', async () => {
  const { pool, client, released } = fakePool()
  const lost = new Error('Connection terminated unexpectedly')
  const handling = postgresInbox(pool).handle(newWebhook(), () => {
    client.emit('error', lost)
    return Promise.reject(new Error('no'))
  })
  await expect(handling).rejects.toThrow('no')
  expect(released).toEqual([lost])
})

it.each([
  ['never', UNAVAILABLE],
  [BROKEN_PIPE, UNAVAILABLE],
] as const)('closes a client whose claim is not answered: %s', async (ending, expected) => {
  const { pool, released } = fakePool({ WITH: ending })
  await expect(postgresInbox(pool, options).claim('key')).rejects.toMatchObject(expected)
  expect(released).toEqual([expect.any(Error)])
})

it('answers 409 if the key is locked for longer than waitSeconds, and reports a claim as in progress', async () => {
  const { pool, statements, released } = fakePool({ BEGIN: LOCKED, WITH: LOCKED })
  const handler = vi.fn()
  await expect(postgresInbox(pool).handle(newWebhook(), handler)).rejects.toMatchObject({
    ...{ code: 'ERR_DELIVERY_IN_PROGRESS', status: 409, cause: LOCKED },
  })
  expect(handler).not.toHaveBeenCalled()
  expect(statements).toEqual(['BEGIN', 'ROLLBACK'])
  expect(await postgresInbox(pool).claim('key')).toEqual({ status: 'in-progress', token: '' })
  expect(released).toEqual([undefined, undefined])
})

it.each([
  ['25006', 'it is read-only'],
  ['40001', 'other transactions won'],
  ['40P01', 'other transactions won'],
  ['42501', 'the user may not use the table'],
  ['42P01', 'the table of the inbox does not exist'],
  ['53100', 'its disk is full'],
  ['53300', 'the server has no free connection'],
  ['55P03', 'another statement has locked the table'],
  ['57014', 'a statement was canceled'],
])('says what SQLSTATE %s means', async (code, what) => {
  const error = sqlError(code)
  const { pool } = fakePool({ BEGIN: error, WITH: error, DELETE: error })
  const inbox = postgresInbox(pool)
  const expected = {
    ...UNAVAILABLE,
    cause: error,
    message: expect.stringContaining(`The database of the inbox failed: ${what}`) as string,
  }
  const handler = vi.fn()
  await expect(inbox.handle(newWebhook(), handler)).rejects.toMatchObject(expected)
  await expect(inbox.claim('key')).rejects.toMatchObject(expected)
  await expect(inbox.release('key', 'token')).rejects.toMatchObject(expected)
  expect(handler).not.toHaveBeenCalled()
})

it('refuses a delivery with 503 after an error whose code is a number, as that of an abort is', async () => {
  const { pool } = fakePool({ BEGIN: Object.assign(new Error('aborted'), { code: 20 }) })
  const handler = vi.fn()
  await expect(postgresInbox(pool).handle(newWebhook(), handler)).rejects.toMatchObject(UNAVAILABLE)
  expect(handler).not.toHaveBeenCalled()
})

it.each(['40001', '40P01'])('begins again after SQLSTATE %s, before the handler', async (code) => {
  const conflicts = () => [sqlError(code), sqlError(code)]
  const { pool, statements, released } = fakePool({
    BEGIN: conflicts(),
    WITH: conflicts(),
    DELETE: conflicts(),
  })
  const inbox = postgresInbox(pool)
  const handler = vi.fn()
  expect((await inbox.handle(newWebhook(), handler)).outcome).toBe('handled')
  expect(handler).toHaveBeenCalledOnce()
  expect(statements).toEqual(['BEGIN', 'ROLLBACK', 'BEGIN', 'ROLLBACK', 'BEGIN', 'COMMIT'])
  expect(released).toEqual([undefined, undefined, undefined])
  expect((await inbox.claim('key')).status).toBe('new')
  await inbox.release('key', 'token')
  expect(statements.slice(6)).toEqual(['WITH', 'WITH', 'WITH', 'DELETE', 'DELETE', 'DELETE'])
})

it('does not begin again without end', async () => {
  const { pool, statements } = fakePool({ BEGIN: sqlError('40001') })
  const handler = vi.fn()
  await expect(postgresInbox(pool).handle(newWebhook(), handler)).rejects.toMatchObject(UNAVAILABLE)
  expect(statements.filter((statement) => statement === 'BEGIN')).toHaveLength(4)
  expect(handler).not.toHaveBeenCalled()
})

it.each(['40001', '40P01'])('does not run the handler again after SQLSTATE %s at COMMIT', async (code) => {
  const error = sqlError(code)
  const { pool } = fakePool({ COMMIT: error })
  const handler = vi.fn()
  await expect(postgresInbox(pool).handle(newWebhook(), handler)).rejects.toBe(error)
  expect(handler).toHaveBeenCalledOnce()
})

it('does not let the handler release the client', async () => {
  const { pool, statements, released } = fakePool()
  const releasing = postgresInbox(pool).handle(newWebhook(), (client) => {
    client.release()
  })
  await expect(releasing).rejects.toThrow('The inbox releases the client itself: remove client.release()')
  expect(statements.at(-1)).toBe('ROLLBACK')
  expect(released).toEqual([undefined])
})

it('answers 503 if the pool cannot connect', async () => {
  const { pool } = fakePool()
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:5432')
  pool.connect = (callback) => {
    callback(refused, undefined, undefined as never)
  }
  const handler = vi.fn()
  await expect(postgresInbox(pool).handle(newWebhook(), handler)).rejects.toMatchObject({
    ...UNAVAILABLE,
    cause: refused,
  })
  expect(handler).not.toHaveBeenCalled()
})

it('says so if all clients of the pool are in use', async () => {
  const { pool } = fakePool()
  // As pg-pool rejects.
  const timeout = new Error('timeout exceeded when trying to connect')
  pool.connect = (callback) => {
    callback(timeout, undefined, undefined as never)
  }
  const handler = vi.fn()
  await expect(postgresInbox(pool).handle(newWebhook(), handler)).rejects.toMatchObject({
    ...UNAVAILABLE,
    cause: timeout,
    message: expect.stringContaining('the pool had no free connection in time. Each open handler') as string,
  })
  expect(handler).not.toHaveBeenCalled()
})

it('returns a client that the pool provided too late', async () => {
  const { pool, client, statements, released } = fakePool()
  let connect!: (client: PgClient) => void
  pool.connect = (callback) => {
    connect = (given) => {
      callback(undefined, given, undefined as never)
    }
  }
  const handler = vi.fn()
  await expect(postgresInbox(pool, options).handle(newWebhook(), handler)).rejects.toMatchObject({
    ...UNAVAILABLE,
    message: expect.stringContaining('the pool had no free connection within 0.01 s') as string,
  })
  connect(client)
  await expect.poll(() => released).toEqual([undefined])
  expect(statements).toEqual([])
  expect(handler).not.toHaveBeenCalled()
})
