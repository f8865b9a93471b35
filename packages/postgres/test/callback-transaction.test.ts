import { postgresInbox, type PostgresJs, type PostgresJsTransaction } from '@service-signature/postgres'
import { expect, it, vi } from 'vitest'
import { newWebhook } from './support/webhooks.js'

// What is asked of a library that runs a transaction in a callback, here in the shape of postgres.js.

const UNAVAILABLE = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503 }
const CLOSED = Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })
const options = { timeoutSeconds: 0.01, waitSeconds: 0.01 }
const never = new Promise<never>(() => undefined)

/** @param begin what the library does; `run` is the callback that the inbox gives it */
function fakeSql(
  begin: (
    run: (client: PostgresJsTransaction) => Promise<void>,
    client: PostgresJsTransaction,
  ) => Promise<unknown>,
  answer: (text: string) => Promise<never> | undefined = () => undefined,
) {
  const statements: string[] = []
  const unsafe = (text: string) => {
    statements.push(/^\s*(?:\w+ txid|\w+)/.exec(text)![0].trim())
    return answer(text) ?? Promise.resolve([{ txid: '1', previous: '0' }])
  }
  const client = Object.assign(() => undefined, { unsafe, savepoint: () => never })
  const sql = Object.assign(() => undefined, {
    unsafe,
    begin: (run: (client: PostgresJsTransaction) => Promise<void>) => begin(run, client),
  })
  return { sql: sql as unknown as PostgresJs, statements }
}

it('commits by the end of the callback', async () => {
  const ended = vi.fn()
  const { sql, statements } = fakeSql((run, client) => run(client).then(ended))
  expect(await postgresInbox(sql).handle(newWebhook(), () => 5)).toEqual({ outcome: 'handled', result: 5 })
  expect(statements).toEqual(['SELECT', 'INSERT', 'SELECT txid'])
  expect(ended).toHaveBeenCalledOnce()
})

it('rolls a transaction back that begins too late', async () => {
  let begin!: () => Promise<void>
  const { sql, statements } = fakeSql((run, client) => {
    begin = () => run(client)
    return never
  })
  const handler = vi.fn()
  await expect(postgresInbox(sql, options).handle(newWebhook(), handler)).rejects.toMatchObject(UNAVAILABLE)
  await expect(begin()).rejects.toThrow('The database did not answer within 0.01 s')
  expect(handler).not.toHaveBeenCalled()
  expect(statements).toEqual([])
})

it('rolls back if a statement is not answered, and does not wait for that', async () => {
  const ended = vi.fn()
  const { sql } = fakeSql(
    (run, client) =>
      run(client)
        .catch(ended)
        .then(() => never),
    (text) => (text.includes('INSERT') ? never : undefined),
  )
  const handler = vi.fn()
  await expect(postgresInbox(sql, options).handle(newWebhook(), handler)).rejects.toMatchObject(UNAVAILABLE)
  await expect.poll(() => ended).toHaveBeenCalledOnce()
  expect(handler).not.toHaveBeenCalled()
})

it('does not know the outcome if the COMMIT is not answered', async () => {
  const { sql } = fakeSql((run, client) => run(client).then(() => never))
  const handling = postgresInbox(sql, options).handle(newWebhook(), () => undefined)
  await expect(handling).rejects.toThrow('a retry finds out how it ended')
})

it('passes the error of the handler on if the ROLLBACK is not answered', async () => {
  const { sql } = fakeSql((run, client) => run(client).catch(() => never))
  const failing = postgresInbox(sql, options).handle(newWebhook(), () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
})

it('neither commits nor rolls back on a connection that is lost', async () => {
  const ended = vi.fn()
  let lose!: (error: Error) => void
  const { sql, statements } = fakeSql((run, client) => {
    run(client).then(ended, ended)
    return new Promise((_resolve, reject) => (lose = reject))
  })
  const inbox = postgresInbox(sql, options)
  const handling = inbox.handle(newWebhook(), () => {
    lose(CLOSED)
  })
  await expect(handling).rejects.toMatchObject({ ...UNAVAILABLE, cause: CLOSED })
  const failing = inbox.handle(newWebhook(), () => {
    lose(CLOSED)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(statements).toEqual(['SELECT', 'INSERT', 'SELECT', 'INSERT'])
  expect(ended).not.toHaveBeenCalled()
})
