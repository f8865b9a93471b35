import { postgresInbox, type PostgresJs, type PostgresJsTransaction } from '@service-signature/postgres'
import { describe, expect, it, vi } from 'vitest'
import { newWebhook } from '@service-signature/contract/inbox-cases'

// The calls to a library that runs a transaction in a callback, here in the shape of postgres.js.

const UNAVAILABLE = { code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503 }
const CLOSED = Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })
const options = { timeoutSeconds: 0.01, waitSeconds: 0.01 }
const never = new Promise<never>(() => undefined)

/** @param begin the behaviour of the library; `run` is the callback of the inbox */
function fakeSql(
  begin: (
    run: (client: PostgresJsTransaction) => Promise<void>,
    client: PostgresJsTransaction,
  ) => Promise<unknown>,
  answer: (text: string) => Promise<never> | undefined = () => undefined,
) {
  const statements: string[] = []
  const unsafe = (text: string) => {
    statements.push(/^\s*(\w+)/.exec(text)![1]!)
    return answer(text) ?? Promise.resolve([{ status: 'new' }])
  }
  const client = Object.assign(() => undefined, { unsafe, savepoint: () => never })
  const sql = Object.assign(() => undefined, {
    unsafe,
    begin: (run: (client: PostgresJsTransaction) => Promise<void>) => begin(run, client),
  })
  return { sql: sql as unknown as PostgresJs, statements }
}

it('commits by ending the callback', async () => {
  const ended = vi.fn()
  const { sql, statements } = fakeSql((run, client) => run(client).then(ended))
  expect(await postgresInbox(sql).handle(newWebhook(), () => 5)).toEqual({ outcome: 'handled', result: 5 })
  expect(statements).toEqual(['DECLARE', 'CLOSE'])
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
  await expect(begin()).rejects.toThrow('the pool had no free connection within 0.01 s')
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

it('passes an error of the check on, even if the library reports that it has committed', async () => {
  const failure = Object.assign(new Error('a check failed'), { code: '23514', severity: 'ERROR' })
  const { sql } = fakeSql(
    (run, client) => run(client),
    (text) => (text.startsWith('CLOSE') ? Promise.reject(failure) : undefined),
  )
  await expect(postgresInbox(sql).handle(newWebhook(), () => undefined)).rejects.toBe(failure)
})

it('does not know the outcome if the COMMIT is not answered', async () => {
  const { sql } = fakeSql((run, client) => run(client).then(() => never))
  const handling = postgresInbox(sql, options).handle(newWebhook(), () => undefined)
  await expect(handling).rejects.toThrow('A retry finds out how it ended')
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
  expect(statements).toEqual(['DECLARE', 'DECLARE'])
  expect(ended).not.toHaveBeenCalled()
})

describe('the client of the handler', () => {
  /** A library whose client takes calls, and whose connection the test loses. */
  function losable() {
    const calls: unknown[] = []
    let lose!: (error: Error) => void
    const savepoint = async (...values: unknown[]) => {
      const run = values.at(-1) as (inner: unknown) => Promise<unknown>
      calls.push(`savepoint ${values.length === 2 ? String(values[0]) : ''}`)
      const result = await run(inner)
      calls.push('release')
      return result
    }
    const tag = (text: string) => {
      calls.push(text)
      return text
    }
    const inner = Object.assign(tag, { savepoint })
    const { sql } = fakeSql((run, client) => {
      const lost = new Promise<never>((_resolve, reject) => (lose = reject))
      return Promise.race([lost, run(Object.assign(tag, client, { savepoint }))])
    })
    const inbox = postgresInbox(sql as PostgresJs<PostgresJsTransaction & TaggedClient>, options)
    return {
      inbox,
      calls,
      lose: () => {
        lose(CLOSED)
      },
    }
  }

  interface TaggedClient {
    (text: string): string
    savepoint<Result>(run: (inner: TaggedClient) => Result): Promise<Awaited<Result>>
    savepoint<Result>(name: string, run: (inner: TaggedClient) => Result): Promise<Awaited<Result>>
  }

  it('is a template tag, and has savepoints', async () => {
    const { inbox, calls } = losable()
    const handling = inbox.handle(newWebhook(), async (client) => [
      client('one'),
      (await client.unsafe('SELECT 1')).length,
      await client.savepoint((inner) => inner('two')),
      await client.savepoint('named', (inner) => inner.savepoint((innermost) => innermost('three'))),
    ])
    expect(await handling).toEqual({ outcome: 'handled', result: ['one', 1, 'two', 'three'] })
    const named = ['savepoint named', 'savepoint ', 'three', 'release', 'release']
    expect(calls).toEqual(['one', 'savepoint ', 'two', 'release', ...named])
  })

  it('refuses everything once its connection is lost', async () => {
    const { inbox, calls, lose } = losable()
    const handling = inbox.handle(newWebhook(), async (client) => {
      lose()
      await new Promise(setImmediate)
      expect(() => client('lost')).toThrow(CLOSED)
      expect(() => client.unsafe('lost')).toThrow(CLOSED)
      expect(() => client.savepoint(() => 'lost')).toThrow(CLOSED)
    })
    await expect(handling).rejects.toMatchObject({ ...UNAVAILABLE, cause: CLOSED })
    expect(calls).toEqual([])
  })

  it('does not end a savepoint once its connection is lost', async () => {
    const { inbox, calls, lose } = losable()
    const handling = inbox.handle(newWebhook(), (client) =>
      client.savepoint(() => {
        lose()
        throw new Error('undo this')
      }),
    )
    await expect(handling).rejects.toThrow(CLOSED)
    await new Promise(setImmediate)
    expect(calls).toEqual(['savepoint '])
  })
})

it('claims with one statement, within its time limit', async () => {
  const { sql, statements } = fakeSql(() => never)
  await expect(postgresInbox(sql).release('key', 'token')).resolves.toBeUndefined()
  expect(statements).toEqual(['DELETE'])
  const silent = fakeSql(
    () => never,
    () => never,
  )
  await expect(postgresInbox(silent.sql, options).claim('key')).rejects.toMatchObject(UNAVAILABLE)
})
