import type { PgClient, PgPool } from '@service-signature/postgres'
import { EventEmitter } from 'node:events'

/** How a query ends: with an error, or not at all. */
type Ending = Error | 'never'

/** A pool of `pg` with one client, which answers as the test says: always so, or in this order and then without an error. */
export function fakePool(endings: Readonly<Record<string, Ending | Ending[]>> = {}) {
  const statements: string[] = []
  const released: unknown[] = []
  const release = (error?: unknown) => {
    released.push(error)
  }
  const client = Object.assign(new EventEmitter(), {
    release,
    query(text: string) {
      // A query is called by the statement that ends the transaction or begins with it.
      const statement = /COMMIT$/.exec(text)?.[0] ?? /^\s*(\w+)/.exec(text)![1]!
      statements.push(statement)
      const given = endings[statement]
      const ending = Array.isArray(given) ? given.shift() : given
      if (ending === 'never') return new Promise<never>(() => undefined)
      if (ending instanceof Error) return Promise.reject(ending)
      const answer = { rows: [{ status: 'new' }] }
      return Promise.resolve(text.includes(';') ? [{ rows: [] }, answer] : answer) as Promise<typeof answer>
    },
  })
  const pool: PgPool = Object.assign(new EventEmitter(), {
    totalCount: 1,
    connect(callback: (error: undefined, client: PgClient, done: never) => void) {
      client.release = release
      queueMicrotask(() => {
        callback(undefined, client, release as never)
      })
    },
  })
  return { pool, client, statements, released }
}
