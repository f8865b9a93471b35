/**
 * Books each webhook exactly once, in one DynamoDB transaction with its key.
 *
 * @module dynamodb
 */
export type { InboxOptions } from '@service-signature/inbox'
export type { DynamoDocumentClient, DynamoDocumentItem } from './driver.js'
export { dynamoInbox, type Inbox, type DynamoResult } from './inbox.js'
