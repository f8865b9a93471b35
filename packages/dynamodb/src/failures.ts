import { WebhookError } from '@service-signature/core'
import { FailureError, failureOf, unconfirmed, type Failures } from '@service-signature/inbox'

const THROTTLED = { what: 'the table is throttled', fix: 'Raise its capacity, or make it on-demand.' }
const OTHER_KEY = {
  what: 'the table has another key',
  fix: 'It must have "key" (string) as its partition key, and no sort key.',
}

/** By the name of an error of DynamoDB or of the SDK, and by the code of a reason that cancels a transaction. */
const FAILURES: Failures = {
  AccessDeniedException: {
    what: 'the role may not use the table',
    fix: 'Grant it dynamodb:PutItem, and dynamodb:DeleteItem for "replay: inbox", on the table of the inbox.',
  },
  CredentialsProviderError: {
    what: 'there are no AWS credentials',
    fix: 'Give the function or the process a role.',
  },
  ExpiredTokenException: {
    what: 'the AWS credentials have expired',
    fix: 'Make a new client, or new credentials.',
  },
  ProvisionedThroughputExceeded: THROTTLED,
  ProvisionedThroughputExceededException: THROTTLED,
  ResourceNotFoundException: {
    what: 'the table of the inbox does not exist in this region',
    fix: 'Run inbox.migrate(), or create it with your stack.',
  },
  ThrottlingError: THROTTLED,
  ThrottlingException: THROTTLED,
  UnrecognizedClientException: { what: 'the AWS credentials are not valid', fix: 'Give the client others.' },
  ValidationError: OTHER_KEY,
  ValidationException: OTHER_KEY,
}

/** The refusal of a delivery that cannot be handled now: the sender should retry it. */
export function refusalOf(error: unknown): WebhookError {
  return failureOf(error, FAILURES, nameOf(error))
}

/** The error after a transaction that failed: that of the merchant, or a refusal. */
export function failureToCommit(error: unknown): unknown {
  const own = ownReasonIn(error)
  if (own?.Code === 'TransactionConflict')
    return new WebhookError('ERR_DELIVERY_IN_PROGRESS', { cause: error })
  if (own !== undefined) return failureOf(error, FAILURES, own.Code)
  if (error instanceof FailureError || nameOf(error) === 'CredentialsProviderError') return refusalOf(error)
  return isUnknown(error) ? unconfirmed(error) : error
}

/** Whether the condition of a write failed: another token holds the claim, or the delivery was handled. */
export function isConditionFailed(error: unknown): error is { readonly Item?: unknown } {
  return nameOf(error) === 'ConditionalCheckFailedException'
}

/** Whether a transaction is writing the item. */
export function isConflict(error: unknown): boolean {
  return nameOf(error) === 'TransactionConflictException'
}

/** Why DynamoDB cancelled a transaction, for its first item, which is that of the inbox. */
export interface Reason {
  readonly Code?: string | undefined
  readonly Item?: unknown
}

/** @returns undefined if the transaction was not cancelled, or not because of the item of the inbox */
export function ownReasonIn(error: unknown): Reason | undefined {
  if (nameOf(error) !== 'TransactionCanceledException') return undefined
  const { CancellationReasons: reasons } = error as { readonly CancellationReasons?: readonly Reason[] }
  const own = reasons?.[0]
  return own?.Code === 'None' ? undefined : own
}

/** Whether a request was sent, and was not refused: it may have been executed. */
function isUnknown(error: unknown): boolean {
  const { $fault: fault, $metadata: sent } = Object(error) as {
    readonly $fault?: unknown
    readonly $metadata?: unknown
  }
  // An earlier attempt of the SDK was not answered, and is still being executed.
  if (nameOf(error) === 'TransactionInProgressException') return true
  return sent !== undefined && fault !== 'client'
}

export function nameOf(error: unknown): string {
  return String((Object(error) as { readonly name?: unknown }).name)
}
