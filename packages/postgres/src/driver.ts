import type { Row } from './statements.js'

/** The operations of `pg`, postgres.js and PGlite that the inbox needs. Every wait has a time limit. */
export interface Driver<Client> {
  /** Runs one statement in a transaction of its own. */
  readonly query: (text: string, values?: readonly string[], seconds?: number) => Promise<readonly Row[]>
  readonly begin: () => Promise<Transaction<Client>>
}

/** A transaction that has begun. It ends with `commit` or `rollback`; after a `commit` that failed, with `rollback`. */
export interface Transaction<Client> {
  /** The library's own client, for the handler. */
  readonly client: Client
  readonly query: (text: string, values?: readonly string[], seconds?: number) => Promise<readonly Row[]>
  /** @returns false if PostgreSQL has rolled back instead, as far as the library reports it */
  readonly commit: () => Promise<boolean>
  /** Never rejects. A connection whose state is unknown is not used again. */
  readonly rollback: () => Promise<void>
}

/** The error of a time limit. A half-open connection never answers, so the database cannot set it. */
export function noAnswer(seconds: number): () => Error {
  return () => new Error(`The database did not answer within ${seconds} s`)
}
