/**
 * Books each webhook exactly once, in one DynamoDB transaction with its key.
 *
 * @module dynamodb
 */
export type { InboxOptions as DynamoInboxOptions } from '@service-signature/inbox'
export type { DynamoDocumentClient, DynamoDocumentItem } from './driver.js'
export { dynamoInbox, type DynamoInbox, type DynamoResult } from './inbox.js'
