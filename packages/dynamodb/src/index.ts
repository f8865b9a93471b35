/**
 * Books each webhook exactly once, with one item in a DynamoDB transaction of your own.
 *
 * @module dynamodb
 */
export type { DynamoDocumentClient } from './client.js'
export { dynamoInbox, type DynamoInbox, type DynamoInboxOptions } from './inbox.js'
export type { DynamoItem } from './requests.js'
