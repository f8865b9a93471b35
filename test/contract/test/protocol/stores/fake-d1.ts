import { d1Inbox, type Database, type Statement } from '@service-signature/cloudflare'
import { sqliteStatements, type VerifiedDelivery } from '@service-signature/inbox'
import type { Attempt } from '../invariants.js'
import { TIMES, type HandlerClient, type StoreKind } from '../simulation.js'
import { BOOK, FAILING, type InboxRow } from './fake-database.js'

/** The statements of the inbox. The fake knows only these and those of the handlers. */
export const SQL = sqliteStatements(['service_signature_inbox'], TIMES)

/** Faults that the fake can have on purpose, or of how it is used. */
export type D1Mistake =
  | 'does not fail for a handled key'
  | 'keeps what a failed batch did before its error'
  | 'is in a batch of its own'
  | 'treats every error as a duplicate'

const NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SQL).map(([name, text]) => [String(text), name.toUpperCase()] as const),
  [BOOK, 'BOOK'],
  [FAILING, 'A STATEMENT THAT FAILS'],
])

const DUPLICATE = 'D1_ERROR: NOT NULL constraint failed: service_signature_inbox.key: SQLITE_CONSTRAINT'

/** The network of a call to D1, with or without delays and faults. */
export type SendBatch = (name: string, run: () => readonly unknown[][]) => Promise<readonly unknown[][]>

export interface FakeStatement extends Statement<FakeStatement> {
  readonly text: string
  readonly values: readonly string[]
}

/** The table of the inbox, and the bookings. Each batch is one transaction, and there is one at a time. */
export class FakeD1 {
  rows: ReadonlyMap<string, InboxRow> = new Map()
  bookings: readonly string[] = []
  readonly #mistake: D1Mistake | undefined
  readonly #now: () => number

  constructor(mistake?: D1Mistake, now: () => number = Date.now) {
    this.#mistake = mistake
    this.#now = now
  }

  /** The binding of a Worker. */
  connect(send: SendBatch = (_name, run) => Promise.resolve().then(run)): Database<FakeStatement> {
    const batch = (statements: readonly FakeStatement[]) =>
      send(statements.map(({ text }) => NAMES.get(text)).join(', '), () => this.#transaction(statements))
    const make = (text: string, values: readonly string[]): FakeStatement => {
      const statement: FakeStatement = {
        text,
        values,
        bind: (...bound) => make(text, bound),
        all: async () => ({ results: (await batch([statement]))[0]!, meta: { changes: 0 } }),
      }
      return statement
    }
    return { prepare: (text) => make(text, []), batch }
  }

  /** @returns the rows of each statement */
  #transaction(statements: readonly FakeStatement[]): unknown[][] {
    const rows = new Map(this.rows)
    const bookings = [...this.bookings]
    const end = () => {
      this.rows = rows
      this.bookings = bookings
    }
    try {
      const results = statements.map(({ text, values }) => this.#run(text, values, rows, bookings))
      end()
      return results
    } catch (error) {
      if (this.#mistake === 'keeps what a failed batch did before its error') end()
      throw error
    }
  }

  #run(
    text: string,
    [key = '', token = '']: readonly string[],
    rows: Map<string, InboxRow>,
    bookings: string[],
  ): unknown[] {
    const now = this.#now()
    const row = rows.get(key)
    switch (text) {
      case SQL.insertOrFail:
        if (row?.handledAt !== undefined && this.#mistake !== 'does not fail for a handled key') {
          throw new Error(DUPLICATE)
        }
        rows.set(key, { handledAt: now })
        return []
      case SQL.claim: {
        const isFree = row === undefined || hasLapsed(row, now)
        if (isFree) rows.set(key, { token, claimedUntil: now + TIMES.leaseSeconds * 1000 })
        // A claim that is sent twice finds itself.
        const status = isFree || row.token === token ? 'new' : statusOf(row)
        return [{ status }]
      }
      case SQL.commit:
        if (
          row === undefined ||
          (row.handledAt === undefined && (row.token === token || hasLapsed(row, now)))
        ) {
          rows.set(key, { handledAt: now })
        }
        return []
      case SQL.release:
        if (row?.token === token && row.handledAt === undefined) rows.delete(key)
        return []
      case BOOK:
        bookings.push(key)
        return []
      default:
        throw new Error(`D1_ERROR: cannot run ${text}`)
    }
  }
}

function statusOf({ handledAt }: InboxRow): string {
  return handledAt === undefined ? 'in-progress' : 'done'
}

function hasLapsed({ handledAt, claimedUntil = Infinity }: InboxRow, now: number): boolean {
  return (handledAt === undefined ? claimedUntil : handledAt + TIMES.ttlSeconds * 1000) < now
}

/** How a Worker uses the inbox. */
interface Use {
  readonly batch: boolean
  readonly replay: boolean
}

/** The inbox in D1, which all Workers share. Handlers make statements, and a batch runs them together. */
export function inD1(name: string, { batch: isBatch, replay }: Use, mistake?: D1Mistake): StoreKind {
  return {
    name,
    isShared: true,
    isTransactional: isBatch,
    open(simulation) {
      const { history } = simulation
      const d1 = new FakeD1(mistake)
      simulation.contents = () => [[...d1.rows], d1.bookings]
      return (attempt) => {
        // Handlers of the same delivery may run at the same time, but only one of their batches succeeds.
        if (isBatch) attempt.holdsUntil = 0
        const db = d1.connect((what, run) =>
          attempt.process.call(`runs ${what} for ${attempt.name}`, () => {
            const results = run()
            if (what === 'COMMIT') attempt.committedAt = Date.now()
            if (what.includes('BOOK')) history.books(attempt.delivery, d1.bookings)
            return results
          }),
        )
        const inbox = d1Inbox(db, TIMES)
        const handle = endpointOf(db, inbox, attempt, mistake)
        return { ...(replay && { replay: inbox }), ...(isBatch && { inbox: { handle } }) }
      }
    },
  }
}

/** The code of a merchant: makes the statements of the delivery, and runs them in one batch with that of the inbox. */
function endpointOf(
  db: Database<FakeStatement>,
  inbox: ReturnType<typeof d1Inbox<FakeStatement>>,
  { delivery }: Attempt,
  mistake: D1Mistake | undefined,
) {
  return async (webhook: VerifiedDelivery, handler: (client: HandlerClient) => Promise<void>) => {
    const statements: FakeStatement[] = []
    const query = (text: string) => {
      statements.push(db.prepare(text).bind(delivery.name))
      return Promise.resolve()
    }
    await handler({ query })
    const first = await inbox.statement(webhook)
    try {
      if (mistake === 'is in a batch of its own') await db.batch([first])
      await db.batch(mistake === 'is in a batch of its own' ? statements : [first, ...statements])
    } catch (error) {
      if (!inbox.isDuplicate(error) && mistake !== 'treats every error as a duplicate') throw error
    }
  }
}

export const IN_D1 = [
  inD1('the inbox in D1', { batch: true, replay: false }),
  inD1('the inbox in D1, which is also the replay store', { batch: true, replay: true }),
  inD1('the inbox in D1 as a replay store alone', { batch: false, replay: true }),
]
