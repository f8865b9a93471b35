import { DeleteItemCommand, PutItemCommand, type AttributeValue } from '@aws-sdk/client-dynamodb'
import { dynamoInbox, type DynamoInbox, type DynamoItem } from '@service-signature/dynamodb'
import type { VerifiedDelivery } from '@service-signature/inbox'
import { marshalled, requestsFor } from '../../../../../packages/dynamodb/src/requests.js'
import type { Attempt } from '../invariants.js'
import { TIMES, type HandlerClient, type Simulation, type StoreKind } from '../simulation.js'

const TABLE = 'service_signature_inbox'

/** The requests of the inbox. The fake knows only their conditions. */
export const REQUESTS = requestsFor({ table: TABLE, ...TIMES })

/** Faults that the fake can have on purpose, or uses of it that are wrong. */
export type DynamoMistake =
  | 'books outside of the transaction'
  | 'books without the item'
  | 'ignores the condition of the item'
  | 'takes a claim for a duplicate'
  | 'takes every cancellation for a duplicate'
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

const IS_FREE = REQUESTS.claim('', '').ConditionExpression
const CONDITIONS = new Map<string | undefined, Condition>([
  [
    REQUESTS.record('', marshalled).ConditionExpression,
    (item, values) => !isHandled(item, values) || isLapsed(item, values),
  ],
  [
    IS_FREE,
    (item, values) => item['expires_at'] === undefined || isLapsed(item, values) || isMine(item, values),
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

  /** Executes a transaction: a write, and bookings, which have no condition. `hold` ends when it may be written. */
  async transact(
    write: Write | undefined,
    bookings: readonly string[],
    hold: () => Promise<void>,
  ): Promise<void> {
    const key = write === undefined ? undefined : keyOf(write)
    if (key !== undefined && this.#held.has(key)) throw cancelled({ Code: 'TransactionConflict' })
    const refusal = write === undefined ? undefined : this.#refusalOf(write)
    if (refusal !== undefined) throw cancelled({ Code: 'ConditionalCheckFailed', ...refusal })
    if (key !== undefined) this.#held.add(key)
    await hold()
    if (key !== undefined) this.#held.delete(key)
    if (write !== undefined) this.#apply(write)
    this.bookings.push(...bookings)
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

/** The parts of a client that the inbox uses, with the network of an attempt. */
function clientFor(dynamo: FakeDynamo, attempt: Attempt) {
  return {
    // As a document client has it: a plain one would be an instance of its class.
    config: { translateConfig: {} },
    send(command: unknown) {
      const { input } = command as { readonly input: Write }
      const isDelete = command instanceof DeleteItemCommand
      if (!isDelete && !(command instanceof PutItemCommand)) throw new Error('The fake does not know it')
      const isCommit = input.Item?.['handled_at'] !== undefined
      const name = isDelete ? 'RELEASE' : isCommit ? 'COMMIT' : 'CLAIM'
      return attempt.process.call(`${name} for ${attempt.name}`, () => {
        if (isCommit) attempt.committedAt = Date.now()
        dynamo.write(input)
      })
    },
  }
}

interface Use {
  /** The handler's bookings are in a transaction with the item. */
  readonly item: boolean
  /** The adapter has `replay: inbox`. */
  readonly replay: boolean
}

/** The inbox in DynamoDB, which all processes share. */
export function inDynamo(name: string, { item, replay }: Use, mistake?: DynamoMistake): StoreKind {
  return {
    name,
    isShared: true,
    isTransactional: item,
    open(simulation) {
      const dynamo = new FakeDynamo(mistake)
      simulation.contents = () => dynamo.contents
      const attempts: Attempt[] = []
      return (attempt) => {
        attempts.push(attempt)
        // Handlers of one delivery may run at the same time, of which one succeeds; with a claim, until its lease ends.
        if (item) attempt.holdsUntil = replay ? Date.now() + TIMES.leaseSeconds * 1000 : 0
        const inbox = dynamoInbox({ client: clientFor(dynamo, attempt), ...TIMES })
        const handle = transactionsOf({ simulation, dynamo, attempts, attempt, inbox, mistake })
        return { ...(replay && { replay: inbox }), ...(item && { inbox: { handle } }) }
      }
    },
  }
}

interface Setup {
  readonly simulation: Simulation
  readonly dynamo: FakeDynamo
  readonly attempts: readonly Attempt[]
  readonly attempt: Attempt
  readonly inbox: DynamoInbox<string | number>
  readonly mistake: DynamoMistake | undefined
}

/** Books as the README shows it: the handler prepares the bookings, which are written with the item. */
function transactionsOf({ simulation, dynamo, attempts, attempt, inbox, mistake }: Setup) {
  const { process, name, delivery } = attempt
  const transact = (write: Write | undefined, bookings: readonly string[]) =>
    process.call(`TRANSACT for ${name}`, async () => {
      await dynamo.transact(write, bookings, () => simulation.step(`DynamoDB checks ${name}`))
      simulation.history.books(delivery, dynamo.bookings)
      // Handlers whose lease ran out, or that took over, may still run, but their transactions cannot succeed.
      for (const other of attempts) if (other.delivery === delivery) other.holdsUntil = 0
    })

  return async (
    webhook: VerifiedDelivery,
    handler: (client: HandlerClient) => Promise<void>,
  ): Promise<void> => {
    const bookings: string[] = []
    const query = (_text: string, [booked] = [] as string[]) => {
      // A statement that fails is not a part of the transaction.
      if (booked === undefined) return Promise.reject(new Error('A read fails'))
      bookings.push(booked)
      return Promise.resolve()
    }
    await handler({ query })
    const write = marshal(await inbox.item(webhook), mistake)
    try {
      if (mistake === 'books outside of the transaction') {
        await transact(undefined, bookings)
        await transact(write, [])
      } else await transact(mistake === 'books without the item' ? undefined : write, bookings)
    } catch (error) {
      const isCancelled = (error as Error).name === 'TransactionCanceledException'
      const isTaken = mistake?.endsWith('for a duplicate') === true && isCancelled
      if (!isTaken && !inbox.isDuplicate(error)) throw error
    }
  }
}

/** The request in attribute values, which the fake stores. */
function marshal({ Put }: DynamoItem<string | number>, mistake: DynamoMistake | undefined): Write {
  const Item = marshalled(Put.Item)
  if (mistake === 'ignores the condition of the item') return { Item }
  const values = marshalled(Put.ExpressionAttributeValues)
  const ConditionExpression = mistake === 'takes a claim for a duplicate' ? IS_FREE : Put.ConditionExpression
  return { ...Put, Item, ConditionExpression, ExpressionAttributeValues: { ...values, ':token': { S: '' } } }
}

export const IN_DYNAMODB = [
  inDynamo('the inbox in DynamoDB', { item: true, replay: false }),
  inDynamo('the inbox in DynamoDB, which is also the replay store', { item: true, replay: true }),
  inDynamo('the inbox in DynamoDB as a replay store alone', { item: false, replay: true }),
]
