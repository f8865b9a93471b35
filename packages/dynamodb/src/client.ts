import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { within } from '@service-signature/core/receiver'

/** A client of `@aws-sdk/lib-dynamodb`, such as `DynamoDBDocumentClient.from(client)`. Its items have plain values. */
export interface DynamoDocumentClient {
  send(command: never, options?: never): Promise<unknown>
  readonly config: { readonly translateConfig?: object }
}

/**
 * Whether the items of a client have plain values.
 *
 * @throws {TypeError} if it is not a client of the AWS SDK 3
 */
export function isDocumentClient(client: unknown): boolean {
  if (client instanceof DynamoDBClient) return false
  const { send, config } = Object(client) as { readonly send?: unknown; readonly config?: unknown }
  if (typeof send === 'function' && 'translateConfig' in (Object(config) as object)) return true
  throw new TypeError(
    'dynamoInbox needs "client", a DynamoDBClient of "@aws-sdk/client-dynamodb" or a DynamoDBDocumentClient of ' +
      '"@aws-sdk/lib-dynamodb". If it is one, there are two copies: see "npm ls @aws-sdk/client-dynamodb"',
  )
}

/** Sends a command of the plain client, within a time limit. */
export type Call = (command: { readonly input: object }) => Promise<unknown>

/** The document client sends commands of the plain client as well. */
export async function send(client: DynamoDBClient, seconds: number, command: Parameters<Call>[0]) {
  const stop = new AbortController()
  const sending = client.send(command as never, { abortSignal: stop.signal })
  try {
    // The signal alone would not end the pauses between the attempts of the SDK, nor its search for credentials.
    return await within(seconds, sending, () => new Error(`DynamoDB did not answer within ${seconds} s`))
  } catch (error) {
    stop.abort()
    throw error
  }
}
