import type { PgClient, PgPool } from '@service-signature/postgres'
import { EventEmitter } from 'node:events'

/** How a statement ends: with the tag of its answer, with an error, or not at all. */
type Ending = { readonly tag: string } | Error | 'never'

/** A pool of `pg` with one client, which answers as the test says. */
export function fakePool(endings: Readonly<Record<string, Ending>> = {}) {
  const statements: string[] = []
  const released: unknown[] = []
  const release = (error?: unknown) => {
    released.push(error)
  }
  const client = Object.assign(new EventEmitter(), {
    release,
    query(text: string) {
      const statement = /^\s*(?:\w+ txid|\w+)/.exec(text)![0].trim()
      statements.push(statement)
      const ending = endings[statement] ?? { tag: statement }
      if (ending === 'never') return new Promise<never>(() => undefined)
      if (ending instanceof Error) return Promise.reject(ending)
      return Promise.resolve({ command: ending.tag, rows: [{ txid: '1', previous: '0', status: 'new' }] })
    },
  })
  const pool: PgPool = {
    totalCount: 1,
    connect: (): never => {
      client.release = release
      return Promise.resolve<PgClient>(client) as never
    },
  }
  return { pool, client, statements, released }
}
