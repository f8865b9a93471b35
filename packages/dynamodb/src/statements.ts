import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { Claims, InboxSettings } from '@service-signature/inbox'

type PlainItem = Readonly<Record<string, string | number>>

// Deletion by time to live is days late, so each condition compares the time itself. DynamoDB has no clock for conditions:
// `:now` is the time of the process.

/** An item that was not handled, and that has no live claim, if claims are honoured. */
const IS_NEW: Readonly<Record<Claims, string>> = {
  ignored: 'attribute_not_exists(handled_at) OR expires_at < :now',
  honoured: 'attribute_not_exists(expires_at) OR expires_at < :now',
}

/** A claim that the SDK sent twice finds its own token. At a commit, the lease may have run out. */
const IS_FREE_OR_MINE = `${IS_NEW.honoured} OR claim_token = :token`

/** The requests of an inbox, each for one item. */
export function statementsFor({
  table: TableName,
  leaseSeconds,
  ttlSeconds,
}: Pick<InboxSettings, 'table' | 'leaseSeconds' | 'ttlSeconds'>) {
  const handled = (key: string): PlainItem => ({
    key,
    handled_at: now(),
    expires_at: expiryAfter(ttlSeconds),
  })
  const put = <Values>(
    convert: (item: PlainItem) => Values,
    item: PlainItem,
    ConditionExpression: string,
    values: PlainItem,
  ) => ({
    ...{ TableName, Item: convert(item) },
    ...{ ConditionExpression, ExpressionAttributeValues: convert(values) },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  })
  const ifFree = (item: PlainItem, token: string) =>
    put(marshalled, item, IS_FREE_OR_MINE, { ':now': now(), ':token': token })

  return {
    /** For a transaction, in the values of its client. */
    record: <Values>(key: string, claims: Claims, convert: (item: PlainItem) => Values) =>
      put(convert, handled(key), IS_NEW[claims], { ':now': now() }),
    read: (key: string) => ({ TableName, Key: marshalled({ key }), ConsistentRead: true }),
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

export function marshalled(item: PlainItem): Record<string, AttributeValue> {
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
