import {
  DeleteItemCommand,
  PutItemCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import type { ReplayClaim, ReplayStore } from '@service-signature/core'
import {
  checkInboxOptions,
  keyOf,
  StoredKeys,
  type InboxOptions,
  type InboxSettings,
  type VerifiedDelivery,
} from '@service-signature/inbox'
import { isDocumentClient, send, type Call, type DynamoDocumentClient } from './client.js'
import { ignoreFailedCondition, isDuplicateIn, statusOf } from './failures.js'
import { marshalled, requestsFor, type Convert, type DynamoItem } from './requests.js'
import { checkTable, createTable } from './table.js'

export interface DynamoInboxOptions<Client> extends InboxOptions {
  /** It stays yours to destroy. */
  readonly client: Client
  /** The table, whose partition key is `key` (string). Default: `service_signature_inbox`. */
  readonly table?: string
}

/**
 * An inbox in a DynamoDB table. One item of it in the transaction that books a delivery lets that transaction succeed
 * exactly once.
 *
 * @example
 * const inbox = dynamoInbox({ client: new DynamoDBClient() })
 * const TransactItems = [await inbox.item(webhook), { Put: { TableName: 'payments', Item } }]
 * try {
 *   await client.send(new TransactWriteItemsCommand({ TransactItems }))
 * } catch (error) {
 *   if (!inbox.isDuplicate(error)) throw error
 * }
 *
 * @throws {TypeError} on another client, or an option that is misspelled or of the wrong type
 * @throws {RangeError} on a time out of bounds
 */
export function dynamoInbox(options: DynamoInboxOptions<DynamoDocumentClient>): DynamoInbox<string | number>
export function dynamoInbox(options: DynamoInboxOptions<DynamoDBClient>): DynamoInbox<AttributeValue>
export function dynamoInbox(
  options: DynamoInboxOptions<DynamoDBClient | DynamoDocumentClient>,
): DynamoInbox<AttributeValue> | DynamoInbox<string | number> {
  const { client, ...others } = Object(options) as typeof options
  const isDocument = isDocumentClient(client)
  const settings = checkInboxOptions(others, 'dynamoInbox')
  checkTable(settings.table)
  // Both clients send the commands of the plain one.
  const plain = client as DynamoDBClient
  return isDocument
    ? new TableInbox<string | number>(plain, settings, (item) => item)
    : new TableInbox(plain, settings, marshalled)
}

/** An inbox, which is also a {@link ReplayStore}. `Value` is what the client takes as the value of an attribute. */
export interface DynamoInbox<Value> extends ReplayStore {
  /**
   * Creates the table, waits until it can be used, and turns time to live on. For development: in production, create it
   * with your stack.
   */
  readonly migrate: () => Promise<void>

  /**
   * The item that goes into your transaction, anywhere among its `TransactItems`. Make another one for each attempt.
   *
   * @param webhookOrKey a webhook, or a key of your own of 1 to 255 characters, such as `intent:int_1:PROCESSED`
   * @throws {TypeError | RangeError} on what was not verified, or on another key
   */
  readonly item: (webhookOrKey: VerifiedDelivery | string) => Promise<DynamoItem<Value>>

  /**
   * Whether your transaction was cancelled because one with the same item has succeeded before. Then acknowledge the
   * delivery. Any other error must be thrown, so that the sender retries: conflicts, and conditions of your own, too.
   */
  readonly isDuplicate: (error: unknown) => boolean

  /** @throws {WebhookError} `ERR_REPLAY_STORE_UNAVAILABLE` */
  readonly claim: (key: string) => Promise<ReplayClaim>
  readonly commit: (key: string, token: string) => Promise<void>
  readonly release: (key: string, token: string) => Promise<void>
  readonly ttlSeconds: number
  readonly leaseSeconds: number
}

class TableInbox<Value> extends StoredKeys implements DynamoInbox<Value> {
  readonly migrate: DynamoInbox<Value>['migrate']
  readonly item: DynamoInbox<Value>['item']
  readonly isDuplicate: DynamoInbox<Value>['isDuplicate']

  constructor(client: DynamoDBClient, settings: InboxSettings, convert: Convert<Value>) {
    const { table, timeoutSeconds } = settings
    const requests = requestsFor(settings)
    const call: Call = (command) => send(client, timeoutSeconds, command)
    const statements = {
      claim: (key: string, token: string) =>
        call(new PutItemCommand(requests.claim(key, token))).then(
          () => 'new' as const,
          (error: unknown) => statusOf(error, table),
        ),
      commit: (key: string, token: string) =>
        call(new PutItemCommand(requests.commit(key, token))).catch(ignoreFailedCondition),
      release: (key: string, token: string) =>
        call(new DeleteItemCommand(requests.release(key, token))).catch(ignoreFailedCondition),
    }
    super(statements, settings)
    this.migrate = () => createTable(client, table, call)
    this.item = async (webhookOrKey) => {
      const key = await keyOf(webhookOrKey, settings, 'inbox.item')
      return { Put: requests.record(key, convert) }
    }
    this.isDuplicate = (error) => isDuplicateIn(error, table)
  }
}
