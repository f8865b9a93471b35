import {
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  TransactWriteItemsCommand,
  type AttributeValue,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb'
import { dynamoInbox, type Inbox } from '@service-signature/dynamodb'
import type { VerifiedDelivery } from '@service-signature/inbox'
import { marshalled, statementsFor } from '../../../../../packages/dynamodb/src/statements.js'
import type { Attempt } from '../invariants.js'
import { TIMES, type HandlerClient, type Simulation, type StoreKind } from '../simulation.js'

const TABLE = 'service_signature_inbox'

/** The requests of the inbox. The fake knows only their conditions. */
export const REQUESTS = statementsFor({ table: TABLE, ...TIMES })

/** Faults that the fake can have on purpose, or uses of it that are wrong. */
export type DynamoMistake =
  | 'books outside of the transaction'
  | 'ignores the condition of the key'
  | 'fails for a claimed key'
  | 'fails with another reason as if the key were handled'
  | 'ignores the token of a claim'

type Item = Readonly<Record<string, AttributeValue>>
type Values = Readonly<Record<string, AttributeValue>> | undefined

/** The parts of a request that the fake reads. */
export interface Write {
  readonly Item?: Item | undefined
  readonly Key?: Item | undefined
  readonly ConditionExpression?: string | undefined
  readonly ExpressionAttributeValues?: Values
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined
}

/** An error as the SDK gives it. */
function awsError(name: string, more: object = {}): Error {
  return Object.assign(new Error(name), { name, ...more })
}

type Condition = (item: Item, values: NonNullable<Values>) => boolean

const isHandled: Condition = (item) => item['handled_at'] !== undefined
const isLapsed: Condition = (item, values) => Number(item['expires_at']?.N) < Number(values[':now']!.N)
const isMine: Condition = (item, values) =>
  item['claim_token'] !== undefined && item['claim_token'].S === values[':token']!.S

const isFree: Condition = (item, values) => item['expires_at'] === undefined || isLapsed(item, values)

const CONDITIONS = new Map<string | undefined, Condition>([
  [
    REQUESTS.record('', 'ignored', marshalled).ConditionExpression,
    (item, values) => !isHandled(item, values) || isLapsed(item, values),
  ],
  [REQUESTS.record('', 'honoured', marshalled).ConditionExpression, isFree],
  [
    REQUESTS.claim('', '').ConditionExpression,
    (item, values) => isFree(item, values) || isMine(item, values),
  ],
  [REQUESTS.release('', '').ConditionExpression, isMine],
  [undefined, () => true],
])

/** The table of an inbox, and the bookings of its transactions. */
export class FakeDynamo {
  readonly items = new Map<string, Item>()
  readonly bookings: string[] = []
  /** The keys of a transaction that has been checked, and is not written yet. */
  readonly #held = new Set<string>()
  readonly #mistake: DynamoMistake | undefined

  constructor(mistake?: DynamoMistake) {
    this.#mistake = mistake
  }

  get contents(): unknown {
    return [[...this.items], this.bookings, [...this.#held]]
  }

  /** Executes a write of one item. @throws {Error} as the SDK does, if its condition fails or a transaction holds the item */
  write(write: Write): void {
    if (this.#held.has(keyOf(write))) throw awsError('TransactionConflictException')
    const refusal = this.#refusalOf(write)
    if (refusal !== undefined) throw awsError('ConditionalCheckFailedException', refusal)
    this.#apply(write)
  }

  /** Executes a transaction: the write of a key, and bookings, which have no condition. `hold` ends when it may be written. */
  async transact(write: Write, bookings: readonly string[], hold: () => Promise<void>): Promise<void> {
    const key = keyOf(write)
    if (this.#held.has(key)) throw cancelled({ Code: this.#conflict })
    const refusal = this.#mistake === 'ignores the condition of the key' ? undefined : this.#refusalOf(write)
    if (refusal !== undefined) throw cancelled({ Code: 'ConditionalCheckFailed', ...refusal })
    if (this.#mistake === 'fails for a claimed key' && this.items.get(key)?.['claim_token'] !== undefined) {
      throw cancelled({ Code: 'ConditionalCheckFailed' })
    }
    this.#held.add(key)
    await hold()
    this.#held.delete(key)
    this.#apply(write)
    this.bookings.push(...bookings)
  }

  get #conflict(): string {
    const isMistaken = this.#mistake === 'fails with another reason as if the key were handled'
    return isMistaken ? 'ConditionalCheckFailed' : 'TransactionConflict'
  }

  /** If the condition fails: the item, where it was asked for. */
  #refusalOf(write: Write): { readonly Item?: Item } | undefined {
    const stored = this.items.get(keyOf(write))
    const item = stored ?? {}
    const holds = CONDITIONS.get(write.ConditionExpression)
    if (holds === undefined) throw new Error(`The fake does not know ${write.ConditionExpression}`)
    const isPut = write.Item !== undefined
    if (this.#mistake === 'ignores the token of a claim' && isPut && !isHandled(item, {})) return undefined
    if (holds(item, write.ExpressionAttributeValues ?? {})) return undefined
    const isWanted = write.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && stored !== undefined
    return isWanted ? { Item: stored } : {}
  }

  #apply(write: Write): void {
    if (write.Item === undefined) this.items.delete(keyOf(write))
    else this.items.set(keyOf(write), write.Item)
  }
}

function keyOf({ Item, Key }: Write): string {
  return (Item ?? Key)!['key']!.S!
}

function cancelled(reason: object): Error {
  return awsError('TransactionCanceledException', { CancellationReasons: [reason, { Code: 'None' }] })
}

/** A plain client, with the network of an attempt. */
function clientFor({ simulation, dynamo, attempts, attempt }: Setup): DynamoDBClient {
  const { process, name, delivery } = attempt
  const transact = (items: readonly { readonly Put?: Write | undefined }[]) =>
    process.call(`TRANSACT for ${name}`, async () => {
      const [{ Put: write } = {}, ...bookings] = items
      const booked = bookings.map(({ Put }) => Put!.Item!['id']!.S!)
      await dynamo.transact(write!, booked, () => simulation.step(`DynamoDB checks ${name}`))
      simulation.history.books(delivery, dynamo.bookings)
      // Handlers whose lease ran out, or that took over, may still run, but their transactions cannot succeed.
      for (const other of attempts) if (other.delivery === delivery) other.holdsUntil = 0
    })

  const write = (command: PutItemCommand | DeleteItemCommand) => {
    const input: Write = command.input
    const isCommit = input.Item?.['handled_at'] !== undefined
    const step = command instanceof DeleteItemCommand ? 'RELEASE' : isCommit ? 'COMMIT' : 'CLAIM'
    return process.call(`${step} for ${name}`, () => {
      if (isCommit) attempt.committedAt = Date.now()
      dynamo.write(input)
    })
  }

  return Object.assign(Object.create(DynamoDBClient.prototype) as DynamoDBClient, {
    send(command: unknown) {
      if (command instanceof TransactWriteItemsCommand) return transact(command.input.TransactItems ?? [])
      if (command instanceof PutItemCommand || command instanceof DeleteItemCommand) return write(command)
      throw new Error('The fake does not know it')
    },
  })
}

interface Use {
  /** The handler's bookings are in a transaction with the key. */
  readonly transaction: boolean
  /** The adapter has `replay: inbox`. */
  readonly replay: boolean
}

/** The inbox in DynamoDB, which all processes share. */
export function inDynamo(name: string, { transaction, replay }: Use, mistake?: DynamoMistake): StoreKind {
  return {
    name,
    isShared: true,
    isTransactional: transaction,
    open(simulation) {
      const dynamo = new FakeDynamo(mistake)
      simulation.contents = () => dynamo.contents
      const attempts: Attempt[] = []
      return (attempt) => {
        attempts.push(attempt)
        // Handlers of one delivery may run at the same time, of which one succeeds; with a claim, until its lease ends.
        if (transaction) attempt.holdsUntil = replay ? Date.now() + TIMES.leaseSeconds * 1000 : 0
        const inbox = dynamoInbox(clientFor({ simulation, dynamo, attempts, attempt }), TIMES)
        const handle = handleOf(inbox, async (booking) => {
          if (mistake !== 'books outside of the transaction')
            return [{ Put: { Item: { id: { S: booking } } } }]
          await attempt.process.call(`BOOK for ${attempt.name}`, () => {
            dynamo.bookings.push(booking)
            simulation.history.books(attempt.delivery, dynamo.bookings)
          })
          return []
        })
        return { ...(replay && { replay: inbox }), ...(transaction && { inbox: { handle } }) }
      }
    },
  }
}

interface Setup {
  readonly simulation: Simulation
  readonly dynamo: FakeDynamo
  readonly attempts: readonly Attempt[]
  readonly attempt: Attempt
}

/** The code of a merchant, whose handler prepares the bookings. */
function handleOf(inbox: Inbox<TransactWriteItem>, itemsOf: (booking: string) => Promise<readonly object[]>) {
  return (webhook: VerifiedDelivery, handler: (client: HandlerClient) => Promise<void>) =>
    inbox.handle(webhook, async () => {
      const bookings: string[] = []
      const query = (_text: string, [booked] = [] as string[]) => {
        // A statement that fails is not a part of the transaction.
        if (booked === undefined) return Promise.reject(new Error('A read fails'))
        bookings.push(booked)
        return Promise.resolve()
      }
      await handler({ query })
      return (await Promise.all(bookings.map(itemsOf))).flat()
    })
}

export const IN_DYNAMODB = [
  inDynamo('the inbox in DynamoDB', { transaction: true, replay: false }),
  inDynamo('the inbox in DynamoDB, which is also the replay store', { transaction: true, replay: true }),
  inDynamo('the inbox in DynamoDB as a replay store alone', { transaction: false, replay: true }),
]
