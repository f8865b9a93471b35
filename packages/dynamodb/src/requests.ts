import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { InboxSettings } from '@service-signature/inbox'

/** An item for `TransactItems`, with the values that the client takes. */
export interface DynamoItem<Value> {
  readonly Put: {
    readonly TableName: string
    readonly Item: Record<string, Value>
    readonly ConditionExpression: string
    readonly ExpressionAttributeValues: Record<string, Value>
    readonly ReturnValuesOnConditionCheckFailure: 'ALL_OLD'
  }
}

/** Converts the values of an item to those that a client takes. */
export type Convert<Value> = (item: PlainItem) => Record<string, Value>
type PlainItem = Readonly<Record<string, string | number>>

// Deletion by time to live is days late, so each condition compares the time itself. DynamoDB has no clock for conditions:
// `:now` is the time of the process.

/** An item that was not handled. The claim of an adapter does not prevent it: the transaction decides. */
const IS_NOT_HANDLED = 'attribute_not_exists(handled_at) OR expires_at < :now'

/** A claim that the SDK sent twice finds its own token. At a commit, the lease may have run out. */
const IS_FREE_OR_MINE = 'attribute_not_exists(expires_at) OR expires_at < :now OR claim_token = :token'

/** The requests of an inbox, each for one item. */
export function requestsFor({
  table: TableName,
  leaseSeconds,
  ttlSeconds,
}: Pick<InboxSettings, 'table' | 'leaseSeconds' | 'ttlSeconds'>) {
  const handled = (key: string): PlainItem =>
    // The name of the table tells its item from those of other tables in one transaction.
    ({ key, inbox: TableName, handled_at: now(), expires_at: expiryAfter(ttlSeconds) })
  const ifFree = (item: PlainItem, token: string) =>
    put(marshalled, item, IS_FREE_OR_MINE, { ':now': now(), ':token': token })

  function put<Value>(
    convert: Convert<Value>,
    item: PlainItem,
    ConditionExpression: string,
    values: PlainItem,
  ): DynamoItem<Value>['Put'] {
    const condition = { ConditionExpression, ExpressionAttributeValues: convert(values) }
    return { TableName, Item: convert(item), ...condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }
  }

  return {
    record: <Value>(key: string, convert: Convert<Value>) =>
      put(convert, handled(key), IS_NOT_HANDLED, { ':now': now() }),
    claim: (key: string, token: string) =>
      ifFree({ key, claim_token: token, expires_at: expiryAfter(leaseSeconds) }, token),
    commit: (key: string, token: string) => ifFree(handled(key), token),
    release: (key: string, token: string) => ({
      TableName,
      Key: marshalled({ key }),
      ConditionExpression: 'claim_token = :token',
      ExpressionAttributeValues: marshalled({ ':token': token }),
    }),
  }
}

/** Whether the inbox of this table has handled the item, which is as either client returns it. */
export function isHandledItem(item: unknown, table: string): boolean {
  const { inbox, handled_at: handledAt } = Object(item) as Record<string, unknown>
  return handledAt !== undefined && (inbox === table || (inbox as AttributeValue | undefined)?.S === table)
}

export const marshalled: Convert<AttributeValue> = (item) => {
  const valueOf = (value: string | number) =>
    typeof value === 'number' ? { N: String(value) } : { S: value }
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, valueOf(value)]))
}

/** Seconds since 1970. */
function now(): number {
  return Date.now() / 1000
}

/** Time to live takes whole seconds. */
function expiryAfter(seconds: number): number {
  return Math.ceil(now() + seconds)
}
