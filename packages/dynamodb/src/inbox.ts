import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  type DynamoDBClient,
  type GetItemCommandOutput,
  type TransactWriteItem,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import type { ReplayClaim } from '@service-signature/core'
import {
  BatchedInbox,
  checkInboxOptions,
  type BatchEngine,
  type BatchInbox,
  type Claimed,
  type Claims,
  type InboxOptions,
  type InboxOutcome,
  type InboxSettings,
} from '@service-signature/inbox'
import {
  callsOf,
  isDocumentClient,
  type Call,
  type Command,
  type DynamoDocumentClient,
  type DynamoDocumentItem,
} from './driver.js'
import { failureToCommit, isConditionFailed, isConflict, ownReasonIn, refusalOf } from './failures.js'
import { checkTable, migrate } from './migration.js'
import { marshalled, statementsFor } from './statements.js'

/**
 * An inbox in a DynamoDB table. The key of a delivery is written in the transaction that books it, so that the delivery is
 * booked exactly once.
 *
 * @param client it stays yours to destroy
 *
 * @example
 * const inbox = dynamoInbox(new DynamoDBClient())
 * const { outcome } = await inbox.handle(webhook, [{ Put: { TableName: 'payments', Item } }])
 *
 * @throws {TypeError} on another client, or an option that is misspelled or of the wrong type
 * @throws {RangeError} on a time out of bounds
 */
export function dynamoInbox(client: DynamoDocumentClient, options?: InboxOptions): Inbox<DynamoDocumentItem>
export function dynamoInbox(client: DynamoDBClient, options?: InboxOptions): Inbox<TransactWriteItem>
export function dynamoInbox(
  client: DynamoDBClient | DynamoDocumentClient,
  options: InboxOptions = {},
): Inbox<TransactWriteItem> | Inbox<DynamoDocumentItem> {
  const isDocument = isDocumentClient(client)
  const settings = checkInboxOptions(options, 'dynamoInbox')
  checkTable(settings.table)
  // Both clients send the commands of the plain one.
  const plain = client as DynamoDBClient
  const engine = new DynamoEngine(plain, settings, isDocument ? documentTransaction : plainTransaction)
  return new BatchedInbox(engine, settings)
}

/** The answer of DynamoDB to a transaction. It returns no items. */
export type DynamoResult = Pick<TransactWriteItemsCommandOutput, '$metadata' | 'ConsumedCapacity'>

/** An inbox, which is also a `ReplayStore`. `Item` is what the client takes as an item of a transaction: at most 99. */
export type Inbox<Item> = BatchInbox<Item, DynamoResult>

/** DynamoDB allows 100, and the inbox needs one. */
const MOST_ITEMS = 99

type Statements = ReturnType<typeof statementsFor>

/** Makes the command of a transaction whose first item is the key. */
type Transaction = (
  statements: Statements,
  key: string,
  claims: Claims,
  items: readonly unknown[],
) => Command | Promise<Command>

const plainTransaction: Transaction = (statements, key, claims, items) => {
  const record = { Put: statements.record(key, claims, marshalled) }
  return new TransactWriteItemsCommand({
    TransactItems: [record, ...(items as readonly TransactWriteItem[])],
  })
}

const documentTransaction: Transaction = async (statements, key, claims, items) => {
  const { TransactWriteCommand } = await documentCommands()
  const record = { Put: statements.record(key, claims, (item) => item) }
  return new TransactWriteCommand({ TransactItems: [record, ...(items as readonly object[])] as never })
}

/** Bundlers leave the package out if it is not there, because the client is a plain one. */
async function documentCommands() {
  try {
    return await import('@aws-sdk/lib-dynamodb')
  } catch (cause) {
    throw new Error('The inbox over a document client needs "@aws-sdk/lib-dynamodb"', { cause })
  }
}

class DynamoEngine<Item> implements BatchEngine<Item, DynamoResult> {
  readonly entries = 'an array of items of a transaction, such as [{ Put: { TableName, Item } }]'
  readonly refusalOf = refusalOf
  readonly releasesAtOnce = true
  readonly #call: Call
  readonly #client: DynamoDBClient
  readonly #statements: Statements
  readonly #table: string
  readonly #transaction: Transaction

  constructor(client: DynamoDBClient, settings: InboxSettings, transaction: Transaction) {
    this.#call = callsOf(client, settings.timeoutSeconds)
    this.#client = client
    this.#statements = statementsFor(settings)
    this.#table = settings.table
    this.#transaction = transaction
  }

  async send(
    key: string,
    claims: Claims,
    items: readonly Item[],
  ): Promise<InboxOutcome<DynamoResult> | Claimed> {
    if (items.length > MOST_ITEMS) {
      throw new RangeError(
        `The inbox: a transaction has at most ${MOST_ITEMS} items besides the key of the delivery, got ${items.length}`,
      )
    }
    const command = await this.#transaction(this.#statements, key, claims, items)
    try {
      return { outcome: 'handled', result: (await this.#call(command)) as DynamoResult }
    } catch (error) {
      const reason = ownReasonIn(error)
      if (reason?.Code !== 'ConditionalCheckFailed') throw failureToCommit(error)
      const isHandled = claims === 'ignored' || (await this.#isHandled(key, reason.Item))
      return { outcome: isHandled ? 'duplicate' : 'claimed' }
    }
  }

  async claim(key: string, token: string): Promise<ReplayClaim['status']> {
    try {
      await this.#call(new PutItemCommand(this.#statements.claim(key, token)))
      return 'new'
    } catch (error) {
      if (isConflict(error)) return 'in-progress'
      if (!isConditionFailed(error)) throw error
      return (await this.#isHandled(key, error.Item)) ? 'done' : 'in-progress'
    }
  }

  readonly commit = (key: string, token: string) =>
    this.#end(new PutItemCommand(this.#statements.commit(key, token)))

  readonly release = (key: string, token: string) =>
    this.#end(new DeleteItemCommand(this.#statements.release(key, token)))

  readonly migrate = () => migrate(this.#client, this.#table, this.#call)

  async #end(command: Command): Promise<void> {
    try {
      await this.#call(command)
    } catch (error) {
      if (!isConditionFailed(error)) throw error
    }
  }

  /** @param item of an error: an engine without ReturnValuesOnConditionCheckFailure leaves it out */
  async #isHandled(key: string, item: unknown): Promise<boolean> {
    const { handled_at: handledAt } = Object(item ?? (await this.#read(key))) as {
      readonly handled_at?: unknown
    }
    return handledAt !== undefined
  }

  async #read(key: string): Promise<unknown> {
    try {
      const answer = await this.#call(new GetItemCommand(this.#statements.read(key)))
      return (answer as GetItemCommandOutput).Item
    } catch (error) {
      throw refusalOf(error)
    }
  }
}
