import { WebhookError, type ReplayClaim } from '@service-signature/core'
import { isHandledItem } from './requests.js'

const CONDITION_FAILED = 'ConditionalCheckFailedException'

/** Errors of DynamoDB and of the SDK by name, and their fixes. */
const REASONS: Readonly<Record<string, string>> = {
  AccessDeniedException: 'the role needs dynamodb:PutItem and dynamodb:DeleteItem on the table of the inbox',
  CredentialsProviderError: 'there are no AWS credentials; give the function or the process a role',
  ExpiredTokenException: 'the AWS credentials have expired',
  ProvisionedThroughputExceededException: 'the table is throttled; raise its capacity or make it on-demand',
  ResourceNotFoundException:
    'the table of the inbox does not exist in this region; run inbox.migrate() or create it with your stack',
  ThrottlingException: 'the table is throttled; raise its maximum throughput or its capacity',
  UnrecognizedClientException: 'the AWS credentials are not valid',
  ValidationException: 'the table must have "key" (string) as its partition key, and no sort key',
}

/**
 * The answer to a claim that was not made.
 *
 * @throws {WebhookError} `ERR_REPLAY_STORE_UNAVAILABLE`, if it is unknown: the sender should retry
 */
export function statusOf(error: unknown, table: string): ReplayClaim['status'] {
  const name = nameOf(error)
  const { Item } = Object(error) as { readonly Item?: unknown }
  if (name === CONDITION_FAILED) return isHandledItem(Item, table) ? 'done' : 'in-progress'
  // A transaction is writing the item.
  if (name === 'TransactionConflictException') return 'in-progress'
  const detail = REASONS[name] ?? 'DynamoDB failed before the handler was called'
  throw new WebhookError('ERR_REPLAY_STORE_UNAVAILABLE', { detail, cause: error })
}

/** Another token holds the claim, or the delivery was handled. */
export function ignoreFailedCondition(error: unknown): void {
  if (nameOf(error) !== CONDITION_FAILED) throw error
}

/** Whether a transaction was cancelled because the inbox of this table has handled its delivery before. */
export function isDuplicateIn(error: unknown, table: string): boolean {
  if (nameOf(error) !== 'TransactionCanceledException') return false
  const { CancellationReasons: reasons } = error as { readonly CancellationReasons?: unknown }
  return (Array.isArray(reasons) ? reasons : []).some((reason) => {
    const { Code, Item } = Object(reason) as { readonly Code?: unknown; readonly Item?: unknown }
    return Code === 'ConditionalCheckFailed' && isHandledItem(Item, table)
  })
}

export function nameOf(error: unknown): string {
  return String((Object(error) as { readonly name?: unknown }).name)
}
