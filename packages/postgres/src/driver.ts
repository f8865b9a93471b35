import type { Row } from './statements.js'

/** The operations of `pg`, postgres.js and PGlite that the inbox needs. Every wait has a time limit. */
export interface Driver<Client> {
  /** Runs one statement with its values, or several without any, in a transaction of their own. */
  readonly query: (text: string, values?: readonly string[], seconds?: number) => Promise<readonly Row[]>
  /** Takes a connection for a transaction. */
  readonly open: () => Promise<Transaction<Client>>
}

/** A transaction on a connection of its own. It ends with `commit`, or with `rollback`, also after another step failed. */
export interface Transaction<Client> {
  /** The library's own client, for the handler. */
  readonly client: Client
  /** Begins the transaction with these statements, and gives the rows of the last one. */
  readonly begin: (statements: string, seconds: number) => Promise<readonly Row[]>
  /** Runs a statement in it. */
  readonly query: (statement: string) => Promise<readonly Row[]>
  /** Commits, unless the statement `check` fails. */
  readonly commit: (check: string) => Promise<void>
  /** Never rejects. A connection whose state is unknown is not used again. */
  readonly rollback: () => Promise<void>
}
