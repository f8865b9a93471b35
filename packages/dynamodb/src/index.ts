/**
 * Books each webhook exactly once, in one DynamoDB transaction with its key.
 *
 * @module dynamodb
 */
export type { BatchInbox, InboxOptions, InboxOutcome } from '@service-signature/inbox'
export type { DynamoDocumentClient, DynamoDocumentItem } from './driver.js'
export { dynamoInbox, type DynamoResult, type Inbox } from './inbox.js'
