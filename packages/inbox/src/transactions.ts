import { WebhookError } from '@service-signature/core'
import type { Claimed, Claims, InboxOutcome, KeyState } from './handling.js'

/** What the inbox needs of a database with a pool of connections. */
export interface Engine<Client> {
  /** Takes a connection for a transaction. */
  readonly open: () => Promise<Transaction<Client>>
  /** The refusal of a delivery that could not begin: the sender should retry it. */
  readonly refusalOf: (error: unknown) => WebhookError
  /** Whether a statement failed because another transaction won, and can succeed in a new one. */
  readonly isConflict?: (error: unknown) => boolean
}

/** A transaction on a connection of its own. It ends with `commit`, or with `rollback`, also after another step failed. */
export interface Transaction<Client> {
  /** The library's own client, for the handler. */
  readonly client: Client
  /** Begins, and inserts the key. If it is not `new`, the transaction can only be rolled back. */
  readonly insert: (key: string, claims: Claims) => Promise<KeyState>
  /** Commits the transaction that has inserted the key: no other, and not after a statement failed. */
  readonly commit: () => Promise<void>
  /** Never rejects. A connection whose state is unknown is not used again. */
  readonly rollback: () => Promise<void>
}

/** Each waits with a connection of the pool, which copies of one slow delivery must not use up. */
const MOST_WAITING = 2

/** Transactions that begin with the insertion of a key. Of those with the same key, only one commits. */
export class KeyedTransactions<Client> {
  readonly #engine: Engine<Client>
  /** How many transactions have not inserted their key yet, by key. */
  readonly #waiting = new Map<string, number>()

  constructor(engine: Engine<Client>) {
    this.#engine = engine
  }

  readonly run = async <Result>(
    key: string,
    handler: (client: Client) => Result | Promise<Result>,
    claims: Claims,
  ): Promise<InboxOutcome<Result> | Claimed> => {
    const transaction = await this.#begin(key, claims)
    if (transaction === 'handled') return { outcome: 'duplicate' }
    if (transaction === 'claimed') return { outcome: 'claimed' }
    return { outcome: 'handled', result: await inTransaction(transaction, handler) }
  }

  /** The transaction that has inserted the key, or the state of the key if it is not new. */
  async #begin(key: string, claims: Claims): Promise<Begun<Client>> {
    const waiting = this.#waiting.get(key) ?? 0
    if (waiting === MOST_WAITING) throw new WebhookError('ERR_DELIVERY_IN_PROGRESS')
    this.#waiting.set(key, waiting + 1)
    try {
      return await retryOnConflict(this.#engine, () => this.#insert(key, claims))
    } catch (error) {
      throw this.#engine.refusalOf(error)
    } finally {
      this.#stopWaiting(key)
    }
  }

  #stopWaiting(key: string): void {
    const waiting = this.#waiting.get(key)! - 1
    if (waiting === 0) this.#waiting.delete(key)
    else this.#waiting.set(key, waiting)
  }

  async #insert(key: string, claims: Claims): Promise<Begun<Client>> {
    const transaction = await this.#engine.open()
    let state: KeyState | undefined
    try {
      state = await transaction.insert(key, claims)
    } finally {
      if (state !== 'new') await transaction.rollback()
    }
    return state === 'new' ? transaction : state
  }
}

/** Does the work in a transaction that has begun, and commits it. */
export async function inTransaction<Client, Result>(
  transaction: Transaction<Client>,
  work: (client: Client) => Result | Promise<Result>,
): Promise<Result> {
  try {
    const result = await work(transaction.client)
    await transaction.commit()
    return result
  } catch (error) {
    await transaction.rollback()
    throw error
  }
}

/** How often a transaction is begun for one insertion or statement of the inbox. */
const MOST_TRIES = 4

/** Runs a transaction without a handler, and once more if another one has won. */
export async function retryOnConflict<Result>(
  { isConflict }: Pick<Engine<never>, 'isConflict'>,
  run: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (error) {
      if (tries === MOST_TRIES || !isConflict?.(error)) throw error
    }
  }
}

type Begun<Client> = Transaction<Client> | Exclude<KeyState, 'new'>
