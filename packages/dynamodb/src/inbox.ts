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
import type { ReplayClaim, ReplayStore } from '@service-signature/core'
import {
  checkInboxOptions,
  Handling,
  joinedOf,
  OwnClaims,
  StoredKeys,
  type Claimed,
  type Claims,
  type InboxOptions,
  type InboxOutcome,
  type InboxSettings,
  type Joined,
  type VerifiedDelivery,
} from '@service-signature/inbox'
import {
  callsOf,
  isDocumentClient,
  type Call,
  type Command,
  type DynamoDocumentClient,
  type DynamoDocumentItem,
} from './driver.js'
import { failureOfTransaction, ignoreFailedCondition, ownReasonIn, refusalOf, statusOf } from './failures.js'
import { marshalled, statementsFor } from './statements.js'
import { checkTable, migrate } from './migration.js'

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
  return new TableInbox(plain, settings, isDocument ? documentTransaction : plainTransaction)
}

/** The answer of DynamoDB to a transaction. It returns no items. */
export type DynamoResult = Pick<TransactWriteItemsCommandOutput, '$metadata' | 'ConsumedCapacity'>

/** An inbox, which is also a {@link ReplayStore}. `Item` is what the client takes as an item of a transaction. */
export interface Inbox<Item> extends ReplayStore {
  /**
   * Creates the table with its time to live, unless it exists, and waits until it can be used. In production, create it with
   * your stack.
   */
  readonly migrate: () => Promise<void>

  /**
   * Sends the items in one transaction with the key of the delivery. If the delivery was handled before, nothing is written.
   *
   * @param items at most 99, or a function that makes them, which also runs for a duplicate
   * @returns `handled` or `duplicate`
   * @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE`: the sender should retry
   * @throws {TypeError} if it was called for this webhook before, and that call has not failed
   * @throws {RangeError} on more items
   * @throws {unknown} the error of DynamoDB if it refused another item
   */
  readonly handle: (webhook: VerifiedDelivery, items: Joined<Item>) => Promise<InboxOutcome<DynamoResult>>

  /**
   * The same for a key of your own, such as `intent:int_1:PROCESSED`. The keys that `replayKey` makes are in the same place:
   * while an endpoint with `replay: inbox` handles the same key, it throws `ERR_DELIVERY_IN_PROGRESS`.
   *
   * @param key 1 to 255 characters
   * @throws {WebhookError} `ERR_DELIVERY_IN_PROGRESS`, `ERR_REPLAY_STORE_UNAVAILABLE`
   * @throws {TypeError | RangeError} on another key
   */
  readonly once: (key: string, items: Joined<Item>) => Promise<InboxOutcome<DynamoResult>>

  /** @throws {WebhookError} `ERR_REPLAY_STORE_UNAVAILABLE` */
  readonly claim: (key: string) => Promise<ReplayClaim>
  readonly commit: (key: string, token: string) => Promise<void>
  readonly release: (key: string, token: string) => Promise<void>
  readonly ttlSeconds: number
  readonly leaseSeconds: number
}

const ITEMS = 'an array of items of a transaction, such as [{ Put: { TableName, Item } }]'
/** DynamoDB allows 100, and the inbox needs one. */
const MOST_ITEMS = 99

type Requests = ReturnType<typeof statementsFor>

/** Makes the command of a transaction whose first item is the key. */
type Transaction = (
  requests: Requests,
  key: string,
  claims: Claims,
  items: readonly unknown[],
) => Command | Promise<Command>

const plainTransaction: Transaction = (requests, key, claims, items) => {
  const record = { Put: requests.record(key, claims, marshalled) }
  return new TransactWriteItemsCommand({
    TransactItems: [record, ...(items as readonly TransactWriteItem[])],
  })
}

const documentTransaction: Transaction = async (requests, key, claims, items) => {
  const { TransactWriteCommand } = await documentCommands()
  const record = { Put: requests.record(key, claims, (item) => item) }
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

class TableInbox<Item> extends StoredKeys implements Inbox<Item> {
  readonly #call: Call
  readonly #client: DynamoDBClient
  readonly #handling: Handling
  readonly #isHandled: IsHandled
  readonly #requests: Requests
  readonly #table: string
  readonly #transaction: Transaction

  constructor(client: DynamoDBClient, settings: InboxSettings, transaction: Transaction) {
    const requests = statementsFor(settings)
    const call = callsOf(client, settings.timeoutSeconds)
    const isHandled = isHandledBy(call, requests)
    const ownClaims = new OwnClaims(settings.leaseSeconds)
    super(
      {
        claim: (key, token) =>
          call(new PutItemCommand(requests.claim(key, token))).then(
            () => 'new',
            (error: unknown) => statusOf(error, (item) => isHandled(key, item)),
          ),
        commit: (key, token) =>
          call(new PutItemCommand(requests.commit(key, token))).catch(ignoreFailedCondition),
        release: (key, token) =>
          call(new DeleteItemCommand(requests.release(key, token))).catch(ignoreFailedCondition),
        releasesAtOnce: true,
      },
      settings,
      ownClaims,
    )
    this.#call = call
    this.#client = client
    this.#handling = new Handling(settings, ownClaims)
    this.#isHandled = isHandled
    this.#requests = requests
    this.#table = settings.table
    this.#transaction = transaction
  }

  migrate(): Promise<void> {
    return migrate(this.#client, this.#table, this.#call)
  }

  readonly handle: Inbox<Item>['handle'] = (webhook, items) =>
    this.#handling.handle(webhook, (key, claims) => this.#book(key, claims, items))

  readonly once: Inbox<Item>['once'] = (key, items) =>
    this.#handling.once(key, (stored, claims) => this.#book(stored, claims, items))

  async #book(
    key: string,
    claims: Claims,
    given: Joined<Item>,
  ): Promise<InboxOutcome<DynamoResult> | Claimed> {
    const items = await joinedOf(given, ITEMS)
    if (items.length > MOST_ITEMS) {
      throw new RangeError(
        `The inbox: a transaction has at most ${MOST_ITEMS} items besides the key of the delivery, got ${items.length}`,
      )
    }
    const command = await this.#transaction(this.#requests, key, claims, items)
    try {
      return { outcome: 'handled', result: (await this.#call(command)) as DynamoResult }
    } catch (error) {
      const reason = ownReasonIn(error)
      if (reason?.Code !== 'ConditionalCheckFailed') throw failureOfTransaction(error)
      const isHandled = claims === 'ignored' || (await this.#isHandled(key, reason.Item))
      return { outcome: isHandled ? 'duplicate' : 'claimed' }
    }
  }
}

/** @param item if an error has it */
type IsHandled = (key: string, item: unknown) => Promise<boolean>

function isHandledBy(call: Call, requests: Requests): IsHandled {
  const read = async (key: string) => {
    const answer = await call(new GetItemCommand(requests.read(key))).catch((error: unknown) => {
      throw refusalOf(error)
    })
    return (answer as GetItemCommandOutput).Item
  }
  // An engine without ReturnValuesOnConditionCheckFailure does not return the item with the error.
  return async (key, item) => {
    const { handled_at: handledAt } = Object(item ?? (await read(key))) as { readonly handled_at?: unknown }
    return handledAt !== undefined
  }
}
